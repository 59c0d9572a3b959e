import ArgumentParser
import Foundation
import SubTrackServer

/// The settings of mails and of what limits sign-ins.
struct AccountOptions: ParsableArguments {
    @Option(help: .of(.sendmail)) var sendmail: String?
    @Option(help: .of(.smtpUrl)) var smtpUrl: String?
    @Option(help: .of(.smtpPasswordFile)) var smtpPasswordFile: String?
    @Option(help: .of(.smtpTls)) var smtpTls: String?
    @Option(help: .of(.mailFrom)) var mailFrom: String?
    @Option(help: .of(.publicUrl)) var publicUrl: String?
    @Option(help: .of(.trustedProxies)) var trustedProxies: String?
    @Option(help: .of(.forwardedHeader)) var forwardedHeader: String?
    @Option(help: .of(.signInsPerMinute)) var signInsPerMinute: Int?
    @Option(help: .of(.tenantSignInsPerMinute)) var tenantSignInsPerMinute: Int?
    @Option(help: .of(.freeWrongPasswords)) var freeWrongPasswords: Int?
    @Option(help: .of(.registrationsPerHour)) var registrationsPerHour: Int?
    @Option(help: .of(.devicesPerHour)) var devicesPerHour: Int?
    @Option(help: .of(.mailsPerHour)) var mailsPerHour: Int?
    @Option(help: .of(.writesPerHour)) var writesPerHour: Int?
    @Option(help: .of(.networkWritesPerHour)) var networkWritesPerHour: Int?

    /// Puts these options, the environment, the file and the defaults into settings, as far as they can be used.
    /// - Parameter problems: gets what is wrong with the others.
    func apply(
        to settings: inout ServiceSettings, _ sources: SettingSources, _ problems: inout SettingsProblems
    ) throws {
        func read<Value>(
            _ flag: String?, _ setting: Setting, _ body: (String) throws -> Value
        ) throws -> Value? { try sources.read(setting, flag: flag, body) }
        try problems.collect { settings.mail.carrier = try read(sendmail, .sendmail) { try MailProgram($0) } }
        try problems.collect {
            guard let server = try mailServer(sources) else { return }
            guard settings.mail.carrier == nil else {
                throw SettingsError(
                    "\(sources.name(of: .sendmail, flag: sendmail)) and \(sources.name(of: .smtpUrl, flag: smtpUrl)) are both "
                        + "set; use one of them")
            }
            settings.mail.carrier = server
            if let path = try sources.text(.smtpPasswordFile, flag: smtpPasswordFile) {
                settings.secretFiles.append(SecretFile(path, what: "the password of the mail server's user"))
            }
        }
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

    /// The mail server; nil where none is set.
    private func mailServer(_ sources: SettingSources) throws -> MailServer? {
        let isPlain =
            try sources.read(.smtpTls, flag: smtpTls) { word in
                guard ["required", "none"].contains(word) else {
                    throw SettingsError(
                        "\(sources.name(of: .smtpTls, flag: smtpTls)) must be required or none, is \"\(word)\"")
                }
                return word == "none"
            } ?? false
        let password = try sources.password(
            .smtpPassword, file: .smtpPasswordFile, flag: smtpPasswordFile, of: "mail server's user")
        let server = try sources.read(.smtpUrl, flag: smtpUrl) {
            try MailServer($0, isPlain: isPlain, password: password)
        }
        guard server == nil else { return server }
        // A URL that was forgotten, or misspelt in the environment, would be noticed when a mail is missed.
        if password != nil {
            throw SettingsError(
                "a password of a mail server is set, and no mail server: give --smtp-url, or take it away")
        }
        if isPlain {
            throw SettingsError(
                "\(sources.name(of: .smtpTls, flag: smtpTls)) is set, and no mail server: give --smtp-url, or take it away"
            )
        }
        return nil
    }
}
