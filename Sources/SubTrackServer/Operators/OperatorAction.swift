/// An address that changes something, by the button of an operators' page.
struct OperatorAction: Sendable {
    /// The effect, as the end of a sentence: `suspends the tenant acme`.
    let effect: String
    /// The label of the button.
    let button: String
    /// The page with the button.
    let page: String
    /// The command that does the same; nil where there is none.
    let command: String?

    /// The action of an address; nil for a page, and for an address that there is not.
    /// - Parameter path: the segments of the address.
    init?(_ path: [String]) {
        // Another site may lead an operator to any address: only a tenant's name comes into a command to paste.
        guard path.count >= 3, let slug = try? TenantName.checked(slug: path[1]) else { return nil }
        switch (path[0], path.count, path[path.count - 1]) {
        case ("tenants", 3, "suspend"):
            (effect, button) = ("suspends the tenant \(slug)", "Suspend")
            (page, command) = ("/tenants", "subtrackd tenant suspend \(slug)")
        case ("tenants", 3, "resume"):
            (effect, button) = ("lets the tenant \(slug) go on", "Resume")
            (page, command) = ("/tenants", "subtrackd tenant resume \(slug)")
        case ("mails", 4, "retry"):
            (effect, button) = ("has a mail of \(slug) tried now", "Try now")
            (page, command) = ("/mails", nil)
        case ("mails", 4, "remove"):
            (effect, button) = ("removes a mail of \(slug) from the queue", "Remove")
            (page, command) = ("/mails", nil)
        case ("revisions", 4, "check"):
            (effect, button) = ("checks a revision of the catalogue of \(slug)", "Check again")
            (page, command) = (OperatorViews.path(of: path[2], slug), Self.script("check", slug))
        case ("revisions", 4, "apply"):
            (effect, button) = ("applies a revision of the catalogue of \(slug)", "Apply")
            (page, command) = (OperatorViews.path(of: path[2], slug), Self.script("apply", slug))
        case ("revisions", 4, "discard"):
            (effect, button) = ("throws a revision of the catalogue of \(slug) away", "Discard")
            (page, command) = (OperatorViews.path(of: path[2], slug), Self.script("discard", slug))
        default: return nil
        }
    }

    private static func script(_ name: String, _ slug: String) -> String {
        "subtrackd sql --tenant \(slug)   -- then: SET @revision = 'NAME'; source sql/catalog/\(name).sql"
    }
}
