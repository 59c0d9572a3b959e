import Foundation

/// The rights of an account, as SHOW GRANTS of MariaDB and of MySQL lists them.
struct Grants: Sendable {
    /// A line: privileges on one thing.
    struct Grant: Sendable, Equatable {
        /// In capital letters: `SELECT`, `CREATE VIEW`, `ALL PRIVILEGES`.
        let privileges: Set<String>
        /// The pattern of databases as it was granted, `\_` and `%` included; `*` for all.
        let database: String
        /// `*`, or one table.
        let table: String
        let hasGrantOption: Bool
        /// Whether a role gives it. MariaDB lists the grants of a role that is taken, with the role's name and no host.
        var isByRole = false

        /// How many letters of the pattern stand for themselves before the first that does not; all of a name.
        /// Of several patterns that match a database the server takes the one that says most of it, and no other.
        fileprivate var exactness: Int {
            var rest = database[...]
            var count = 0
            while let letter = rest.popFirst() {
                if letter == "\\" {
                    _ = rest.popFirst()
                } else if letter == "%" || letter == "_" {
                    return count
                }
                count += 1
            }
            return Int.max
        }
    }

    let grants: [Grant]
    /// A line that gives something else than privileges on tables.
    enum Other: Sendable, Equatable {
        /// A role, whose privileges are not among ``grants``.
        case role(String)
        /// The right to be somebody else.
        case proxy(String)
        /// Privileges on one procedure or function.
        case routine(privileges: String, kind: String, database: String, name: String)
        /// A line that is not understood.
        case line(String)
    }

    let others: [Other]

    private init(grants: [Grant], others: [Other]) {
        self.grants = grants
        self.others = others
    }

    /// Reads the lines of SHOW GRANTS.
    init(lines: [String]) {
        var grants: [Grant] = []
        var others: [Other] = []
        for line in lines {
            if let grant = Self.grant(line) {
                grants.append(grant)
            } else if let other = Self.other(line) {
                others.append(other)
            }
        }
        self.grants = grants
        self.others = others
    }

    /// The right of a line that is no grant on tables; nil when it gives none.
    private static func other(_ line: String) -> Other? {
        // Which of the roles is taken at sign-in, of those that are in lines of their own.
        if line.hasPrefix("SET DEFAULT ROLE ") { return nil }
        // Takes back a part of another line's grant, where partial_revokes is on.
        if line.hasPrefix("REVOKE ") { return nil }
        guard line.hasPrefix("GRANT "), let to = line.range(of: " TO ", options: .backwards) else { return .line(line) }
        let given = line[line.index(line.startIndex, offsetBy: 6)..<to.lowerBound]
        guard let on = given.firstRange(of: " ON ") else { return .role(String(given)) }
        let privileges = String(given[..<on.lowerBound])
        var object = given[on.upperBound...]
        if privileges.uppercased() == "PROXY" { return .proxy(String(object)) }
        for kind in ["PROCEDURE", "FUNCTION", "PACKAGE BODY", "PACKAGE"] where object.hasPrefix(kind + " ") {
            object.removeFirst(kind.count + 1)
            guard let database = name(&object), object.popFirst() == ".", let routine = name(&object) else { break }
            return .routine(privileges: privileges, kind: kind, database: database, name: routine)
        }
        return .line(line)
    }

    /// Other rights than those on tables that reach beyond the service's databases, or may.
    func otherExcess(control: String) -> [Other] {
        others.filter { other in
            guard case .routine(_, _, let database, _) = other else { return true }
            return !Self.stays(database, within: control)
        }
    }

    private static func grant(_ line: String) -> Grant? {
        guard line.hasPrefix("GRANT "), let on = line.firstRange(of: " ON ") else { return nil }
        var rest = line[on.upperBound...]
        guard let database = name(&rest), rest.first == "." else { return nil }
        rest.removeFirst()
        guard let table = name(&rest), rest.hasPrefix(" TO ") else { return nil }
        let listed = line[line.index(line.startIndex, offsetBy: 6)..<on.lowerBound]
        guard listed.uppercased() != "PROXY" else { return nil }
        // Privileges on columns have their names in brackets.
        var privileges: Set<String> = []
        var depth = 0
        var word = ""
        for letter in listed + "," {
            switch letter {
            case "(": depth += 1
            case ")": depth -= 1
            case "," where depth == 0:
                privileges.insert(word.trimmingSpaces().uppercased())
                word = ""
            default: if depth == 0 { word.append(letter) }
            }
        }
        return Grant(
            privileges: privileges, database: database, table: table,
            hasGrantOption: rest.contains("WITH GRANT OPTION"), isByRole: !rest.contains("@"))
    }

    /// Takes `*`, a quoted or an unquoted name from the beginning of a text.
    private static func name(_ rest: inout Substring) -> String? {
        guard let quote = rest.first, quote == "`" || quote == "\"" else {
            let end = rest.firstIndex { $0 == "." || $0 == " " } ?? rest.endIndex
            defer { rest = rest[end...] }
            return rest[..<end].isEmpty ? nil : String(rest[..<end])
        }
        rest.removeFirst()
        var name = ""
        while let letter = rest.popFirst() {
            guard letter == quote else {
                name.append(letter)
                continue
            }
            guard rest.first == quote else { return name }
            rest.removeFirst()
            name.append(quote)
        }
        return nil
    }

    /// Whether a pattern of GRANT matches a name: `_` is any letter and `%` any text, unless `\` stands before.
    static func matches(_ pattern: String, _ name: String) -> Bool {
        if pattern == "*" { return true }
        func match(_ pattern: Substring, _ name: Substring) -> Bool {
            guard let first = pattern.first else { return name.isEmpty }
            let rest = pattern.dropFirst()
            switch first {
            case "%": return (0...name.count).contains { match(rest, name.dropFirst($0)) }
            case "_": return !name.isEmpty && match(rest, name.dropFirst())
            case "\\" where !rest.isEmpty: return name.first == rest.first && match(rest.dropFirst(), name.dropFirst())
            default: return name.first == first && match(rest, name.dropFirst())
            }
        }
        return match(pattern[...], name[...])
    }

    /// The privileges that are missing on a database.
    /// - Parameters:
    ///   - arePatternsNames: whether a pattern is the name of one database (`partial_revokes`).
    ///   - countsRoles: whether the grants of a role count. They do not for triggers and views, which run without it.
    func missing(
        _ wanted: [String], on database: String, arePatternsNames: Bool = false, countsRoles: Bool = true
    ) -> [String] {
        func isOn(_ grant: Grant) -> Bool {
            guard arePatternsNames, grant.database != "*" else { return Self.matches(grant.database, database) }
            return grant.database == database
        }
        let matching = grants.filter { $0.table == "*" && isOn($0) && (countsRoles || !$0.isByRole) }
        // One line counts for each account and role (the server reference's chapters on GRANT), beside those on all databases.
        let most = Dictionary(
            matching.filter { $0.database != "*" }.map { ($0.isByRole, $0.exactness) }, uniquingKeysWith: max)
        let there = matching.filter { $0.database == "*" || $0.exactness == most[$0.isByRole] }
            .reduce(into: Set<String>()) { $0.formUnion($1.privileges) }
        if there.contains("ALL PRIVILEGES") || there.contains("ALL") { return [] }
        return wanted.filter { !there.contains($0) }
    }

    /// Whether a privilege is there on all databases.
    func hasGlobal(_ privilege: String) -> Bool {
        grants.contains {
            $0.database == "*"
                && ($0.privileges.contains(privilege) || $0.privileges.contains("ALL PRIVILEGES"))
        }
    }

    /// The rights that are left once some grants are taken back.
    private func without(_ taken: [Grant]) -> Grants {
        Grants(grants: grants.filter { !taken.contains($0) }, others: others)
    }

    /// The statements that are wanted before grants are taken back, in place of which the account would have too few rights.
    func wantedBefore(
        taking taken: [Grant], control: String, isMigrator: Bool, account: String
    ) -> [String] {
        let wanted = isMigrator ? GrantStatements.migrator : GrantStatements.service
        let rest = without(taken)
        return zip([control, control + "_zz"], GrantStatements.patterns(control: control)).compactMap {
            database, pattern in
            let missing = rest.missing(wanted, on: database, countsRoles: !isMigrator)
            guard !missing.isEmpty else { return nil }
            return "GRANT \(missing.joined(separator: ", ")) ON `\(pattern)`.* TO \(account);"
        }
    }

    /// Grants that reach beyond a control database and those of its tenants.
    func excess(control: String) -> [Grant] {
        grants.filter { grant in
            if grant.privileges == ["USAGE"], !grant.hasGrantOption { return false }
            return grant.hasGrantOption || !Self.stays(grant.database, within: control)
        }
    }

    /// Whether all names that a pattern matches are the control database's or begin with it and a `_`.
    static func stays(_ pattern: String, within control: String) -> Bool {
        var literal = ""
        var rest = pattern[...]
        var isWhole = true
        while let letter = rest.popFirst() {
            if letter == "\\", let next = rest.popFirst() {
                literal.append(next)
            } else if letter == "%" || letter == "_" || letter == "*" {
                isWhole = false
                break
            } else {
                literal.append(letter)
            }
        }
        return literal.hasPrefix(control + "_") || (isWhole && literal == control)
    }
}

/// The statements that give the service's accounts the rights that they need, and no others.
public enum GrantStatements {
    /// The rights of the service: on rows.
    static let service = ["SELECT", "INSERT", "UPDATE", "DELETE"]
    /// The rights of the migrator: on tables, triggers and views as well.
    static let migrator =
        service + [
            "CREATE", "ALTER", "DROP", "INDEX", "REFERENCES", "TRIGGER", "CREATE VIEW", "SHOW VIEW", "LOCK TABLES",
        ]

    /// The patterns of the control database and those of its tenants, as GRANT wants them. An underscore without an escape
    /// would stand for any letter, and open other people's databases.
    static func patterns(control: String) -> [String] {
        let escaped = control.replacing("_", with: "\\_")
        return [escaped, escaped + "\\_%"]
    }

    /// GRANTs for an account.
    /// - Parameter account: as `'subtrackit'@'%'`.
    public static func statements(isMigrator: Bool, control: String, account: String) -> [String] {
        let privileges = (isMigrator ? migrator : service).joined(separator: ", ")
        return patterns(control: control).map { "GRANT \(privileges) ON `\($0)`.* TO \(account);" }
    }
}
