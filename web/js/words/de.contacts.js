// Deutsche Wörter der Kontakte, mit denselben Schlüsseln wie die englischen.

const count = (n, one, many) => (n === 1 ? one : many.replace("#", String(n)));

export default {
  contacts: {
    hint: "Menschen, ihre Nummern, Adressen und Geburtstage", newOne: "Neu", newTitle: "Neuer Kontakt", search: "Namen, Nummern, Straßen, Tage suchen",
    searchExample: "Name, Nummer, Straße, Tag", letters: "Buchstaben", lettersOf: (letter) => `Zu ${letter}`, countOf: (n) => count(n, "1 Kontakt", "# Kontakte"),
    none: "Noch keine Kontakte", noneText: "Füge einen Menschen hinzu, oder importiere die vCards deines Telefons.", nothingFoundText: "Suche nach einem Teil eines Namens, einer Nummer, einer Straße oder eines Tages.",
    tooManyTerms: "Suche nach höchstens 8 Wörtern mit zusammen 100 Zeichen.", import: "vCards importieren", export: "vCards exportieren",
    duplicates: "Doppelte", duplicatesCount: (n) => count(n, "1 vielleicht doppelter Kontakt", "# vielleicht doppelte Kontakte"), deletedCount: (n) => count(n, "1 gelöschter Kontakt", "# gelöschte Kontakte"),
    contact: "Kontakt", call: "Anrufen", mail: "Schreiben", map: "Karte", mapOf: (address) => `Karte von ${address} (öffnet einen neuen Tab)`, callNumber: (number) => `${number} anrufen`, mailTo: (address) => `An ${address} schreiben`,
    types: { cell: "Mobil", home: "Privat", work: "Arbeit", fax: "Fax", other: "Anderes", birthday: "Geburtstag", anniversary: "Jahrestag" },
    turns: (years) => `wird ${years}`, years: (years) => count(years, "1 Jahr", "# Jahre"), isOver: "vorbei", nothingMore: "Hier steht erst der Name.",
    noSuch: "Diesen Kontakt gibt es nicht", isDeleted: "Dieser Kontakt ist gelöscht", deletedSaid: (name) => `${name} ist gelöscht.`, restoredSaid: (name) => `${name} ist wieder da.`,
    nothingDeleted: "Kein Kontakt ist gelöscht",
    names: "Name", namesStay: "Namen lassen sich später nicht ändern. Prüfe die Schreibweise vor dem Speichern.", namesAreFixed: "Namen lassen sich nicht ändern. Lege für einen anderen Namen einen neuen Kontakt an.",
    firstName: "Vorname", middleName: "Zweiter Vorname", lastName: "Nachname", phones: "Telefon", addresses: "Adressen", emails: "E-Mail", dates: "Tage", kind: "Art",
    area: "Vorwahl", number: "Nummer", whole: "Ganze Nummer", wholeExample: "+49…", wholeHint: "Mit + und der Landesvorwahl", asParts: "Stattdessen Vorwahl und Nummer", asWhole: "Stattdessen mit Landesvorwahl",
    digitsMissing: (n) => count(n, "1 Ziffer fehlt.", "# Ziffern fehlen."), digitsMore: (n) => count(n, "1 Ziffer zu viel.", "# Ziffern zu viel."),
    street: "Straße und Hausnummer", apt: "Wohnung, Stock", city: "Ort", state: "Bundesland oder Provinz", zip: "Postleitzahl", country: "Land",
    email: "E-Mail", day: "Tag", month: "Monat", year: "Jahr", yearHint: "Darf leer bleiben", yearly: "Jedes Jahr", yearlyHint: "Sonst ist es ein einzelner Tag", remindMe: "Erinnern",
    asUsual: "Wie sonst", onTheDay: "Am Tag selbst", daysBefore: (n) => count(n, "1 Tag vorher", "# Tage vorher"), note: "Notiz",
    addPhone: "Nummer hinzufügen", addAddress: "Adresse hinzufügen", addEmail: "E-Mail hinzufügen", addDate: "Tag hinzufügen", removePart: (what) => `${what} entfernen`,
    save: "Speichern", saved: (name) => `${name} ist gespeichert.`, added: (name) => `${name} ist hinzugefügt.`, editTitle: (name) => `${name} ändern`,
    duplicatesText: "Das ist vielleicht derselbe Mensch.", noDuplicates: "Keine doppelten", noDuplicatesText: "Keine zwei Kontakte haben eine Nummer oder eine Adresse gemeinsam.",
    reasons: { phone: "Gleiche Nummer", email: "Gleiche E-Mail", date: "Gleicher Name und Tag", address: "Gleicher Name und gleiche Adresse" },
    keepName: "Welcher Name bleibt?", merge: "Zusammenlegen", different: "Verschiedene Menschen", merged: (name) => `Sie sind jetzt ein Kontakt: ${name}. Der andere lässt sich 30 Tage lang wiederherstellen.`,
    differentSaid: "Sie werden hier nicht mehr gezeigt.", pairOf: (one, other) => `${one} und ${other}`,
    importTitle: "vCards importieren", importText: "Du siehst zuerst, was sich ändern würde. Vorher wird nichts geschrieben.", file: "Datei (.vcf)", fileHint: "Aus einem Telefon, Google, iCloud, Outlook oder Nextcloud",
    checking: "Die Karten werden gelesen …", cards: (n) => count(n, "1 Karte", "# Karten"), fresh: (n) => `${n} neu`, changed: (n) => `${n} geändert`, same: (n) => `${n} gleich`, refusedCount: (n) => `${n} nicht möglich`,
    refused: "Nicht möglich", adjusted: "Anderswo abgelegt", card: (n) => `Karte ${n}`, fillNames: "Karten ohne Vor- oder Nachnamen nehmen", fillNamesHint: "„?“ steht für das, was fehlt",
    importDo: (n) => count(n, "1 Karte importieren", "# Karten importieren"), nothingNew: "Nichts davon ist neu.", imported: (fresh, changed) => `${fresh} hinzugefügt, ${changed} geändert.`,
    needsNetwork: "Importieren und Zusammenlegen brauchen eine Verbindung zum Dienst.",
  },
  fields: { firstName: "Vorname", middleName: "Zweiter Vorname", lastName: "Nachname", phones: "Telefon", addresses: "Adresse", emails: "E-Mail", dates: "Tag" },
  failures: {
    noCards: "Diese Datei hat keine vCard.",
    digits: ({ needed, count: n }) => (Number(n) ? `Hat ${count(Number(n), "1 Ziffer", "# Ziffern")}; braucht ${needed}.` : `Braucht ${needed} Ziffern.`),
    wholeNumber: "Schreibe + und die Landesvorwahl, insgesamt bis zu 15 Ziffern.", addressEmpty: "Fülle Straße, Wohnung, Ort, Bundesland oder Postleitzahl aus.", date: "Diesen Tag gibt es nicht. Jahre gehen von 1000 bis 2999.",
    email: "Das ist keine Adresse wie ada@example.org.", tooManyParts: ({ maximum }) => `Höchstens ${maximum} davon.`, stale: "Es wurde inzwischen geändert. Sieh es dir noch einmal an.",
  },
};
