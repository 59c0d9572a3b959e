import Metrics

/// The metric of tenants, by state.
struct TenantGauges: Sendable {
    /// The answer that a tenant's people get from this replica.
    enum State: String, CaseIterable {
        case active
        case suspended
        /// Work is done on the data.
        case closed
        /// The database was dropped, or its server has lost it.
        case gone
        /// The database is not migrated, or its server is away.
        case unavailable

        /// The state of a tenant.
        /// - Parameters:
        ///   - status: the state in the control database.
        ///   - opening: what this replica knows of the tenant's database; nil: it cannot even be tried.
        init(_ status: TenantSummary.Status, _ opening: TenantOpening?) {
            self =
                switch status {
                case .suspended: .suspended
                case .closed: .closed
                case .active:
                    switch opening {
                    case .some(let opening) where opening.hasLost: .gone
                    case .some(let opening) where !opening.isUnusable: .active
                    default: .unavailable
                    }
                }
        }
    }

    private let gauges = State.allCases.map { state in
        (state: state, gauge: Gauge(label: "subtrackit_tenants", dimensions: [("state", state.rawValue)]))
    }

    /// Notes the states of all tenants.
    func record(_ states: [State]) {
        for (state, gauge) in gauges { gauge.record(states.count { $0 == state }) }
    }
}
