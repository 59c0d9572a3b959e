/// Every operation of the service, in one table.
public enum OperationTable {
    /// All operations; the server refuses to start when one of them has no handler.
    public static let all: [any Operation.Type] = [
        GetServerInfo.self,
        ListCountries.self,
        ListProviders.self,
        ListPlans.self,
        GetPlan.self,
        RegisterDevice.self,
        GetMe.self,
        UpdateMe.self,
        GetDashboard.self,
        ListSubscriptions.self,
        CreateSubscription.self,
        GetSubscription.self,
        UpdateSubscription.self,
        DeleteSubscription.self,
        RenewSubscription.self,
        CancelSubscription.self,
        ResumeSubscription.self,
        ListPeriods.self,
    ]
}
