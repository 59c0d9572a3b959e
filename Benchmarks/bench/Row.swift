import Foundation

/// A request that is measured.
struct Row: Sendable {
    /// What it is called on the command line.
    let name: String
    /// What it is, in words.
    let title: String
    var method = "GET"
    /// `{subscription}` is a subscription of the user's.
    let path: String
    /// `{fresh}` is a random id.
    var body = ""
    /// How it is measured.
    var kind = Kind.request
    /// Whether it writes: then other users send it than those whose rows are read, and its rows are removed afterwards.
    var writes = false
    /// The method by which the same is asked for on the plain socket; nil: by HTTP.
    var socketMethod: String?
    /// Whether the caller has the answer already and says so (`If-None-Match`).
    var isConditional = false
    /// Whether the service is to remember no lists (`--list-memory 0`).
    var remembersNothing = false
    /// Whether the floor reads the list's rows even where the service is answered from memory: its statements are those of a
    /// service that remembers nothing.
    var isFloorOfRows = false
    /// Over how many tenants it is spread.
    var tenants: Int?
    /// One user sends it who has so many subscriptions, one of which has changed.
    var among: Int?

    /// Whether the path has `{cursor}`: up to where the caller has pulled.
    var needsCursor: Bool { path.contains("{cursor}") }

    /// All that can be measured.
    static let all = [
        Row(
            name: "list", title: "A user's list of ten subscriptions, asked for again and again",
            path: "/v1/subscriptions", isFloorOfRows: true),
        Row(
            name: "list-anew", title: "The same list of a service that remembers nothing", path: "/v1/subscriptions",
            remembersNothing: true, isFloorOfRows: true),
        Row(
            name: "socket", title: "The same list on the plain socket, sixteen requests of a connection on their way",
            path: "/v1/subscriptions", socketMethod: "subscriptions.list", isFloorOfRows: true),
        Row(
            name: "socket-anew", title: "The same of a service that remembers nothing",
            path: "/v1/subscriptions", socketMethod: "subscriptions.list", remembersNothing: true, isFloorOfRows: true),
        Row(name: "get", title: "One subscription by its id", path: "/v1/subscriptions/{subscription}"),
        Row(name: "empty", title: "An answer without the database", path: "/v1"),
        Row(
            name: "create", title: "Adding a subscription, durably", method: "POST", path: "/v1/subscriptions",
            body: #"{"id":"{fresh}","planId":17,"label":"\#(Row.label)"}"#, writes: true),
        Row(name: "sign-in", title: "Sign-ins beside OpenSSL's own hashes", path: "/v1/sessions", kind: .signIn),
        Row(
            name: "reads-while-sign-ins", title: "Lists while sign-ins take all that they may",
            path: "/v1/subscriptions", kind: .readsWhileSignIns),
        Row(
            name: "unchanged", title: "A user's list that has not changed (304)", path: "/v1/subscriptions",
            isConditional: true),
        Row(name: "pull", title: "A pull with nothing new", path: "/v1/changes?cursor={cursor}"),
        Row(
            name: "change-100", title: "A pull of one change among 100 subscriptions",
            path: "/v1/changes?cursor={cursor}", among: 100),
        Row(
            name: "change-10000", title: "A pull of one change among 10,000 subscriptions",
            path: "/v1/changes?cursor={cursor}", among: 10_000),
        Row(
            name: "idle-sockets", title: "10,000 WebSockets that nothing happens on", path: "/v1/live",
            kind: .sockets(10_000, areTold: false)),
        Row(
            name: "poke", title: "1,000 WebSockets that are told of a change", path: "/v1/live",
            kind: .sockets(1_000, areTold: true)),
        Row(
            name: "plans-unchanged", title: "A country's plans that have not changed (304)",
            path: "/v1/plans?country=US&limit=200", isConditional: true),
        Row(
            name: "worst-input", title: "Hostile inputs of up to 1 MiB, and what another client feels of them",
            path: "/v1/changes", kind: .worstInput),
        Row(
            name: "web-file", title: "The web app's first script, beside /healthz of the same service",
            path: "/app/{build}/js/app.js", kind: .webFile),
        Row(name: "plans-single", title: "Plans typed one by one, each durable", path: "", kind: .catalogue),
        Row(name: "plans-staged", title: "100,000 plans loaded into the staging table", path: "", kind: .catalogue),
        Row(name: "plans-applied", title: "100,000 plans applied, country by country", path: "", kind: .catalogue),
        Row(
            name: "contact-search", title: "A search among a user's 10,000 contacts, beside 90,000 of others",
            path: "/v1/contacts", kind: .contactSearch),
        Row(
            name: "contact-insert", title: "Contacts with four parts each, 500 in a transaction", path: "",
            kind: .contactInsert),
        Row(
            name: "tenants-100", title: "A user's list in one of 100 tenants, beside the same in one",
            path: "/t/{tenant}/v1/subscriptions", kind: .tenants, tenants: 100),
        Row(
            name: "tenants-1000", title: "A user's list in one of 1,000 tenants, beside the same in one",
            path: "/t/{tenant}/v1/subscriptions", kind: .tenants, tenants: 1_000),
        Row(
            name: "tenants-100-anew", title: "The same of 100 tenants of a service that remembers nothing",
            path: "/t/{tenant}/v1/subscriptions", kind: .tenants, remembersNothing: true, tenants: 100),
        Row(
            name: "tenants-1000-anew", title: "The same of 1,000 tenants of a service that remembers nothing",
            path: "/t/{tenant}/v1/subscriptions", kind: .tenants, remembersNothing: true, tenants: 1_000),
    ]

    /// What a row is measured beside.
    enum Kind: Sendable {
        /// The database's statements and the HTTP server alone.
        case request
        /// The hashes that OpenSSL makes in the same time on as many threads.
        case signIn
        /// Itself, without sign-ins.
        case readsWhileSignIns
        /// So many sockets of a server that does nothing but hold them, and tell them something.
        case sockets(Int, areTold: Bool)
        /// Goals: an answer within a second, another client's within a quarter of one.
        case worstInput
        /// `/healthz` of the same service. The goal: at most 1.2 of its processor time.
        case webFile
        /// The same SQL on tables without triggers.
        case catalogue
        /// Itself, with nobody else's contacts.
        case contactSearch
        /// The same SQL on tables without triggers.
        case contactInsert
        /// Itself, with all users in one tenant.
        case tenants
    }

    /// Whether it is measured on the database of many users.
    var needsUsers: Bool {
        switch kind {
        case .worstInput, .webFile: false
        default: true
        }
    }

    /// Marks the rows that are written, so that they can be removed.
    static let label = "benchmark"
}

/// The user whose requests are watched, as `data/probe.sql` makes it: ids of plain ASCII.
enum Probe {
    static let user = "the probing user"
    static let subscription = "subscription noa"
    /// The user who has so many subscriptions, up to 99999.
    static func user(having count: Int) -> String { "having " + String(format: "%09d", count) }
    /// Ids of subscriptions that it adds; the last one is watched. They are UUIDs (version 4, the variant of RFC 9562) and
    /// UTF-8 at once, for the server's log of statements holds text.
    static let fresh = ["new idN\u{E9} probe1", "new idN\u{E9} probe2", "new idN\u{E9} probe3"]

    /// The text of the UUID that has these sixteen bytes.
    static func uuid(_ ascii: String) -> String {
        let hex = hexadecimal(ascii)
        let ends = [8, 12, 16, 20, 32]
        var start = 0
        return ends.map { end in
            defer { start = end }
            return String(hex.dropFirst(start).prefix(end - start))
        }.joined(separator: "-")
    }

    static func hexadecimal(_ ascii: String) -> String {
        ascii.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
