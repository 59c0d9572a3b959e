// swift-tools-version:6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// What the service is measured against, and what measures it. A package of its own, so that nobody who builds the
// service builds this.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .systemLibrary(name: "libmariadb", path: "libmariadb", pkgConfig: "libmariadb"),
        .systemLibrary(name: "libcrypto", path: "libcrypto", pkgConfig: "libcrypto"),
        // C: OpenSSL's own hashes of passwords.
        .executableTarget(
            name: "pbkdf2", dependencies: ["libcrypto"], path: "pbkdf2",
            cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])]),
        // C: the statements alone.
        .executableTarget(
            name: "floor", dependencies: ["libmariadb"], path: "floor",
            cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])]),
        // C: requests on the plain socket, as wrk sends them by HTTP.
        .executableTarget(
            name: "lines", path: "lines", cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])]),
        // C: many WebSockets, and how soon all of them are told.
        .executableTarget(
            name: "sockets", path: "sockets", cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])]),
        // WebSockets alone.
        .executableTarget(
            name: "bare",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ], path: "bare", swiftSettings: settings),
        // HTTP alone.
        .executableTarget(
            name: "hello",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ], path: "hello", swiftSettings: settings),
        // Prepares, measures, prints.
        .executableTarget(
            name: "bench",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")], path: "bench",
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
