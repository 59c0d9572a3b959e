// Deutsche Wörter der Erinnerungen, Kanäle und Kalender, mit denselben Schlüsseln wie die englischen.

const count = (n, one, many) => (n === 1 ? one : many.replace("#", String(n)));

export default {
  entities: { reminder: "Erinnerung", reminderSettings: "Erinnerungen", channel: "Kanal" },
  reminders: {
    ofUser: { digest: "Deine Woche", debts: "Schulden" }, endsOn: (day) => `endet am ${day}`, renewalText: (day, price) => `Es verlängert sich am ${day}${price ? ` für ${price}` : ""}. Behalte es oder kündige es vorher.`,
    asksText: (day) => `Es endet am ${day} und verlängert sich nicht von selbst.`, endedText: (day) => `Es ist am ${day} zu Ende gegangen. Du zahlst nichts mehr dafür.`,
    week: (names, more) => `In den nächsten 7 Tagen: ${names}${more > 0 ? ` und ${more} weitere` : ""}.`, debtsText: "Jemand schuldet dir etwas, oder du schuldest jemandem etwas.",

    title: "Erinnerungen", hint: "Wann, woran und ob per E-Mail", text: "Einmal am Tag, zu deiner Uhrzeit, erfährst du, was ansteht.",
    when: "Wann", at: "Uhrzeit", atHint: (place) => `Nach der Uhr in ${place}`, weekly: "Überblick über die Woche", never: "Nie", everyWeek: (day) => `Am ${day}`,
    repeat: "Noch einmal erinnern, wenn ich nicht antworte", repeatNo: "Nein", repeatAfter: (n) => count(n, "Nach 1 Tag", "Nach # Tagen"),
    what: "Woran", onTheDay: "Am Tag selbst", before: (n) => count(n, "1 Tag vorher", "# Tage vorher"), after: (n) => count(n, "1 Tag danach", "# Tage danach"),
    tooMany: (n) => `Höchstens ${n} für jedes.`, silent: "Daran wirst du nicht erinnert.",
    kinds: { renewal: "Eine Verlängerung", cancelBy: "Der letzte Tag zum Kündigen", trial: "Das Ende einer Probezeit", price: "Ein anderer Preis oder andere Bedingungen", ended: "Das Ende eines gekündigten Abos", overdue: "Ein überfälliges Abo", date: "Ein Tag eines Kontakts", debts: "Schulden", digest: "Überblick über die Woche" },
    mail: "Per E-Mail", byMail: "Erinnerungen per E-Mail senden", mailTo: (address) => `An ${address}`, mailUnconfirmed: (address) => `An ${address} wird nichts gesendet, bis die Adresse bestätigt ist.`,
    mailNoAccount: "E-Mails brauchen ein Konto mit bestätigter Adresse.", mailNone: "Dieser Dienst verschickt keine E-Mails.", mailLanguage: "Sprache der E-Mails", asCountry: "Wie das Land",
    ahead: "In den nächsten 30 Tagen", aheadText: "Was du erfährst, wenn sich nichts ändert.", aheadNothing: "In den nächsten 30 Tagen steht nichts an.",
    aheadOf: (day) => `für den ${day}`, needsDevice: "Erinnerungen gibt es, sobald etwas im Dienst gespeichert ist.", more: "Browser, Kanäle und Kalender", moreHint: "Andere Wege, etwas zu erfahren",

    answerTitle: "Erinnerung beantworten", answerText: "Noch ist nichts geschehen. Wähle eine Antwort und sende sie.", answerWhich: "Welche?", answerHow: "Deine Antwort", answerSend: "Antwort senden",
    answerNone: "Es gibt nichts mehr zu beantworten.", answerBad: "Dieser Link ist ungültig oder gilt nicht mehr. Öffne die Erinnerung in der App.", answerCancelBy: (day) => `Kündigen bis ${day}`,
    choices: { keep: "Behalten", cancel: "Ich kündige", renew: "Es ist verlängert", snooze: "Später erinnern", done: "Erledigt" }, until: "Erinnere mich am", another: "Noch eine beantworten",
    given: { keep: "Notiert: Es bleibt.", cancel: "Als gekündigt notiert.", renew: "Als verlängert notiert.", snooze: (day) => `Du wirst am ${day} noch einmal erinnert.`, done: "Erledigt." },
    cancelThere: "Gekündigt wird beim Anbieter selbst:", cancelPage: "Seite des Anbieters öffnen", wasDone: "Es hatte sich vorher geändert, deshalb war nichts mehr zu tun.",

    channels: "Kanäle", channelsText: "Neben der App und der E-Mail.", thisBrowser: "Dieser Browser", pushText: "Der Browser zeigt zu deiner Uhrzeit eine Meldung, auch wenn diese Seite geschlossen ist.",
    pushOn: "In diesem Browser melden", pushOff: "In diesem Browser aufhören", pushIsOn: "Dieser Browser meldet sich.", pushDenied: "Der Browser erlaubt es nicht. Erlaube Mitteilungen dieser Seite in seinen Einstellungen und drücke noch einmal.",
    pushNot: "Dieser Browser kann keine Meldungen dieser Seite zeigen.", pushIPhone: "Auf einem iPhone oder iPad füge die App zuerst zum Startbildschirm hinzu.", pushNoKey: "Der Dienst hat keinen Schlüssel für Browser: Sein Betreiber muss einen setzen.",
    channelKinds: { webpush: "Browser", ntfy: "ntfy", webhook: "Webhook" }, noChannels: "Es gibt noch keinen anderen Kanal.", addChannel: "Kanal hinzufügen", kind: "Art", name: "Name", nameExample: "Auf meinem Handy",
    target: "Adresse", targetHint: { ntfy: "Die Adresse deines Themas, wie https://ntfy.sh/mein-thema", webhook: "Der Dienst sendet dorthin ein signiertes POST (Standard Webhooks)." }, token: "Zugangsschlüssel", tokenHint: "Nur wenn das Thema einen braucht", save: "Hinzufügen",
    secretTitle: "Das Geheimnis dieses Webhooks", secretText: "Es wird nur dieses eine Mal gezeigt. Der Empfänger prüft damit Signaturen.", copy: "Kopieren", copied: "Kopiert.", notCopied: "Das Kopieren ging nicht. Markiere den Text und kopiere ihn.",
    works: "Geht", failing: (since, problem) => `Schlägt fehl seit ${since}${problem ? `: ${problem}` : ""}`, paused: (since, problem) => `Angehalten seit ${since}${problem ? `: ${problem}` : ""}`, problemWas: (problem) => `Das letzte Problem: ${problem}`,
    test: "Testen", testAsked: "Der Test ist unterwegs. Sein Ergebnis erscheint hier.", resume: "Weitermachen", pause: "Anhalten", remove: "Entfernen", removed: "Der Kanal ist entfernt.", rotate: "Neues Geheimnis", rotateText: "Einen Tag lang signieren beide, danach nur das neue.",
    dead: "Nicht zugestellt", deadShow: "Zeigen, was nicht zugestellt wurde", deadNone: "Alles wurde zugestellt.", deadOf: (n) => `Mitteilung ${n}`, sendAgain: "Noch einmal senden", sentAgain: "Sie wird noch einmal gesendet.", attempts: (n) => count(n, "1 Versuch", "# Versuche"),

    calendars: "Kalender", calendarsText: "Eine geheime Adresse, die Kalenderprogramme lesen. Jeder, der sie kennt, sieht deine Tage. Programme können Stunden hinterher sein: Verlass dich auf Erinnerungen, nicht darauf.",
    newCalendar: "Adresse anlegen", calendarName: "Name", addressTitle: "Die Adresse deines Kalenders", addressText: "Sie wird nur dieses eine Mal gezeigt. Füge sie in deinem Kalenderprogramm als Abonnement hinzu.", revoke: "Widerrufen", revoked: "Die Adresse gilt nicht mehr.",
    revokeText: "Programme, die sie lesen, bekommen von jetzt an nichts mehr.", madeOn: (day) => `Angelegt am ${day}`, noCalendars: "Es gibt noch keine Adresse.",
  },
  fields: { answer: "Antwort", remindAt: "Uhrzeit", repeatDays: "Noch einmal erinnern", weeklyOn: "Überblick über die Woche", byMail: "Erinnerungen per E-Mail", leads: "Tage vorher", target: "Adresse", until: "Bis" },
  failures: { answerSent: "Die Antwort ist gesendet und kann nicht zurückgenommen werden.", until: "Dieser Tag ist zu früh oder zu spät.", tooManyDays: ({ maximum }) => `Höchstens ${maximum} für jedes.` },
};
