// Deutsche Wörter der ersten Ansicht, mit denselben Schlüsseln wie die englischen.

const count = (n, one, many) => (n === 1 ? one : many.replace("#", String(n)));
const UNITS = { day: ["pro Tag", "Tage"], week: ["pro Woche", "Wochen"], month: ["pro Monat", "Monate"], year: ["pro Jahr", "Jahre"] };
const every = (value, unit) => (value === 1 ? UNITS[unit][0] : `alle ${value} ${UNITS[unit][1]}`);

export default {
  todayTab: "Heute", subscriptions: "Abos", subscription: "Abo", add: "Neu", addOne: "Abo hinzufügen", more: "Mehr", calendar: "Kalender",
  spending: "Ausgaben", profile: "Profil", contactsTab: "Kontakte", areas: "Bereiche", skip: "Zum Inhalt", close: "Schließen", undo: "Rückgängig", edit: "Bearbeiten",
  again: "Noch einmal", loading: "Wird geladen", toStart: "Zum Anfang", inStep: "Alles ist gespeichert", sending: "Wird gespeichert …",
  onlyHere: "Auf diesem Gerät gespeichert", signInAgain: "Bitte melde dich neu an. Bis dahin bleibt alles auf diesem Gerät.",
  offlineCount: (n) => (n ? count(n, "Offline. 1 Änderung wird später gesendet.", "Offline. # Änderungen werden später gesendet.") : "Offline. Du kannst weiterarbeiten."),
  updateWaits: "Eine neue Version ist da.", updateNow: "Laden", noAccount: "Noch kein Konto", notFound: "Seite nicht gefunden",
  notFoundText: "Unter dieser Adresse gibt es keine Seite.", notLoaded: "Diese Seite konnte nicht geladen werden",
  notLoadedText: "Prüfe deine Verbindung und versuche es noch einmal.", lineOne: "Wofür du bezahlst,", lineTwo: "bevor du bezahlst.",
  welcomeTitle: "Wofür bezahlst du regelmäßig?",
  welcomeText: "Füge das Erste hinzu. Du brauchst kein Konto; mit einem findest du es später auf deinen anderen Geräten.",
  haveAccount: "Ich habe ein Konto", country: "Land", provider: "Anbieter", providerExample: "Netflix, Fitness, Handy …", ownPlan: "eigener Tarif",
  plans: (n) => count(n, "1 Tarif", "# Tarife"), found: (n) => count(n, "1 Anbieter gefunden", "# Anbieter gefunden"),
  asOwn: (text) => `„${text}“ als eigener Tarif`, asOwnHint: "Jeder Preis, jeder Rhythmus", ownTitle: "Ein eigener Tarif", every, deleted: "Gelöscht",
  signIn: "Anmelden", makeAccount: "Konto anlegen", forgotTitle: "Passwort vergessen?", verifyTitle: "Adresse bestätigen",
  resetTitle: "Neues Passwort wählen", devices: "Geräte", passwordAndMail: "Passwort und E-Mail", import: "Importieren", deleteAll: "Alles löschen",
  failures: {
    rate_limited: (values, failure) => (failure?.retryAfter ? `Zu viele Versuche. Versuche es in ${count(Math.ceil(failure.retryAfter / 60), "1 Minute", "# Minuten")} noch einmal.` : "Zu viele Versuche. Versuche es später noch einmal."),
    offline: "Der Dienst ist nicht erreichbar. Versuche es später noch einmal.",
    unavailable: "Der Dienst ist gerade nicht verfügbar. Versuche es später noch einmal.", signedOut: "Bitte melde dich neu an.",
    store: "Dieser Browser kann für diese Seite nichts speichern. Schaffe Platz auf diesem Gerät, oder erlaube ihr, Daten zu speichern.",
    unknown: "Etwas ging schief. Versuche es noch einmal.",
  },
};
