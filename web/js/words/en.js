// English words of the first view: the shell, Welcome and what can go wrong there. A value that depends on a count or a name is a
// function; the other languages have the same keys.

const count = (n, one, many) => (n === 1 ? one : many.replace("#", String(n)));
const UNITS = { day: ["a day", "days"], week: ["a week", "weeks"], month: ["a month", "months"], year: ["a year", "years"] };
const every = (value, unit) => (value === 1 ? UNITS[unit][0] : `every ${value} ${UNITS[unit][1]}`);

export default {
  // The shell
  todayTab: "Today", subscriptions: "Subscriptions", subscription: "Subscription", add: "Add", addOne: "Add a subscription", more: "More",
  calendar: "Calendar", spending: "Spending", profile: "Profile", contactsTab: "Contacts", areas: "Areas", skip: "To the content", close: "Close", undo: "Undo", edit: "Edit",
  again: "Try again", loading: "Loading", toStart: "To the start", inStep: "Everything is saved", sending: "Saving…", onlyHere: "Kept on this device",
  signInAgain: "Please sign in again. Everything stays on this device until then.",
  offlineCount: (n) => (n ? count(n, "Offline. 1 change will be sent later.", "Offline. # changes will be sent later.") : "Offline. You can go on working."),
  updateWaits: "A new version is ready.", updateNow: "Load it", noAccount: "No account yet", notFound: "Page not found",
  notFoundText: "There is no page at this address.", notLoaded: "This page could not be loaded", notLoadedText: "Check your connection and try again.",

  // Welcome and adding
  lineOne: "What you pay for,", lineTwo: "before you pay for it.", welcomeTitle: "What do you keep paying for?",
  welcomeText: "Add the first one. You need no account; one later lets you find it on your other devices.", haveAccount: "I have an account",
  country: "Country", provider: "Provider", providerExample: "Netflix, gym, phone…", ownPlan: "your own plan",
  plans: (n) => count(n, "1 plan", "# plans"), found: (n) => count(n, "1 provider found", "# providers found"),
  asOwn: (text) => `“${text}” as a plan of my own`, asOwnHint: "Any price, any rhythm", ownTitle: "A plan of your own", every,

  // Subscriptions
  deleted: "Deleted",

  // Account
  signIn: "Sign in", makeAccount: "Create an account", forgotTitle: "Forgot the password?", verifyTitle: "Confirm your address",
  resetTitle: "Choose a new password",

  // Profile
  devices: "Devices", passwordAndMail: "Password and e-mail", import: "Import", deleteAll: "Delete everything",

  // What went wrong
  failures: {
    rate_limited: (values, failure) => (failure?.retryAfter ? `Too many attempts. Try again in ${count(Math.ceil(failure.retryAfter / 60), "1 minute", "# minutes")}.` : "Too many attempts. Try again later."),
    offline: "There is no connection to the service. Try again later.", unavailable: "The service is not available now. Try again later.",
    signedOut: "Please sign in again.", store: "This browser cannot keep data for this page. Make room on this device, or allow it to store data.",
    unknown: "Something went wrong. Try again.",
  },
};
