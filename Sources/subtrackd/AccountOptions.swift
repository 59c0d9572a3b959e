import ArgumentParser
import Foundation
import SubTrackServer

/// The settings of mails and of what limits sign-ins.
struct AccountOptions: ParsableArguments {
    @Option(
        help: """
            Program that takes mails as sendmail does, with arguments of its own if need be: /usr/sbin/sendmail. \
            [SUBTRACKIT_SENDMAIL] (default: none, mails are not sent)
            """)
    var sendmail: String?

    @Option(
        help: """
            Whom mails are from: noreply@example.org, or Name <noreply@example.org>. [SUBTRACKIT_MAIL_FROM] (default: \
            noreply@ and the host of the public URL)
            """)
    var mailFrom: String?

    @Option(
        help: """
            Where people reach the service, for links in mails: https://subs.example.org. [SUBTRACKIT_PUBLIC_URL] \
            (default: the HTTP listener's)
            """)
    var publicUrl: String?

    @Option(
        help: """
            Addresses or networks (10.0.0.0/8) of proxies in front of the service, with commas between them, that are \
            believed whom they speak for. [SUBTRACKIT_TRUSTED_PROXIES] (default: none)
            """)
    var trustedProxies: String?

    @Option(
        help: """
            How they say it: x-forwarded (X-Forwarded-For, X-Forwarded-Host) or forwarded (RFC 7239); what the proxy \
            itself writes. [SUBTRACKIT_FORWARDED_HEADER] (default: x-forwarded)
            """)
    var forwardedHeader: String?

    @Option(help: "Sign-ins of one address in a minute. [SUBTRACKIT_SIGN_INS_PER_MINUTE] (default: 20)")
    var signInsPerMinute: Int?

    @Option(
        help: """
            Sign-ins of a whole tenant in a minute; known devices do not count. [SUBTRACKIT_TENANT_SIGN_INS_PER_MINUTE] \
            (default: 1200)
            """)
    var tenantSignInsPerMinute: Int?

    @Option(
        help: """
            Wrong passwords of one account that cost nothing; after one more it waits 2 s, 4 s, 8 s … up to a quarter of an \
            hour. [SUBTRACKIT_FREE_WRONG_PASSWORDS] (default: 5)
            """)
    var freeWrongPasswords: Int?

    @Option(help: "Registrations of one address in an hour. [SUBTRACKIT_REGISTRATIONS_PER_HOUR] (default: 10)")
    var registrationsPerHour: Int?

    @Option(
        help: "New devices without account of one address in an hour. [SUBTRACKIT_DEVICES_PER_HOUR] (default: 600)")
    var devicesPerHour: Int?

    @Option(
        help: """
            Mails that one address may ask for in an hour; an account gets a third of it. [SUBTRACKIT_MAILS_PER_HOUR] \
            (default: 10)
            """)
    var mailsPerHour: Int?

    @Option(
        help: """
            Changes that one user may make in an hour, and at once; each mutation of a push is one. \
            [SUBTRACKIT_WRITES_PER_HOUR] (default: 15000)
            """)
    var writesPerHour: Int?

    @Option(
        help: """
            Changes that may come from one network in an hour, and at once. [SUBTRACKIT_NETWORK_WRITES_PER_HOUR] \
            (default: 150000)
            """)
    var networkWritesPerHour: Int?

    /// Puts these options, the environment, the file and the defaults into settings, as far as they can be used.
    /// - Parameter problems: gets what is wrong with the others.
    func apply(
        to settings: inout ServiceSettings, _ sources: SettingSources, _ problems: inout SettingsProblems
    ) throws {
        func read<Value>(
            _ flag: String?, _ setting: Setting, _ body: (String) throws -> Value
        ) throws -> Value? { try sources.read(setting, flag: flag, body) }
        try problems.collect { settings.mail.program = try read(sendmail, .sendmail) { try MailProgram($0) } }
        try problems.collect { settings.mail.sender = try read(mailFrom, .mailFrom) { try MailSender($0) } }
        try problems.collect {
            settings.mail.publicURL =
                try read(publicUrl, .publicUrl) { text in
                    guard let url = URLComponents(string: text), url.scheme == "https" || url.scheme == "http",
                        url.host?.isEmpty == false, url.query == nil, url.fragment == nil
                    else {
                        throw SettingsError("the public URL must look like https://subs.example.org, is \"\(text)\"")
                    }
                    return text
                } ?? settings.mail.publicURL
        }
        var header = TrustedProxies.Header.xForwarded
        try problems.collect {
            header =
                try read(forwardedHeader, .forwardedHeader) { word in
                    guard let named = TrustedProxies.Header(rawValue: word) else {
                        throw SettingsError(
                            "\(sources.name(of: .forwardedHeader, flag: forwardedHeader)) must be x-forwarded or "
                                + "forwarded, is \"\(word)\"")
                    }
                    return named
                } ?? header
        }
        try problems.collect {
            let header = header
            settings.trustedProxies =
                try read(trustedProxies, .trustedProxies) { try TrustedProxies($0, header: header) }
                ?? settings.trustedProxies
        }
        let limits: [(Int?, Setting, WritableKeyPath<ServiceSettings, Int>)] = [
            (signInsPerMinute, .signInsPerMinute, \.accountLimits.signInsPerMinute),
            (tenantSignInsPerMinute, .tenantSignInsPerMinute, \.accountLimits.tenantSignInsPerMinute),
            (freeWrongPasswords, .freeWrongPasswords, \.accountLimits.freeWrongPasswords),
            (registrationsPerHour, .registrationsPerHour, \.accountLimits.registrationsPerHour),
            (devicesPerHour, .devicesPerHour, \.accountLimits.devicesPerHour),
            (mailsPerHour, .mailsPerHour, \.accountLimits.mailsPerHour),
            (writesPerHour, .writesPerHour, \.limits.writesPerHour),
            (networkWritesPerHour, .networkWritesPerHour, \.limits.networkWritesPerHour),
        ]
        for (flag, setting, keyPath) in limits {
            try problems.collect {
                let flag = flag.map { String($0) }
                settings[keyPath: keyPath] =
                    try read(flag, setting) { text in
                        guard let number = Int(text), (1...1_000_000).contains(number) else {
                            throw SettingsError(
                                "\(sources.name(of: setting, flag: flag)) must be from 1 to 1000000, is \"\(text)\"")
                        }
                        return number
                    } ?? settings[keyPath: keyPath]
            }
        }
    }
}
