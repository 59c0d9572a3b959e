import Foundation
import GRDB
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits

@testable import SubTrackKit

/// A random history of one user: several kits with bad connections, which end and are opened again, and an admin who types
/// SQL.
struct KitHistory: Sendable {
    let seed: UInt64
    let service: TestService
    let user: TestUser
    let plans: [Int64]
    private(set) var devices: [TestDevice] = []
    private var random: SeededGenerator
    private var ledger = HistoryLedger()
    private var isBlind = false
    private var count = 0
    /// How many answers of each device were noted already.
    private var noted: [Int] = []
    private(set) var judged = HistoryLedger.Judged()
    /// How many changes were acknowledged.
    private(set) var acknowledged = 0
    /// How many renewals were seen where they were made.
    private(set) var renewals = 0
    /// What came of it that may not be.
    private(set) var faults: [String] = []

    init(seed: UInt64, service: TestService, user: TestUser, plans: [Int64]) throws {
        self.seed = seed
        self.service = service
        self.user = user
        self.plans = plans
        random = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 2...3, using: &random) {
            devices.append(try service.device(tokens: MemoryTokenStore(user.client.token)))
            noted.append(0)
        }
        let me = user.user
        ledger.note(
            .init(
                step: 0, row: "me \(me.id.uuidString.lowercased())", version: me.version,
                state: HistoryLedger.state(
                    .me(
                        StoredUser(
                            userName: me.userName, country: me.country, timeZone: me.timeZone, accounts: [])))))
    }

    /// Lets things happen.
    mutating func play(steps: Int, _ admin: MariaDBClient) async throws {
        for step in 1...steps {
            let index = Int.random(in: devices.indices, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9: try edit(devices[index], index)
            case 9..<15:
                await sync(devices[index])
            case 15:
                // Two at the same time.
                let other = devices[(index + 1) % devices.count]
                let one = devices[index]
                unsettle(one)
                unsettle(other)
                async let first: Void = Self.trySync(one)
                async let second: Void = Self.trySync(other)
                _ = await (first, second)
            case 16:
                // The process ends, and another one opens the store.
                note(step)
                devices[index] = try devices[index].reopened(service)
                noted[index] = 0
            case 17: await repeatOld(devices[index])
            default:
                // Of what was not sent yet an admin knows nothing.
                let held = try devices[0].kit.held().values.filter { $0.version > 0 }
                    .map { $0.id.uuidString.lowercased() }.sorted()
                let typed = await HistoryAdmin(user: user.user.id, plans: plans).type(
                    held: held, step: step, admin, &random)
                for change in typed.changes { ledger.note(change) }
                isBlind = isBlind || typed.isBlind
                faults += typed.faults
            }
            note(step)
        }
        // Well again: all is sent. What one sends last, the others pull when they are compared.
        for (index, device) in devices.enumerated() {
            device.transport.set { _ in .answered }
            try await device.kit.sync()
            note(steps + 1 + index)
        }
    }

    private static func trySync(_ device: TestDevice) async {
        _ = try? await device.kit.sync()
    }

    /// Lets requests be lost, doubled, or their answers lost.
    private mutating func unsettle(_ device: TestDevice) {
        let fates = Mutex(SeededGenerator(seed: random.next()))
        device.transport.set { _ in
            fates.withLock { random in
                switch random.next() % 10 {
                case 0: .lost
                case 1, 2: .answerLost
                case 3: .doubled
                default: .answered
                }
            }
        }
    }

    private mutating func sync(_ device: TestDevice) async {
        unsettle(device)
        do {
            try await device.kit.sync()
        } catch KitError.offline {
        } catch {
            faults.append("sync: \(error)")
        }
    }

    /// Something that was sent long ago arrives once more.
    private mutating func repeatOld(_ device: TestDevice) async {
        let pushes = device.transport.answered.filter { $0.request.method == "POST" }
        guard let old = pushes.randomElement(using: &random) else { return }
        device.transport.set { _ in .answered }
        do {
            let again = try await device.transport.send(old.request)
            guard let was = try? JSONDecoder().decode(PushChanges.Output.self, from: old.response.body) else { return }
            let now = try JSONDecoder().decode(PushChanges.Output.self, from: again.body)
            for (one, other) in zip(was.results, now.results)
            where one.outcome != other.outcome || one.lost != other.lost || !other.replayed {
                faults.append("another answer to the same change: \(other), was \(one)")
            }
        } catch {
            faults.append("repeat: \(error)")
        }
    }

    /// Takes note of what was answered for the first time.
    private mutating func note(_ step: Int) {
        for (index, device) in devices.enumerated() {
            let answered = device.transport.answered
            defer { noted[index] = answered.count }
            for (request, response) in answered.dropFirst(noted[index]) where request.method == "POST" {
                guard let body = request.body,
                    let sent = try? JSONDecoder().decode(PushChanges.self, from: body)
                else { continue }
                guard response.status == 200,
                    let output = try? JSONDecoder().decode(PushChanges.Output.self, from: response.body)
                else {
                    isBlind = isBlind || response.status >= 500
                    continue
                }
                for (mutation, result) in zip(sent.mutations, output.results) where !result.replayed {
                    guard result.outcome != .unknown else {
                        isBlind = true
                        continue
                    }
                    if result.outcome != .refused { acknowledged += 1 }
                    if let problem = result.error, problem.status >= 500 { faults.append("\(mutation): \(problem)") }
                    ledger.note(.init(client: index, step: step, mutation: mutation, result: result))
                }
            }
        }
    }

    /// Looks whether all that was acknowledged is there, once, and whether all stores are the server's.
    mutating func check(_ admin: MariaDBClient) async throws {
        if !isBlind {
            let (found, judged) = ledger.judge()
            faults += found
            self.judged = judged
        }
        let fresh = try service.device(tokens: MemoryTokenStore(user.client.token))
        try await fresh.kit.sync()
        let (whole, list) = (try fresh.kit.rows(), try fresh.kit.subscriptions())
        for (index, device) in devices.enumerated() {
            try await device.kit.sync()
            if try device.kit.pendingCount() != 0 { faults.append("device \(index) has not sent everything") }
            let held = try device.kit.rows()
            for key in Set(whole.keys).union(held.keys).sorted() where whole[key] != held[key] {
                faults.append(
                    "device \(index): \(key) is \(held[key] ?? "not there"), not \(whole[key] ?? "not there")")
            }
            // What people see is the same too.
            if try device.kit.subscriptions() != list { faults.append("another list") }
        }
        let id = user.user.id
        let (rows, tombstones, made) = try await admin.withConnection { connection in
            (
                try await connection.query("SELECT Subscription_ID, Period FROM Subscription WHERE User_ID = \(id)")
                    .decode((UUID, Int).self),
                try await connection.query(
                    "SELECT HEX(Row_ID) FROM Tombstone WHERE Scope_ID = \(id) AND Entity = 2"
                ).decode(String.self),
                try await connection.query("SELECT COUNT(*) FROM Plan WHERE Owner_ID = \(id)").decode(Int.self).first
            )
        }
        let periods = Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0.1) })
        var plansAsked = 0
        for answer in ledger.answers where answer.result.outcome != .refused {
            let mutation = answer.mutation
            if mutation.op == "create", mutation.fields?["plan"] != nil { plansAsked += 1 }
            guard mutation.entity == "subscription", let id = UUID(uuidString: mutation.id) else { continue }
            guard let period = periods[id] else {
                if !tombstones.contains(id.uuidString.replacing("-", with: "")) {
                    faults.append("an acknowledged row is gone: \(mutation)")
                }
                continue
            }
            if mutation.op == "renew", case .integer(let ended)? = mutation.fields?["period"], period <= Int(ended),
                !ledger.isRemoved(mutation, after: answer.step)
            {
                faults.append("an acknowledged renewal is gone: \(mutation)")
            }
        }
        if let made, made > plansAsked, !isBlind { faults.append("\(made) plans, \(plansAsked) were asked for") }
        for device in devices { try? FileManager.default.removeItem(at: device.folder) }
        try? FileManager.default.removeItem(at: fresh.folder)
    }

    /// Changes something on a device, as a person would.
    private mutating func edit(_ device: TestDevice, _ number: Int) throws {
        let kit = device.kit
        let held = try kit.subscriptions().map(\.subscription)
        count += 1
        // No two changes say the same, so that it can be told whose it was.
        let text = "\(number)-\(count)"
        let one = held.randomElement(using: &random)
        do {
            switch (Int.random(in: 0..<20, using: &random), one) {
            case (0..<4, _), (_, nil):
                var new = CreateSubscription(startDate: day("2026-0\(random.next() % 9 + 1)-28"), note: text)
                if random.next() % 4 == 0 {
                    new.plan = PrivatePlan(
                        provider: "Own \(random.next() % 3)", name: text, fee: amount("3.00"), currency: "USD",
                        duration: .init(value: 1, unit: .month))
                } else {
                    new.planId = plans.randomElement(using: &random)
                }
                try kit.add(new)
            case (4..<9, let one?):
                var change = UpdateSubscription(id: one.id)
                switch random.next() % 6 {
                case 0: change.label = .set(text)
                case 1: change.reminderDays = .set((number * 100 + count) % 366)
                case 2: change.fee = .set(Amount(units: Int64(number * 1000 + count), digits: 0))
                case 3: change.planId = .set(plans.prefix(2).randomElement(using: &random) ?? 1)
                case 4: change.muted = .set(!one.muted)
                default: change.note = .set(text)
                }
                if random.next() % 2 == 0 { change.note = .set(text) }
                try kit.change(change)
            case (9..<13, let one?):
                try kit.renew(one.id)
                guard try kit.held()[one.id]?.period != one.period + 1 else {
                    renewals += 1
                    break
                }
                // One that is not counted here would have the next name the same period, and both be one.
                do {
                    try kit.renew(one.id)
                    faults.append("two renewals name one period: \(one)")
                } catch KitError.invalid {}
            case (13, let one?): try kit.cancel(one.id)
            case (14, let one?): try kit.resume(one.id)
            case (15..<17, let one?): try kit.delete(one.id)
            case (17, _):
                if let id = try kit.deletedSubscriptions().map(\.id).randomElement(using: &random) {
                    try kit.restore(id)
                }
            default: try kit.change(UpdateMe(userName: .set(text)))
            }
        } catch KitError.invalid, KitError.unknown {
            // What makes no sense is refused at once.
        }
    }
}

extension Kit {
    /// All rows of the server's that are held, each as a text.
    func rows() throws -> [String: String] {
        try store.read { database in
            var rows: [String: String] = [:]
            for table in StoredTables.names {
                for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table)") {
                    rows["\(table) \(row["scope"] as String) \(row["id"] as DatabaseValue)"] = "\(row)"
                }
            }
            return rows
        }
    }
}
