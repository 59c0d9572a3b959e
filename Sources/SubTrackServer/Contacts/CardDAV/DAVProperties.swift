import SubTrackAPI
import SubTrackCore

/// The properties of the places below `/dav/`.
struct DAVProperties {
    typealias Name = DAVElement.Name
    typealias Value = (name: Name, content: String)

    /// The properties that a request asks for; nil: all that are usual.
    let wanted: [Name]?
    /// Whether names alone are wanted.
    var namesOnly = false

    /// How many properties a request may name: the names of those that are missing are in the answer, for each card.
    static let maximumCount = 100

    /// The properties that `PROPFIND` or `REPORT` names.
    /// - Throws: `input_invalid` where they are too many.
    init(_ request: DAVElement?) throws(Problem) {
        if let prop = request?.child(DAV.space, "prop") {
            guard prop.children.count <= Self.maximumCount else {
                throw Problem(.inputInvalid, "A request may name \(Self.maximumCount) properties.")
            }
            wanted = prop.children.map(\.name)
        } else {
            wanted = nil
            namesOnly = request?.child(DAV.space, "propname") != nil
        }
    }

    /// Those of all properties that are wanted, and those that are wanted and not there.
    /// - Parameter all: the properties of the place.
    func select(_ all: [Value]) -> (found: [Value], missing: [Name]) {
        guard let wanted else { return (namesOnly ? all.map { ($0.name, "") } : all, []) }
        var (found, missing): ([Value], [Name]) = ([], [])
        for name in wanted {
            if let value = all.first(where: { $0.name == name }) { found.append(value) } else { missing.append(name) }
        }
        return (found, missing)
    }

    static func dav(_ local: String) -> Name { Name(space: DAV.space, local: local) }
    static func card(_ local: String) -> Name { Name(space: DAV.cards, local: local) }

    private static func href(_ path: DAVPath, _ base: String) -> String {
        "<d:href>\(DAV.escaped(path.href(base)))</d:href>"
    }

    /// The properties of a collection, the home or the root.
    /// - Parameter token: the sync token of the user's contacts.
    static func collection(_ path: DAVPath, user: DAVPath, base: String, token: String) -> [Value] {
        var values: [Value] = [(dav("current-user-principal"), href(user, base)), (dav("owner"), href(user, base))]
        let rights = ["read", "write", "write-content", "bind", "unbind", "read-current-user-privilege-set"]
        values.append(
            (
                dav("current-user-privilege-set"),
                rights.map { "<d:privilege><d:\($0)/></d:privilege>" }.joined()
            ))
        switch path {
        case .root: values.append((dav("resourcetype"), "<d:collection/>"))
        case .home:
            values += [
                (dav("resourcetype"), "<d:collection/><d:principal/>"), (dav("displayname"), "SubTrackIt"),
                (dav("principal-URL"), href(user, base)), (card("addressbook-home-set"), href(user, base)),
            ]
        case .collection, .card:
            let reports = ["<c:addressbook-multiget/>", "<c:addressbook-query/>", "<d:sync-collection/>"]
            values += [
                (dav("resourcetype"), "<d:collection/><c:addressbook/>"), (dav("displayname"), "Contacts"),
                (dav("sync-token"), token), (Name(space: DAV.calendarServer, local: "getctag"), token),
                (
                    dav("supported-report-set"),
                    reports.map { "<d:supported-report><d:report>\($0)</d:report></d:supported-report>" }.joined()
                ),
                (card("supported-address-data"), #"<c:address-data-type content-type="text/vcard" version="3.0"/>"#),
                (card("max-resource-size"), String(VCardReader.maximumCardBytes)),
            ]
        }
        return values
    }

    /// The properties of a card.
    /// - Parameter text: its text, where that is asked for.
    static func card(tag: String, text: String?) -> [Value] {
        var values: [Value] = [
            (dav("getetag"), DAV.escaped(tag)), (dav("getcontenttype"), "text/vcard; charset=utf-8"),
            (dav("resourcetype"), ""),
        ]
        if let text {
            values.append((dav("getcontentlength"), String(text.utf8.count)))
            values.append((card("address-data"), DAV.escaped(text)))
        }
        return values
    }

    /// Whether the text of cards is needed for the answer.
    var needsText: Bool {
        wanted?.contains { $0 == Self.card("address-data") || $0 == Self.dav("getcontentlength") } ?? false
    }
}
