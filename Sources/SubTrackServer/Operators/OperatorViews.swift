import SubTrackAPI

/// The operators' pages as HTML: tables and forms, no script.
struct OperatorViews: Sendable {
    /// The process's token, in each form.
    let token: String

    /// How many rows a table shows.
    static let limit = 200

    /// A page with the navigation.
    func page(_ title: String, _ content: HTML, message: String? = nil) -> String {
        let links = [("/", "Health"), ("/tenants", "Tenants"), ("/mails", "Mails"), ("/revisions", "Revisions")].map {
            (path, name) -> HTML in
            name == title
                ? "<a href=\"\(path)\" aria-current=\"page\">\(name)</a> " : "<a href=\"\(path)\">\(name)</a> "
        }
        let note: HTML = message.map { "<p role=\"status\">\($0)</p>" } ?? .empty
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title) · SubTrackIt operators</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
            <link rel="stylesheet" href="/operators.css"></head>
            <body><header><nav aria-label="Pages">\(links)</nav></header>
            <main><h1>\(title)</h1>
            \(note)\(content)
            </main></body></html>

            """
        return page.text
    }

    /// A button that does something, as a form of its own.
    private func button(_ action: String, _ label: String) -> HTML {
        """
        <form method="post" action="\(action)"><input type="hidden" name="token" value="\(token)">\
        <button>\(label)</button></form>
        """
    }

    /// A button that is hidden behind a question.
    private func button(_ action: String, _ label: String, after question: String) -> HTML {
        "<details><summary>\(label)…</summary><p>\(question)</p>\(button(action, label))</details>"
    }

    /// The answer to a browser that opens the address of a button.
    func explanation(of action: OperatorAction) -> HTML {
        let command: HTML = action.command.map { "<p>By command: <code>\($0)</code></p>" } ?? .empty
        return """
            <p>This address \(action.effect). It takes POST alone, so that no link can do that.</p>
            <p>Use the button “\(action.button)” on <a href="\(action.page)">this page</a>: its form carries the token that the
            address wants.</p>
            \(command)
            """
    }

    private func table(_ caption: String, _ heads: [String], _ rows: [[HTML]]) -> HTML {
        guard !rows.isEmpty else { return "<p>\(caption): none.</p>\n" }
        let head = heads.map { text -> HTML in "<th scope=\"col\">\(text)</th>" }
        let body = rows.map { row -> HTML in "<tr>\(row.map { cell -> HTML in "<td>\(cell)</td>" })</tr>\n" }
        return """
            <div class="table"><table><caption>\(caption)</caption><thead><tr>\(head)</tr></thead><tbody>
            \(body)</tbody></table></div>

            """
    }

    // MARK: Pages

    /// Whether the service can do its work.
    func health(_ reason: String?, version: String, now: Instant, tenants: Int?) -> HTML {
        let state: HTML = reason.map { "<strong>Not ready</strong>: \($0)." } ?? "Ready."
        let count: HTML = tenants.map { "\($0)" } ?? "not known"
        return """
            <dl><dt>State</dt><dd>\(state)</dd><dt>Version</dt><dd>\(version)</dd><dt>Time</dt><dd>\(now)</dd>
            <dt>Tenants that are served</dt><dd>\(count)</dd></dl>
            <p><a href="/readyz">/readyz</a>, <a href="/metrics">/metrics</a></p>
            """
    }

    func tenants(_ list: [TenantSummary]) -> HTML {
        table(
            "Tenants", ["Name", "Hosts", "Status", "Server", "Since", ""],
            list.map { tenant in
                let server: HTML = tenant.server.map { "\($0)" } ?? "the control database's"
                let action =
                    tenant.status == .suspended
                    ? button("/tenants/\(tenant.slug)/resume", "Resume")
                    : button(
                        "/tenants/\(tenant.slug)/suspend", "Suspend",
                        after: "Its people are answered 403 until it is resumed. Nothing is deleted.")
                return [
                    "\(tenant.slug)", "\(tenant.hosts.joined(separator: ", "))", "\(tenant.status.rawValue)", server,
                    "\(tenant.createdAt)", action,
                ]
            })
    }

    func mails(_ mails: [OperatorQueries.Mail], of slug: String) -> HTML {
        table(
            "Mails of \(slug) that wait", ["Kind", "To", "Attempts", "Since", "Next attempt", "Given up", ""],
            mails.map { mail in
                let path = "/mails/\(slug)/\(mail.id.uuidString.lowercased())"
                let retry = button(path + "/retry", "Try now")
                let remove = button(path + "/remove", "Remove", after: "The mail is then never sent.")
                return [
                    "\(mail.kind)", "\(mail.email.masked)", "\(mail.attempts)", "\(mail.createdAt)",
                    "\(mail.nextAttemptAt)", "\(mail.expiresAt)",
                    "\(retry)\(remove)",
                ]
            })
    }

    func revisions(_ revisions: [OperatorQueries.Revision], of slug: String) -> HTML {
        table(
            "Revisions of the catalogue of \(slug)",
            ["Name", "Prices from", "Whole", "Since", "Checked", "Countries", "Applied", "Rejected"],
            revisions.map { revision in
                [
                    "<a href=\"\(Self.path(of: revision.name, slug))\">\(revision.name)</a>", "\(revision.effectiveOn)",
                    revision.isComplete ? "yes" : "no", "\(revision.createdAt)", revision.isChecked ? "yes" : "no",
                    "\(revision.countries)", "\(revision.applied)", "\(revision.rejected)",
                ]
            })
    }

    /// The page of a revision.
    static func path(of revision: String, _ slug: String) -> String { "/revisions/\(slug)/\(encoded(revision))" }

    func report(_ report: RevisionReport, of slug: String) -> HTML {
        let path = Self.path(of: report.file, slug)
        let forms: [HTML] = [
            button(path + "/check", "Check again"),
            report.rejected == 0 && report.applied < report.countries ? button(path + "/apply", "Apply") : .empty,
            button(path + "/discard", "Discard", after: "Prices that were applied stay. The rows are deleted."),
        ]
        let rows = report.rows.map { row -> [HTML] in
            [
                "\(row.line.map(String.init) ?? "")", "\(row.country)", "\(row.provider ?? "")", "\(row.plan ?? "")",
                "\(row.outcome)", "\(row.explanation ?? "")",
            ]
        }
        return """
            <p>\(report.description). Applied: \(report.applied) of \(report.countries) countries.</p>
            <p class="forms">\(forms)</p>
            \(table(
                "The first \(Self.limit) rows that change something or are rejected",
                ["Line", "Country", "Provider", "Plan", "Outcome", "Why"], rows))
            """
    }

    /// The effect of a form, by the last part of its address.
    static let done = [
        "suspend": "The tenant is suspended.", "resume": "The tenant is served again.",
        "retry": "The mail is tried at the next turn.", "remove": "The mail is removed.",
        "check": "The revision was checked.", "apply": "The revision was applied.",
        "discard": "The revision is discarded.",
    ]

    /// A text as it stands in a path (RFC 3986 §2.3).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static let style = """
        body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem }
        nav a { margin-inline-end: 1rem } [aria-current] { font-weight: bold }
        .table { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums }
        caption { text-align: start; font-weight: bold; padding-block: .5rem }
        th, td { text-align: start; padding: .25rem .75rem .25rem 0; border-block-end: 1px solid; vertical-align: top }
        form, details { display: inline-block; vertical-align: top; margin-inline-end: .5rem } dt { font-weight: bold }
        button { font: inherit; min-block-size: 2rem } summary { cursor: pointer; min-block-size: 2rem }
        details[open] { max-inline-size: 20rem } [role=status] { padding: .5rem .75rem; border: 1px solid; border-radius: .5rem }

        """
}
