import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackKit

/// Faults of TLS, of requests and of the live socket alike.
@Suite("Connections that are not safe", .tags(.everyDay), .ownTime)
struct TLSFaultTests {
    /// Runs a service, and one with a certificate on the same data.
    private func withServices(
        _ body: (TestService, TestAuthority, (TLSFiles, (TestService) async throws -> Void) async throws -> Void)
            async throws
            -> Void
    ) async throws {
        try await ServiceProcess.withFolder { folder in
            let authority = try await TestAuthority(in: folder)
            try await TestService.run { service in
                try await body(service, authority) { files, use in
                    try await service.runReplica(configure: { $0.tls = files }, use)
                }
            }
        }
    }

    /// The fault of a request, and that of a live socket.
    private func faults(_ server: String, authorities: String? = nil) async throws -> [TLSFault] {
        let transport = HTTPTransport(authorities: authorities)
        let trust = try transport.trust
        func fault(_ body: () async throws -> Void) async -> TLSFault? {
            do {
                try await body()
                Issue.record("\(server) is safe")
            } catch KitError.insecure(let fault) {
                return fault
            } catch {
                Issue.record("\(server): \(error)")
            }
            return nil
        }
        let request = await fault {
            _ = try await transport.send(TransportRequest(method: "GET", url: server + "/v1"))
        }
        let socket = await fault {
            try await LiveSocket.run(server: server, token: "none", trust: trust, onOpen: {}, onMessage: { _ in })
        }
        return [request, socket].compactMap { $0 }
    }

    @Test("The certificate of a private authority is taken where its file is given, by requests and by the live socket")
    func privateAuthority() async throws {
        try await withServices { service, authority, secured in
            try await secured(try await authority.issue()) { replica in
                let server = replica.client.baseURL
                try await ServiceProcess.withFolder { folder in
                    var settings = Kit.Settings(
                        server: server, folder: folder, deviceName: "x", country: "US", timeZone: "UTC",
                        tokens: MemoryTokenStore(), transport: HTTPTransport(authorities: authority.certificate))
                    settings.survivesPowerLoss = false
                    let kit = try Kit(settings)
                    try await kit.sync()
                    var isConnected = false
                    for try await event in kit.live() {
                        isConnected = event == .connected
                        if isConnected { break }
                    }
                    #expect(isConnected)
                }
                for fault in try await faults(server) {
                    #expect(fault.kind == .unknownIssuer && fault.authorities == nil)
                }
                try await ServiceProcess.withFolder { folder in
                    let other = try await TestAuthority(in: folder)
                    let found = try await faults(server, authorities: other.certificate)
                    #expect(found.count == 2)
                    for fault in found {
                        #expect(fault.kind == .unknownIssuer && "\(fault)".contains(other.certificate))
                    }
                }
            }
        }
    }

    @Test("A certificate that has expired, is not valid yet or is for another host is told as that, with its remedy")
    func certificates() async throws {
        try await withServices { service, authority, secured in
            func kinds(_ files: TLSFiles) async throws -> [TLSFault] {
                let found = Mutex<[TLSFault]>([])
                try await secured(files) { replica in
                    let faults = try await faults(replica.client.baseURL, authorities: authority.certificate)
                    found.withLock { $0 = faults }
                }
                #expect(found.withLock { $0.count } == 2)
                return found.withLock { $0 }
            }
            let today = Instant(secondsSince1970: Int64(Date().timeIntervalSince1970)).date(secondsFromUTC: 0)
            for fault in try await kinds(authority.issue(from: "20200101000000Z", to: "20200109000000Z")) {
                #expect(fault.kind == .expired(on: day("2020-01-09")), "\(fault)")
                #expect(fault.remedy.contains("renew") && fault.remedy.contains("\(fault.today)"))
                // The device's own day; midnight may pass meanwhile.
                #expect((today...today.adding(days: 1)).contains(fault.today), "\(fault.today)")
            }
            for fault in try await kinds(authority.issue(from: "20490601000000Z", to: "20490609000000Z")) {
                #expect(fault.kind == .notYetValid(until: day("2049-06-01")), "\(fault)")
                #expect(fault.remedy.contains("clock"))
            }
            for fault in try await kinds(authority.issue("DNS:subtrack.example.org,IP:192.0.2.7")) {
                #expect(fault.kind == .wrongHost(names: ["subtrack.example.org", "192.0.2.7"]), "\(fault)")
                #expect("\(fault)".contains("127.0.0.1:") && fault.remedy.contains("address"))
            }
        }
    }

    @Test("TLS spoken to a port without it, and plain HTTP to one with it, are told as that; an outage stays one")
    func schemes() async throws {
        try await withServices { service, authority, secured in
            let plain = service.client.baseURL
            for fault in try await faults(plain.replacing("http://", with: "https://")) {
                #expect(fault.kind == .noTLS && fault.remedy.contains(plain), "\(fault)")
            }
            try await secured(try await authority.issue()) { replica in
                let server = replica.client.baseURL
                let found = try await faults(server.replacing("https://", with: "http://"))
                #expect(found.count == 2)
                for fault in found { #expect(fault.kind == .needsTLS && fault.remedy.contains(server), "\(fault)") }
            }
            try await Door.run(to: plain) { door in
                door.isClosed = true
                for server in [door.url, door.url.replacing("http://", with: "https://")] {
                    let error = await #expect(throws: KitError.self) {
                        _ = try await HTTPTransport().send(TransportRequest(method: "GET", url: server + "/v1"))
                    }
                    #expect(error?.isTransient == true, "\(server): \(error.map { "\($0)" } ?? "")")
                }
            }
        }
    }

    @Test("A file of authorities that is no such file is told, with its name, and nothing is sent")
    func files() async throws {
        try await ServiceProcess.withFolder { folder in
            let empty = folder.path + "/empty.pem"
            try Data("no certificate".utf8).write(to: URL(fileURLWithPath: empty))
            for file in [empty, folder.path + "/nowhere.pem"] {
                await #expect {
                    _ = try await HTTPTransport(authorities: file).send(
                        TransportRequest(method: "GET", url: "https://127.0.0.1:9/v1"))
                } throws: { error in
                    guard let error = error as? KitError else { return false }
                    return error == .authorities(file: file, isReadable: file == empty) && "\(error)".contains(file)
                }
            }
        }
    }

    @Test(
        "subtrack: --ca-file is remembered with the service, SSL_CERT_FILE counts, and an unsafe connection ends with 76"
    )
    func commandLine() async throws {
        try await withServices { service, authority, secured in
            try await secured(try await authority.issue()) { replica in
                try await ServiceProcess.withFolder { folder in
                    var one = TerminalHome(
                        home: folder.appendingPathComponent("one"), server: replica.client.baseURL)
                    let refused = try await one.fail("sync")
                    #expect(refused.contains("code 76") && refused.contains("--ca-file FILE"), "\(refused)")
                    let saved = try await one.run("add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month")
                    #expect(saved.contains("1 change will be sent") && saved.contains("--ca-file FILE"), "\(saved)")
                    #expect(try await one.run("sync", "--ca-file", authority.certificate).contains("1 sent"))
                    // Neither the option nor the variable is needed from then on.
                    #expect(try await one.run("sync").contains("In step"))
                    #expect(try await one.fail("sync", "--ca-file", "").contains("code 76"))
                    // It is forgotten although that sync failed.
                    #expect(try await one.fail("sync").contains("code 76"))
                    one.home = folder.appendingPathComponent("other")
                    one.more = ["SSL_CERT_FILE": authority.certificate]
                    #expect(try await one.run("sync").contains("In step"))
                    one.more = [:]
                    #expect(try await one.fail("sync").contains("code 76"))
                    one.more = ["SUBTRACK_CA_FILE": authority.certificate]
                    #expect(try await one.run("sync").contains("In step"))
                    one.more = [:]
                    #expect(try await one.run("sync").contains("In step"))
                    // Local work needs no file.
                    #expect(try await one.run("list", "--ca-file", "/nowhere").contains("Nothing yet"))
                    #expect(try await one.fail("sync", "--ca-file", "/nowhere").contains("/nowhere cannot be read"))
                    let gym = ["add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month"]
                    let kept = try await one.run(gym + ["--ca-file", "/nowhere"])
                    #expect(kept.contains("1 change will be sent") && kept.contains("/nowhere cannot be read"))
                }
            }
        }
    }
}
