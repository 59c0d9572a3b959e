import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Terminal clients that are killed in the middle of what they exchange with the service.
@Suite("Killed clients", .ownTime)
struct KillTests {
    private static let (push, pull) = ("POST /v1/changes", "GET /v1/changes")

    /// Two terminals of one user, the first behind a door.
    private func withTerminals(
        _ service: TestService, _ body: (TerminalHome, TerminalHome, Door) async throws -> Void
    ) async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await Door.run(to: service.client.baseURL) { door in
            let one = TerminalHome(home: folder.appendingPathComponent("one"), server: door.url)
            let other = TerminalHome(home: folder.appendingPathComponent("other"), server: service.client.baseURL)
            let email = "\(UUID().uuidString.lowercased())@example.org"
            try await one.run("register", email, input: "correct horse battery\n")
            try await other.run("login", email, input: "correct horse battery\n")
            try await body(one, other, door)
        }
    }

    private func gym(_ name: String) -> CreateSubscription {
        CreateSubscription(
            plan: PrivatePlan(
                provider: name, name: "Standard", fee: amount("1"), currency: "USD",
                duration: .init(value: 1, unit: .month)))
    }

    @Test("A kill in the middle of a push or a pull loses nothing and doubles nothing", arguments: Door.Moment.allCases)
    func isKilled(_ moment: Door.Moment) async throws {
        try await TestService.run { service in
            try await withTerminals(service) { one, other, door in
                var names: Set<String> = []
                for (number, start) in [Self.push, Self.pull].enumerated() {
                    let (mine, theirs) = ("Mine \(number)", "Theirs \(number)")
                    names.formUnion([mine, theirs])
                    let id = try one.kit().add(gym(mine))
                    try one.kit().renew(id)
                    let there = try other.kit()
                    try there.add(gym(theirs))
                    try await there.sync()
                    let isKilled = try await one.killedSync(through: door, moment, of: start)
                    // With all of the answer it may be quicker than the signal.
                    #expect(isKilled || moment == .wholeAnswer)
                    // What it has is whole, and nothing of what was changed is gone.
                    let held = try one.kit().held()
                    #expect(held[id]?.period == 1 && held[id]?.plan.provider == mine)
                }
                try await one.run("sync")
                try await other.run("sync")
                let faults = try differences(one, other)
                #expect(faults == [])
                let held = try one.kit().subscriptions().map(\.subscription)
                #expect(held.count == 4 && Set(held.map(\.plan.provider)) == names)
                #expect(try one.kit().reports().isEmpty)
            }
        }
    }

    @Test("A kill in each page of a first pull: the next sync goes on where the store stands")
    func isKilledInPages() async throws {
        try await TestService.run { service in
            try await withTerminals(service) { one, other, door in
                let user = try await other.kit().client.call(GetMe()).id
                try await service.addSubscriptions(2100, to: user, plan: try await service.addPlan())
                // Pages have a thousand rows.
                #expect(try await one.killedSync(through: door, .halfAnswer, of: Self.pull, number: 2))
                let (held, left) = (try one.kit().held().count, try one.kit().left())
                #expect(held > 0 && held < 2000 && (left ?? 0) > 0)
                #expect(try await one.killedSync(through: door, .request, of: Self.pull, number: 2))
                #expect(try one.kit().held().count > held)
                try await one.run("sync")
                try await other.run("sync")
                #expect(try one.kit().left() == nil && one.kit().held().count == 2100)
                // The catalogue is other tests' as well.
                let faults = try differences(one, other)
                #expect(faults == [])
            }
        }
    }

    /// How many histories are played: `SUBTRACKIT_KILL_HISTORIES`, else few, and more among the faults.
    private static let histories =
        ProcessInfo.processInfo.environment["SUBTRACKIT_KILL_HISTORIES"].flatMap { Int($0) }.map { max($0, 1) }
        ?? (TestStage.faults ? 60 : 4)

    @Test(
        "Random histories of terminals that are killed: all stores are the same, nothing is lost or doubled",
        .enabled(if: TestStage.full, "script/test --full: kills at random moments, beside those at each one"))
    func histories() async throws {
        var (kills, changes) = (0, 0)
        for seed in TestSeed.some(UInt64(Self.histories), of: "histories with kills") {
            try await TestService.run(at: "2026-02-10") { service in
                try await withTerminals(service) { one, other, door in
                    var history = KilledHistory(seed: seed, one: one, other: other, door: door)
                    try await history.play(steps: 12)
                    kills += history.kills
                    changes += history.changes
                    let faults = try await history.faults()
                    #expect(faults == [], "seed \(seed)")
                }
            }
        }
        print("\(Self.histories) histories with kills: \(kills) kills, \(changes) changes")
        #expect(kills > Self.histories)
    }
}

/// The user's rows in which two terminals' stores differ. (The catalogue is all tests'.)
private func differences(_ one: TerminalHome, _ other: TerminalHome) throws -> [String] {
    let (here, there) = (try one.kit().rows(), try other.kit().rows())
    return Set(here.keys).union(there.keys).sorted().filter { $0.contains(" user ") && here[$0] != there[$0] }.map {
        "\($0) is \(here[$0] ?? "not there"), and on the other \(there[$0] ?? "not there")"
    }
}

/// A history of two terminals of one user. Each changes what it made itself, so that it is known what must come of it.
struct KilledHistory {
    let one: TerminalHome
    let other: TerminalHome
    let door: Door
    private(set) var kills = 0
    private(set) var changes = 0
    private var random: SeededGenerator
    /// Of each terminal what it made, and how often it was renewed and what its note is.
    private var made: [[UUID: (period: Int, note: String)]] = [[:], [:]]
    private var deleted: Set<UUID> = []

    init(seed: UInt64, one: TerminalHome, other: TerminalHome, door: Door) {
        random = SeededGenerator(seed: seed)
        (self.one, self.other, self.door) = (one, other, door)
    }

    mutating func play(steps: Int) async throws {
        for step in 0..<steps {
            try change(step)
            switch random.next() % 4 {
            case 0: try await other.run("sync")
            case 1: try await one.run("sync")
            default:
                let moment = Door.Moment.allCases.randomElement(using: &random) ?? .answer
                let start = random.next() % 2 == 0 ? "POST /v1/changes" : "GET /v1/changes"
                if try await one.killedSync(through: door, moment, of: start) { kills += 1 }
            }
        }
        for terminal in [one, other, one] { try await terminal.run("sync") }
    }

    private mutating func change(_ step: Int) throws {
        for (index, terminal) in [one, other].enumerated() {
            let kit = try terminal.kit()
            let note = "\(index)-\(step)"
            changes += 1
            guard let id = made[index].keys.sorted(by: { $0.uuidString < $1.uuidString }).randomElement(using: &random),
                random.next() % 3 > 0
            else {
                let id = try kit.add(
                    CreateSubscription(
                        id: freshID(index, step),
                        plan: PrivatePlan(
                            provider: "Gym", name: note, fee: amount("1"), currency: "USD",
                            duration: .init(value: 1, unit: .month)), note: note))
                made[index][id] = (0, note)
                continue
            }
            switch random.next() % 8 {
            case 0:
                try kit.delete(id)
                made[index][id] = nil
                deleted.insert(id)
            case 1...4:
                try kit.renew(id)
                made[index][id]?.period += 1
            default:
                try kit.change(UpdateSubscription(id: id, note: .set(note)))
                made[index][id]?.note = note
            }
        }
    }

    /// An id by the seed, so that the same seed is the same history.
    private mutating func freshID(_ index: Int, _ step: Int) -> UUID? {
        let text = String(random.next(), radix: 16)
        let digits = String(repeating: "0", count: 16 - text.count) + text
        return UUID(
            uuidString:
                "019c476c-3\(index)\(10 + step)-7\(digits.prefix(3))-8\(digits.dropFirst(3).prefix(3))-\(digits.suffix(12))"
        )
    }

    /// What is not as it must be.
    func faults() async throws -> [String] {
        var faults: [String] = []
        let (here, there) = (try one.kit(), try other.kit())
        faults += try differences(one, other)
        if try !here.reports().isEmpty || !there.reports().isEmpty { faults.append("something was refused or lost") }
        if try here.pendingCount() + there.pendingCount() > 0 { faults.append("something was not sent") }
        let held = try here.held()
        for (id, expected) in made.flatMap({ $0 }) {
            guard let one = held[id] else {
                faults.append("\(id) is gone")
                continue
            }
            if one.period != expected.period || one.note != expected.note {
                faults.append("\(one.note ?? "") in period \(one.period), not \(expected)")
            }
        }
        if held.count != made.reduce(0, { $0 + $1.count }) { faults.append("there are \(held.count) subscriptions") }
        if !deleted.isDisjoint(with: held.keys) { faults.append("what was deleted is there again") }
        return faults
    }
}
