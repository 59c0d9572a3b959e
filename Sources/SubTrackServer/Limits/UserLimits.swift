/// How much one user may have: enough for anybody, and little enough to be shown, summed, exported and deleted.
public struct UserLimits: Sendable {
    /// Subscriptions that are not deleted.
    public var subscriptions = 10_000
    /// Subscriptions whose periods a change of a plan may alter: 5 s of work.
    public var subscriptionsOfPlanChange = 1_000
    /// Periods of these that it may take back or record.
    public var periodsOfPlanChange = 5_000
    /// Subscriptions with those that were deleted and can still be restored.
    public var keptSubscriptions = 20_000
    /// Plans of the user's own.
    public var privatePlans = 10_000
    /// Former and announced prices of the user's own plans.
    public var prices = 50_000
    /// Those of one of these plans: each look at a subscription reads them.
    public var pricesOfPlan = 1_000
    /// Ended periods of all subscriptions, deleted ones included.
    public var periods = 50_000
    /// Tombstones. Beyond, the oldest give way, and a device that has not pulled since starts over.
    public var tombstones = 20_000
    /// Answers that are kept for writes with a key. Beyond, the oldest are forgotten.
    public var keptAnswers = 20_000
    /// Their size in bytes.
    public var keptAnswerBytes = 16 << 20
    /// Writes of one user in an hour, and at once after a rest. Each mutation of a push is one.
    public var writesPerHour = 15_000
    /// How long the service works on the changes of one push. The rest is to be sent again.
    public var pushTime = Duration.seconds(10)
    /// Writes from one network in an hour, and at once after a rest.
    public var networkWritesPerHour = 150_000

    /// The limits of the contract.
    public init() {}
}
