extension Setting {
    /// The effect of the setting, for people: units, bounds and forms of its value. `docs/operate/settings.md` and the help of
    /// the flag show it.
    public var meaning: String {
        switch self {
        case .configFile:
            """
            file with a JSON object of settings by their keys, such as `{"httpListen": "0.0.0.0:8080"}`; flags and the \
            environment go before it
            """
        case .stateDir: "folder of the embedded database and of temporary state"
        case .httpListen: "address and port for HTTP: API, sockets and the web app"
        case .socketListen:
            """
            address and port for plain sockets (a JSON-RPC message on each line); also `unix:/path`, several with commas, \
            or `none`
            """
        case .adminListen:
            """
            address and port for operators, in plain HTTP, such as `127.0.0.1:9090`: `/readyz`, `/metrics` and the \
            operators' pages are there alone. Without it `/readyz` is at `--http-listen`, and `/metrics` nowhere
            """
        case .publicMetrics: "`yes`: `/metrics` is at `--http-listen` as well, where everybody can read it"
        case .web:
            "`on`: the web app is at `--http-listen`. `off`: it is nowhere, and browsers that have it forget it"
        case .httpConnections:
            """
            connections of each replica; fewer if the process may not open so many files, which the service logs at \
            its start
            """
        case .httpConnectionsPerNetwork:
            """
            connections of an IPv4 address or the first 64 bits of an IPv6 address; twice as many for 56 bits, four \
            times for 48. This machine and trusted proxies are not counted
            """
        case .bodyMemory:
            """
            MiB of each replica for the bodies of all requests together; beyond it requests are answered 503 with \
            `Retry-After`
            """
        case .tlsCertificateFile:
            """
            file with the certificate chain: with it and its key the service speaks HTTPS (HTTP/1.1, HTTP/2), and TLS on \
            plain TCP sockets
            """
        case .tlsKeyFile: "file with the private key of the certificate"
        case .publicUrl: "address of the service in links of mails, such as `https://subs.example.org`"
        case .trustedProxies:
            "addresses or networks (`10.0.0.0/8`) of proxies, with commas, whose forwarded headers count"
        case .forwardedHeader:
            "the header that the proxy writes: `x-forwarded` (`-For`, `-Host`), or `forwarded` (RFC 7239)"
        case .defaultTenant:
            """
            tenant for hosts that no tenant has. Without it they lead to `default` while no tenant has a host, and are \
            answered 404 afterwards. A host that was taken from a tenant is answered 404 in any case
            """
        case .databaseUrl:
            """
            `mysql://user@host:3306/subtrackit`, or `mysql://user@localhost/subtrackit?socket=/path`; the last part is \
            the control database and the prefix of the tenants'. Without it the service runs an embedded MariaDB
            """
        case .databasePassword: "password of the service's account; rather a file"
        case .databasePasswordFile: "file with the password of the service's account"
        case .databaseCaFile:
            "file of authorities: with it the connection has TLS, and the server's certificate is verified"
        case .databaseConnections: "connections to the database, for all tenants and servers together; 1 to 1000"
        case .databaseStatements:
            """
            prepared statements over all connections; a server has 16,382 (`max_prepared_stmt_count`) for all its clients
            """
        case .listMemory:
            """
            MiB of each replica for a cache of encoded lists of subscriptions. An entry is valid for a minute, while \
            the counters of its scopes are unchanged; 0: none
            """
        case .serverPasswordsDir:
            """
            folder with the passwords for tenants' other servers: files `HOST` and `HOST.migrator`, which must be \
            there. Without it the same passwords hold everywhere
            """
        case .migratorUrl: "account that changes schemas, as a database URL: `mysql://migrator@host:3306/subtrackit`"
        case .migratorPassword: "password of the migrator's account; rather a file"
        case .migratorPasswordFile: "file with the password of the migrator's account"
        case .sendmail:
            """
            program that takes mails as sendmail does, with arguments of its own if need be, such as \
            `/usr/sbin/sendmail`; without it and `--smtp-url` mails are not sent, and expire
            """
        case .smtpUrl:
            """
            mail server that takes mails by SMTP, in place of a program: `smtps://user@smtp.example.org` (TLS, port 465) or \
            `smtp://user@smtp.example.org` (STARTTLS, port 587); an `@` of the user is `%40`
            """
        case .smtpPassword: "password of the mail server's user; rather a file"
        case .smtpPasswordFile: "file with the password of the mail server's user"
        case .smtpTls: "`required`, or `none` for a mail server on this machine"
        case .mailFrom:
            """
            sender of mails, `noreply@example.org` or `Name <noreply@example.org>`; the host of the public URL must be a \
            name. Without either it is `noreply@localhost`, which \
            other mail servers refuse: the start, `doctor` and `config check` warn of it
            """
        case .signInsPerMinute: "sign-ins of a network in a minute"
        case .tenantSignInsPerMinute: "sign-ins of a tenant in a minute; known devices do not count"
        case .freeWrongPasswords:
            "wrong passwords of an account before it waits: 2 s, 4 s, 8 s … up to a quarter of an hour"
        case .registrationsPerHour: "registrations of a network in an hour"
        case .devicesPerHour: "new devices without account of a network in an hour"
        case .mailsPerHour:
            "mails that a network asks for in an hour; an address gets a third of it, and as many notices of each kind"
        case .writesPerHour: "changes of a user in an hour, also at once; each mutation of a push is one"
        case .networkWritesPerHour: "changes from a network in an hour, also at once"
        case .logFormat: "`text`, `json`, or `auto`: text on a terminal, else JSON lines"
        case .logLevel:
            "the least level that is logged: `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`"
        }
    }
}
