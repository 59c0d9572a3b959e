// swift-tools-version:6.2
import PackageDescription

/// Settings of every target. Existentials are spelled out. An async function stays on its caller's executor unless it
/// says otherwise. Tests are built with warnings as errors.
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (Context.environment["SUBTRACKIT_WARNINGS"] != "errors" ? [] : [.treatAllWarnings(as: .error)])

let package = Package(
    name: "SubTrackIt",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "MariaDB", targets: ["MariaDB"]),
        .library(name: "SubTrackAPI", targets: ["SubTrackAPI"]),
        .library(name: "SubTrackCore", targets: ["SubTrackCore"]),
        .library(name: "SubTrackKit", targets: ["SubTrackKit"]),
        .executable(name: "subtrack", targets: ["subtrack"]),
        .executable(name: "subtrackd", targets: ["subtrackd"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.40.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // C libraries: a module map and code that Swift cannot import; no logic.
        .systemLibrary(
            name: "CMariaDB", pkgConfig: "libmariadb",
            providers: [.apt(["libmariadb-dev"]), .brew(["mariadb-connector-c"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(name: "CAllocator"),

        // A client of its own: knows nothing of tenants, HTTP or subscriptions.
        .target(
            name: "MariaDB",
            dependencies: [
                "CMariaDB",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: settings),
        .target(name: "Passwords", dependencies: ["COpenSSL"], swiftSettings: settings),
        // Mail to servers elsewhere.
        .target(name: "Outbound", dependencies: ["CCurl"], swiftSettings: settings),

        // Code that server and client share. Foundation alone.
        .target(name: "SubTrackAPI", swiftSettings: settings),
        .target(name: "SubTrackCore", dependencies: ["SubTrackAPI"], swiftSettings: settings),

        // Clients: a store on the device that is kept in step, and a terminal client on it. Nothing of Linux alone.
        .target(
            name: "SubTrackKit",
            dependencies: [
                "SubTrackAPI", "SubTrackCore",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "subtrack",
            dependencies: [
                "SubTrackAPI", "SubTrackCore", "SubTrackKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // The schema: sql/ compiled into the binary, so that the service needs no file beside it.
        .executableTarget(name: "embed-sql", path: "Plugins/embed-sql", swiftSettings: settings),
        .plugin(name: "EmbedSQL", capability: .buildTool(), dependencies: ["embed-sql"]),
        .target(name: "SubTrackSQL", swiftSettings: settings, plugins: ["EmbedSQL"]),

        // The web app: web/ compiled into the binary. WebSource reads it, for the tool and for a folder served from disk.
        .target(name: "WebSource", swiftSettings: settings),
        .executableTarget(
            name: "embed-web", dependencies: ["WebSource"], path: "Plugins/embed-web", swiftSettings: settings),
        .plugin(name: "EmbedWeb", capability: .buildTool(), dependencies: ["embed-web"]),
        .target(name: "SubTrackWeb", swiftSettings: settings, plugins: ["EmbedWeb"]),

        // The doc comments of SubTrackAPI, for the API description.
        .executableTarget(
            name: "embed-summaries", path: "Plugins/embed-summaries", swiftSettings: settings),
        .plugin(name: "EmbedSummaries", capability: .buildTool(), dependencies: ["embed-summaries"]),

        // A private MariaDB server as a child process: the embedded default, and the tests' database.
        .target(
            name: "EmbeddedMariaDB",
            dependencies: [.product(name: "Logging", package: "swift-log")],
            swiftSettings: settings),

        .target(
            name: "SubTrackServer",
            dependencies: [
                "MariaDB", "Outbound", "Passwords", "SubTrackAPI", "SubTrackCore", "SubTrackSQL", "SubTrackWeb",
                "WebSource", "EmbeddedMariaDB", "CAllocator",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings, plugins: ["EmbedSummaries"]),
        .executableTarget(
            name: "subtrackd",
            dependencies: [
                "EmbeddedMariaDB", "MariaDB", "SubTrackServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: settings),

        // Tests. All of them have the traits; the support knows the service.
        .target(name: "TestTraits", swiftSettings: settings),
        .target(
            name: "SubTrackTestSupport",
            dependencies: [
                "EmbeddedMariaDB", "MariaDB", "SubTrackAPI", "SubTrackServer", "TestTraits",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MariaDBTests",
            dependencies: [
                "EmbeddedMariaDB", "MariaDB", "SubTrackTestSupport", "TestTraits",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .testTarget(name: "PasswordsTests", dependencies: ["Passwords", "TestTraits"], swiftSettings: settings),
        // Decisions of SubTrackCore, for the tests of the web app's JavaScript.
        .executableTarget(
            name: "web-cases", dependencies: ["SubTrackAPI", "SubTrackCore"], path: "Tests/Web/Cases",
            swiftSettings: settings),
        // The rules of reminders, written a second time.
        .target(
            name: "ReminderModel", dependencies: ["SubTrackAPI", "SubTrackCore", "TestTraits"],
            path: "Tests/ReminderModel", swiftSettings: settings),
        .testTarget(
            name: "SubTrackCoreTests", dependencies: ["ReminderModel", "SubTrackAPI", "SubTrackCore", "TestTraits"],
            exclude: ["Contacts/VCard/Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "SchemaTests",
            dependencies: [
                "MariaDB", "SubTrackAPI", "SubTrackCore", "SubTrackServer", "SubTrackSQL", "SubTrackTestSupport",
                "TestTraits",
            ],
            exclude: ["Cases"], swiftSettings: settings),
        .testTarget(
            name: "SubTrackKitTests",
            dependencies: [
                "EmbeddedMariaDB", "MariaDB", "SubTrackAPI", "SubTrackCore", "SubTrackKit", "SubTrackServer",
                "SubTrackTestSupport", "TestTraits", "subtrack",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "EmbeddedMariaDBTests",
            dependencies: [
                "EmbeddedMariaDB", "MariaDB", "SubTrackTestSupport", "TestTraits",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SubTrackServerTests",
            dependencies: [
                "EmbeddedMariaDB", "MariaDB", "Outbound", "Passwords", "ReminderModel", "SubTrackAPI", "SubTrackCore",
                "SubTrackServer", "SubTrackSQL", "SubTrackTestSupport", "SubTrackWeb", "TestTraits", "WebSource",
                "subtrackd",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Areas/sql", "Golden"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
