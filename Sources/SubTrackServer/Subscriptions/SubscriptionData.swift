import MariaDB
import SubTrackAPI

/// A user's subscriptions, their periods, and plans of the user's own.
struct SubscriptionData: UserData {
    let tables = [
        UserTable(
            name: "Subscription", column: "User_ID", parts: ["Subscription_period"], merge: .covered, erase: .covered,
            export: .section("subscriptions"), data: .covered),
        UserTable(
            name: "Plan", column: "Owner_ID", parts: ["Plan_price"], merge: .covered, erase: .covered,
            export: .section("plans"), data: .covered),
        UserTable(
            name: "Private_provider", column: "Owner_ID", merge: .left(because: "the trigger of Plan moves it"),
            erase: .left(because: "the trigger of Plan removes it with its last plan"), export: .section("plans"),
            data: .left(because: "it has a plan")),
    ]
    let limits: [UserLimit] = [.subscriptions, .keptSubscriptions, .periods, .privatePlans, .prices]
    let preparations: [any UserPreparation] = [RenewalPreparation()]
    let export = SubscriptionExport.sections

    func merge(
        _ merge: UserMerge, into merged: inout CreateSession.Merged, on connection: Connection
    ) async throws {
        let result = try await SubscriptionMerge(merge: merge).run(on: connection)
        (merged.moved, merged.same) = (result.moved, result.same)
    }

    func erase(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int {
        try await SubscriptionErasure.remove(user, upTo: limit, on: connection)
    }
}
