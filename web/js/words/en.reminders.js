// English words of reminders, channels and calendars; the other languages have the same keys.

const count = (n, one, many) => (n === 1 ? one : many.replace("#", String(n)));

export default {
  entities: { reminder: "Reminder", reminderSettings: "Reminders", channel: "Channel" },
  reminders: {
    // Waiting for you
    ofUser: { digest: "Your week", debts: "Debts" }, endsOn: (day) => `ends on ${day}`, renewalText: (day, price) => `It renews on ${day}${price ? ` for ${price}` : ""}. Keep it, or cancel it before.`,
    asksText: (day) => `It ends on ${day} and does not renew by itself.`, endedText: (day) => `It ended on ${day}. You pay nothing more for it.`,
    week: (names, more) => `In the next 7 days: ${names}${more > 0 ? ` and ${more} more` : ""}.`, debtsText: "Somebody owes you, or you owe somebody.",

    // The page of reminders
    title: "Reminders", hint: "When, of what, and by mail", text: "You are told once a day, at your hour, of what is due.",
    when: "When", at: "Time", atHint: (place) => `By the clock in ${place}`, weekly: "Overview of the week", never: "Never", everyWeek: (day) => `On ${day}`,
    repeat: "Remind again if I do not answer", repeatNo: "No", repeatAfter: (n) => count(n, "After 1 day", "After # days"),
    what: "Of what", onTheDay: "On the day", before: (n) => count(n, "1 day before", "# days before"), after: (n) => count(n, "1 day after", "# days after"),
    tooMany: (n) => `At most ${n} for each.`, silent: "You are not told of this.",
    kinds: { renewal: "A renewal", cancelBy: "The last day to cancel", trial: "The end of a free trial", price: "Another price or other terms", ended: "The end of a cancelled subscription", overdue: "An overdue subscription", date: "A date of a contact", debts: "Debts", digest: "Overview of the week" },
    mail: "By mail", byMail: "Send reminders by mail", mailTo: (address) => `To ${address}`, mailUnconfirmed: (address) => `Nothing is sent to ${address} until it is confirmed.`,
    mailNoAccount: "Mails need an account with a confirmed address.", mailNone: "This service sends no mails.", mailLanguage: "Language of mails", asCountry: "As the country",
    ahead: "In the next 30 days", aheadText: "What you will be told if nothing changes.", aheadNothing: "Nothing is due in the next 30 days.",
    aheadOf: (day) => `for ${day}`, needsDevice: "Reminders are kept once something is saved in the service.", more: "Browsers, channels and calendar", moreHint: "Other ways to be told",

    // Answers behind the link of a mail
    answerTitle: "Answer a reminder", answerText: "Nothing has happened yet. Choose an answer and send it.", answerWhich: "Which one?", answerHow: "Your answer", answerSend: "Send the answer",
    answerNone: "There is nothing to answer any more.", answerBad: "This link is not valid, or no longer. Open the reminder in the app.", answerCancelBy: (day) => `Cancel by ${day}`,
    choices: { keep: "Keep it", cancel: "I cancel it", renew: "It is renewed", snooze: "Remind me later", done: "Done" }, until: "Remind me on", another: "Answer another one",
    given: { keep: "Noted: it stays.", cancel: "Noted as cancelled.", renew: "Noted as renewed.", snooze: (day) => `You are reminded again on ${day}.`, done: "Done." },
    cancelThere: "The cancelling itself is done at the provider:", cancelPage: "Open the provider's page", wasDone: "It had changed before, so there was nothing left to do.",

    // Channels
    channels: "Channels", channelsText: "Beside the app and mail.", thisBrowser: "This browser", pushText: "The browser shows a message at your hour, also while this page is closed.",
    pushOn: "Tell me in this browser", pushOff: "Stop in this browser", pushIsOn: "This browser is told.", pushDenied: "The browser does not allow it. Allow notifications for this page in its settings, then press again.",
    pushNot: "This browser cannot show messages of this page.", pushIPhone: "On an iPhone or iPad, add the app to the home screen first.", pushNoKey: "The service has no key for browsers: its operator has to set one.",
    channelKinds: { webpush: "Browser", ntfy: "ntfy", webhook: "Webhook" }, noChannels: "There is no other channel yet.", addChannel: "Add a channel", kind: "Kind", name: "Name", nameExample: "On my phone",
    target: "Address", targetHint: { ntfy: "The address of your topic, as in https://ntfy.sh/my-topic", webhook: "The service sends a signed POST there (Standard Webhooks)." }, token: "Access token", tokenHint: "Only where the topic needs one", save: "Add it",
    secretTitle: "The secret of this webhook", secretText: "It is shown this once. The receiver checks signatures with it.", copy: "Copy", copied: "Copied.", notCopied: "Copying did not work. Select the text and copy it.",
    works: "Works", failing: (since, problem) => `Failing since ${since}${problem ? `: ${problem}` : ""}`, paused: (since, problem) => `Paused since ${since}${problem ? `: ${problem}` : ""}`, problemWas: (problem) => `The last problem: ${problem}`,
    test: "Test", testAsked: "The test is on its way. Its outcome is shown here.", resume: "Resume", pause: "Pause", remove: "Remove", removed: "The channel is removed.", rotate: "New secret", rotateText: "For a day both secrets sign, then only the new one.",
    dead: "Not delivered", deadShow: "Show what was not delivered", deadNone: "Everything was delivered.", deadOf: (n) => `Notification ${n}`, sendAgain: "Send again", sentAgain: "It is sent once more.", attempts: (n) => count(n, "1 attempt", "# attempts"),

    // Calendar
    calendars: "Calendar", calendarsText: "A secret address that calendar programs read. Everybody who knows it sees your days. Programs may be hours late: rely on reminders, not on this.",
    newCalendar: "Make an address", calendarName: "Name", addressTitle: "The address of your calendar", addressText: "It is shown this once. Add it to your calendar program as a subscription.", revoke: "Revoke", revoked: "The address is of no use any more.",
    revokeText: "Programs that read it get nothing from now on.", madeOn: (day) => `Made on ${day}`, noCalendars: "There is no address yet.",
  },
  fields: { answer: "Answer", remindAt: "Time", repeatDays: "Remind again", weeklyOn: "Overview of the week", byMail: "Reminders by mail", leads: "Days ahead", target: "Address", until: "Until" },
  failures: { answerSent: "The answer was sent and cannot be taken back.", until: "This day is too early or too late.", tooManyDays: ({ maximum }) => `At most ${maximum} for each.` },
};
