// Deutsche Wörter der Erinnerungen, mit denselben Schlüsseln wie die englischen.

const count = (n, one, many) => (n === 1 ? one : many.replace("#", String(n)));

export default {
  reminders: {
    title: "Erinnerungen", hint: "Wann, woran und ob per E-Mail", text: "Der Dienst erinnert dich einmal am Tag, zu deiner Uhrzeit, an alles, was ansteht.",
    when: "Wann", at: "Uhrzeit", atHint: (place) => `Nach der Uhr in ${place}`, weekly: "Überblick über die Woche", never: "Nie",
    everyWeek: (day) => `Am ${day}`, repeat: "Noch einmal erinnern, wenn ich nicht antworte", repeatNo: "Nein", repeatAfter: (n) => count(n, "Nach 1 Tag", "Nach # Tagen"),
    what: "Woran", onTheDay: "Am Tag selbst", before: (n) => count(n, "1 Tag vorher", "# Tage vorher"), after: (n) => count(n, "1 Tag danach", "# Tage danach"), tooMany: (n) => `Höchstens ${n} für jedes.`, silent: "Daran wirst du nicht erinnert.",
    kinds: { renewal: "Eine Verlängerung", cancelBy: "Der letzte Tag zum Kündigen", trial: "Das Ende einer Probezeit", price: "Ein anderer Preis oder andere Bedingungen", ended: "Das Ende eines gekündigten Abos", overdue: "Ein überfälliges Abo", date: "Ein Tag eines Kontakts", digest: "Überblick über die Woche" }, mail: "Per E-Mail", byMail: "Erinnerungen per E-Mail senden", mailTo: (address) => `An ${address}`, mailUnconfirmed: (address) => `An ${address} wird nichts gesendet, bis die Adresse bestätigt ist.`, mailNoAccount: "E-Mails brauchen ein Konto mit bestätigter Adresse.",
    mailNone: "Dieser Dienst verschickt keine E-Mails.", mailRefused: (address) => `Der Mailserver sagt, dass es das Postfach ${address} nicht gibt. Es gehen keine Erinnerungen dorthin.`, mailAgain: "Wieder dorthin senden", mailLanguage: "Sprache der E-Mails", asCountry: "Wie das Land", needsDevice: "Erinnerungen gibt es, sobald etwas im Dienst gespeichert ist.", ofUser: { digest: "Deine Woche" },
    answerTitle: "Erinnerung beantworten", answerText: "Noch ist nichts geschehen. Wähle eine Antwort und sende sie.", answerWhich: "Welche?", answerHow: "Deine Antwort",
    answerSend: "Antwort senden", answerNone: "Es gibt nichts mehr zu beantworten.", answerBad: "Dieser Link ist ungültig oder gilt nicht mehr. Öffne die Erinnerung in der App.", answerCancelBy: (day) => `Kündigen bis ${day}`, choices: { keep: "Behalten", cancel: "Ich kündige", renew: "Es ist verlängert", snooze: "Später erinnern", done: "Erledigt" },
    until: "Erinnere mich am", another: "Noch eine beantworten", given: { keep: "Notiert: Es bleibt.", cancel: "Als gekündigt notiert.", renew: "Als verlängert notiert.", snooze: (day) => `Du wirst am ${day} noch einmal erinnert.`, done: "Erledigt." }, cancelThere: "Gekündigt wird beim Anbieter selbst:",
    cancelPage: "Seite des Anbieters öffnen", wasDone: "Es hatte sich vorher geändert, deshalb war nichts mehr zu tun.",
    asOf: (time) => `Stand ${time}`, week: (n, sum) => `${count(n, "1 Verlängerung", "# Verlängerungen")} in den nächsten sieben Tagen, zusammen ${sum}.`, ends: (day) => `Endet: ${day}`,
    endsText: (day, price) => `Es endet am ${day}, wenn du es nicht${price ? ` für ${price}` : ""} verlängerst.`, endedText: (day) => `Es ist gekündigt und bis ${day} bezahlt.`,
    calendar: { title: "Kalender", text: "Ein Kalenderprogramm liest deine Verlängerungen, letzten Tage zum Kündigen und Tage von Kontakten an einer geheimen Adresse. Wer sie kennt, liest mit.", name: "Name", nameHint: "Damit du ihn wiedererkennst, zum Beispiel: mein Telefon", make: "Adresse anlegen", address: "Adresse", once: "Sie ist nur jetzt zu sehen. Füge sie im Kalenderprogramm als abonnierten Kalender hinzu.", copy: "Adresse kopieren", copied: "Die Adresse ist kopiert.", made: (when) => `Angelegt ${when}`, end: "Beenden", ended: (name) => `${name} ist beendet. Die Adresse zeigt nichts mehr.` },
    mute: "Keine Erinnerungen", muteHint: "Du erfährst nur, wenn es überfällig ist", muted: "Keine Erinnerungen, nur wenn es überfällig ist",
  },
  fields: { answer: "Antwort", snoozedUntil: "Bis", remindAt: "Uhrzeit", repeatDays: "Noch einmal erinnern", weeklyOn: "Überblick über die Woche", byMail: "Erinnerungen per E-Mail", mailRefused: "Abgelehnte Adresse", days: "Tage vorher", until: "Bis", muted: "Keine Erinnerungen" },
};
