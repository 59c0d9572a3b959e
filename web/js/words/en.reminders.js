// English words of reminders; the other languages have the same keys.

const count = (n, one, many) => (n === 1 ? one : many.replace("#", String(n)));

export default {
  reminders: {
    title: "Reminders", hint: "When, of what, by mail and in your calendar", text: "The service reminds you once a day, at your hour, of everything that is due.",
    when: "When", at: "Time", atHint: (place) => `By the clock in ${place}`, weekly: "Overview of the week", never: "Never",
    everyWeek: (day) => `On ${day}`, repeat: "Remind again if I do not answer", repeatNo: "No", repeatAfter: (n) => count(n, "After 1 day", "After # days"),
    what: "Kinds of reminders", onTheDay: "On the day", before: (n) => count(n, "1 day before", "# days before"), after: (n) => count(n, "1 day after", "# days after"), tooMany: (n) => `At most ${n} for each.`, silent: "The service does not remind you of this.",
    kinds: { renewal: "A renewal", cancelBy: "The last day to cancel", trial: "The end of a free trial", price: "Another price or other terms", ended: "The end of a cancelled subscription", overdue: "An overdue subscription", date: "A date of a contact", digest: "Overview of the week" }, mail: "By mail", byMail: "Send reminders by mail", mailTo: (address) => `To ${address}`, mailUnconfirmed: (address) => `Nothing is sent to ${address} until it is confirmed.`, mailNoAccount: "Mails need an account with a confirmed address.",
    mailNone: "This service sends no mails.", mailRefused: (address) => `The mail server says that there is no mailbox ${address}. No reminders go there.`, mailAgain: "Send them there again", mailLanguage: "Language of mails and calendars", asCountry: "As the country", needsDevice: "Add a subscription or a contact first. Then you choose your reminders here, and make an address for your calendar.", ofUser: { digest: "Your week" },
    answerTitle: "Answer a reminder", answerText: "Nothing has happened yet. Choose an answer and send it.", answerWhich: "Which one?", answerHow: "Your answer",
    answerSend: "Send the answer", answerNone: "There is nothing to answer any more.", answerBad: "This link is not valid, or no longer. Open the reminder in the app.", answerCancelBy: (day) => `Cancel by ${day}`, choices: { keep: "Keep it", cancel: "I cancel it", renew: "It is renewed", snooze: "Remind me later", done: "Done" },
    until: "Remind me on", another: "Answer another one", given: { keep: "Noted: it stays.", cancel: "Noted as cancelled.", renew: "Noted as renewed.", snooze: (day) => `You are reminded again on ${day}.`, done: "Done." }, cancelThere: "The cancelling itself is done at the provider:",
    cancelPage: "Open the provider's page", wasDone: "It had changed before, so there was nothing left to do.",

    // Today
    asOf: (time) => `as of ${time}`, week: (n, sum) => `${count(n, "1 renewal", "# renewals")} in the next seven days, ${sum} in all.`, ends: (day) => `Ends on ${day}`,
    endsText: (day, price) => `It ends on ${day} unless you renew it${price ? ` for ${price}` : ""}.`, endedText: (day) => `It was cancelled and is paid until ${day}.`,

    // Calendars
    calendar: { title: "Calendar", text: "A calendar program reads your renewals, ends of trials, last days to cancel and days of contacts at a secret address. Whoever has the address reads them without a password.", name: "Name", nameHint: "To know it again, for example: my phone", make: "Make an address", address: (name) => `Address of “${name}”`, once: "Copy it now: it is not shown again. In the calendar program choose “Subscribe” or “From URL”, and paste it.", copy: "Copy the address", copied: "The address is copied.", copyYourself: "The browser does not copy it. It is selected: copy it yourself.", another: "Make another one", full: (n) => `${n} addresses are the most. End one that no program reads.`, made: (when) => `Made ${when}`, end: "End", endTitle: (name) => `End “${name}”?`, endText: "The program that reads it gets nothing any more. The address does not come back.", ended: (name) => `${name} is ended. Its address shows nothing any more.`, elsewhere: "In another calendar program", elsewhereHint: "On your phone, for example" },

    // One subscription
    mute: "No reminders", muteHint: "You are told only that it is overdue", muted: "No reminders, only when it is overdue",
  },
  fields: { answer: "Answer", snoozedUntil: "Until", remindAt: "Time", repeatDays: "Remind again", weeklyOn: "Overview of the week", byMail: "Reminders by mail", mailRefused: "Refused address", days: "Days ahead", until: "Until", muted: "No reminders" },
};
