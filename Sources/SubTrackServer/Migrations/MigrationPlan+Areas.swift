import SubTrackSQL

extension AreaList {
    /// The plan of a tenant's database.
    /// - Parameter set: the areas that are on in the tenant.
    func plan(for set: AreaSet) -> MigrationPlan {
        var plan = MigrationPlan.tenant.adding(areas(in: set).map(\.sql))
        plan.absent = areas(in: all.subtracting(set)).map(\.sql)
        return plan
    }

    /// The areas whose tables are all in a database.
    /// - Parameter applied: the files that were applied to it.
    func made(in applied: [String: MigrationQueries.Applied]) -> AreaSet {
        var made = AreaSet()
        for (place, area) in areas.enumerated() where area.sql.steps.allSatisfy({ applied[$0.path] != nil }) {
            made.insert(.place(place))
        }
        return made
    }
}

extension MigrationPlan {
    /// The same with the files of some areas. Their tables come behind those of which they may know.
    func adding(_ areas: [AreaSQL]) -> MigrationPlan {
        var plan = MigrationPlan(
            steps: steps + areas.flatMap(\.steps), triggers: triggers + areas.flatMap(\.triggers),
            definitions: definitions + areas.flatMap(\.views))
        plan.lateSteps = lateSteps
        plan.oldestService = oldestService
        return plan
    }

    /// The same with the areas that are off and were on once. Their tables stay, and their triggers on other areas'
    /// tables run on: both have to fit the tables of this version.
    /// - Parameter applied: the files that were applied to the database.
    func keeping(_ applied: [String: MigrationQueries.Applied]) -> MigrationPlan {
        let kept = absent.filter { area in area.steps.contains { applied[$0.path] != nil } }
        guard !kept.isEmpty else { return self }
        var plan = adding(kept)
        plan.absent = absent.filter { area in !area.steps.contains { applied[$0.path] != nil } }
        return plan
    }
}
