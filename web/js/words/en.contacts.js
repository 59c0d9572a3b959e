// English words of contacts; the other languages have the same keys.

const count = (n, one, many) => (n === 1 ? one : many.replace("#", String(n)));

export default {
  contacts: {
    // The list
    hint: "People, their numbers, addresses and birthdays", newOne: "New", newTitle: "New contact", search: "Search names, phones, streets, dates",
    searchExample: "Name, phone, street, date", letters: "Letters", lettersOf: (letter) => `Go to ${letter}`, countOf: (n) => count(n, "1 contact", "# contacts"),
    none: "No contacts yet", noneText: "Add a person, or import the vCards of your phone.", nothingFoundText: "Search for a part of a name, a number, a street or a date.",
    tooManyTerms: "Search for at most 8 words with 100 characters in all.", import: "Import vCards", export: "Export vCards",
    duplicates: "Duplicates", duplicatesCount: (n) => count(n, "1 possible duplicate", "# possible duplicates"), deletedCount: (n) => count(n, "1 deleted contact", "# deleted contacts"),

    // One contact
    contact: "Contact", call: "Call", mail: "Mail", map: "Map", mapOf: (address) => `Map of ${address} (opens in a new tab)`, callNumber: (number) => `Call ${number}`, mailTo: (address) => `Write to ${address}`,
    types: { cell: "Mobile", home: "Home", work: "Work", fax: "Fax", other: "Other", birthday: "Birthday", anniversary: "Anniversary" },
    turns: (years) => `turns ${years}`, years: (years) => count(years, "1 year", "# years"), isOver: "over", nothingMore: "There is nothing but the name yet.",
    noSuch: "There is no such contact", isDeleted: "This contact is deleted", deletedSaid: (name) => `${name} is deleted.`, restoredSaid: (name) => `${name} is back.`,
    nothingDeleted: "No contact is deleted",

    // The form
    names: "Name", namesStay: "Names cannot be changed later. Check the spelling before you save.", namesAreFixed: "Names cannot be changed. For another name add a new contact.",
    firstName: "First name", middleName: "Middle name", lastName: "Last name", phones: "Phones", addresses: "Addresses", emails: "E-mails", dates: "Dates", kind: "Kind",
    area: "Area code", number: "Number", whole: "Whole number", wholeExample: "+49…", wholeHint: "With + and the country's code", asParts: "Type area code and number instead", asWhole: "Type it with the country’s code instead",
    digitsMissing: (n) => count(n, "1 digit is missing.", "# digits are missing."), digitsMore: (n) => count(n, "1 digit too many.", "# digits too many."),
    street: "Street and number", apt: "Apartment, floor", city: "City", state: "State or province", zip: "Postal code", country: "Country",
    email: "E-mail", day: "Day", month: "Month", year: "Year", yearHint: "May be left empty", yearly: "Every year", yearlyHint: "If not, it is a single day", remindMe: "Remind me",
    asUsual: "As usual", onTheDay: "On the day", daysBefore: (n) => count(n, "1 day before", "# days before"), note: "Note",
    addPhone: "Add a phone", addAddress: "Add an address", addEmail: "Add an e-mail", addDate: "Add a date", removePart: (what) => `Remove ${what}`,
    save: "Save", saved: (name) => `${name} is saved.`, added: (name) => `${name} is added.`, editTitle: (name) => `Change ${name}`,

    // Duplicates
    duplicatesText: "These may be the same person.", noDuplicates: "No duplicates", noDuplicatesText: "No two contacts have a number or an address in common.",
    reasons: { phone: "Same number", email: "Same e-mail", date: "Same name and date", address: "Same name and address" },
    keepName: "Which name stays?", merge: "Merge", different: "Different people", merged: (name) => `They are one contact now: ${name}. The other one can be restored for 30 days.`,
    differentSaid: "They are not shown here again.", pairOf: (one, other) => `${one} and ${other}`,

    // Import
    importTitle: "Import vCards", importText: "You see first what would change. Nothing is written before.", file: "File (.vcf)", fileHint: "Exported by a phone, Google, iCloud, Outlook or Nextcloud",
    checking: "The cards are being read…", cards: (n) => count(n, "1 card", "# cards"), fresh: (n) => `${n} new`, changed: (n) => `${n} changed`, same: (n) => `${n} the same`, refusedCount: (n) => `${n} not possible`,
    refused: "Not possible", adjusted: "Put elsewhere", card: (n) => `Card ${n}`, fillNames: "Take cards without a first or last name", fillNamesHint: "“?” stands for what is missing",
    importDo: (n) => count(n, "Import 1 card", "Import # cards"), nothingNew: "Nothing of it is new.", imported: (fresh, changed) => `${fresh} added, ${changed} changed.`,
    needsNetwork: "Importing and merging need a connection to the service.",
  },
  fields: { firstName: "First name", middleName: "Middle name", lastName: "Last name", phones: "Phone", addresses: "Address", emails: "E-mail", dates: "Date" },
  failures: {
    noCards: "This file has no vCard.",
    digits: ({ needed, count: n }) => (Number(n) ? `Has ${count(Number(n), "1 digit", "# digits")}; needs ${needed}.` : `Needs ${needed} digits.`),
    wholeNumber: "Write + and the country's code, then up to 15 digits in all.", addressEmpty: "Fill in a street, an apartment, a city, a state or a postal code.", date: "There is no such day. Years are from 1000 to 2999.",
    email: "This is no address such as ada@example.org.", tooManyParts: ({ maximum }) => `At most ${maximum} of them.`, stale: "It was changed meanwhile. Look at it again.",
  },
};
