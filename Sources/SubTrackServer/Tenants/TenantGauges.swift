import Metrics

/// The metric of tenants, by state.
struct TenantGauges: Sendable {
    private let gauges = TenantSummary.Status.allCases.map { status in
        (status: status, gauge: Gauge(label: "subtrackit_tenants", dimensions: [("state", status.rawValue)]))
    }

    /// Notes the states of all tenants.
    func record(_ states: [TenantSummary.Status]) {
        for (status, gauge) in gauges { gauge.record(states.count { $0 == status }) }
    }
}
