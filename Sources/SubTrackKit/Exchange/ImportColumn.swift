/// A column that an import reads, by the names that programs give it.
enum ImportColumn: CaseIterable {
    case name, plan, planType, category, label, note, nextRenewal, startDate, autoRenew, active, inactive, status
    case cancelledOn, notify, reminderDays, muted, freeTrial, price, currency, currencyNumber, cycle, cycleNumber
    case frequency, planSource, planPrice, country, trialDays, noticeDays

    /// Its names in lower case, without anything but letters. The first that has a value counts.
    var names: [String] {
        switch self {
        case .name: ["name", "provider", "service", "servicename", "subscription", "title"]
        case .plan: ["plan", "planname"]
        case .planType: ["plantype"]
        case .category: ["category", "categoryname"]
        case .label: ["label"]
        case .note: ["note", "notes", "description"]
        case .nextRenewal:
            ["nextrenewal", "nextpayment", "renewaldate", "renewsat", "nextbilling", "nextbillingdate"]
        case .startDate: ["startdate", "start", "since"]
        case .autoRenew: ["autorenew", "renewal", "autorenewal"]
        case .active: ["active"]
        case .inactive: ["inactive"]
        case .status: ["status", "state"]
        case .cancelledOn: ["cancellationdate", "cancelationdate", "cancelledon"]
        case .notify: ["notify"]
        case .reminderDays: ["reminderdays", "notifydaysbefore"]
        case .muted: ["muted"]
        case .freeTrial: ["freetrial"]
        case .price: ["price", "cost", "fee", "amount"]
        case .currency: ["currency", "originalcurrency", "currencycode"]
        case .currencyNumber: ["currencyid"]
        case .cycle: ["cycle", "paymentcycle", "schedule", "billingcycle", "frequency", "period"]
        case .cycleNumber: ["cycle"]
        case .frequency: ["frequency"]
        case .planSource: ["plansource"]
        case .planPrice: ["planprice"]
        case .country: ["country"]
        case .trialDays: ["trialdays"]
        case .noticeDays: ["noticedays"]
        }
    }

    /// Its name in files of this program, for a row that does not have it.
    var title: String {
        switch self {
        case .planType: "plan_type"
        case .nextRenewal: "next_renewal"
        case .startDate: "start_date"
        case .autoRenew: "auto_renew"
        case .cancelledOn: "cancelled_on"
        case .reminderDays: "reminder_days"
        case .freeTrial: "free_trial"
        case .planSource: "plan_source"
        case .planPrice: "plan_price"
        case .trialDays: "trial_days"
        case .noticeDays: "notice_days"
        default: names.first ?? ""
        }
    }

    /// The column that a field of the API comes of; nil: none.
    init?(field: String) {
        switch field {
        case "plan.provider": self = .name
        case "plan.name": self = .plan
        case "plan.type": self = .planType
        case "plan.category": self = .category
        case "plan.fee", "fee": self = .price
        case "plan.currency": self = .currency
        case "plan.duration": self = .cycle
        case "plan.trialDays": self = .trialDays
        case "plan.noticeDays": self = .noticeDays
        case "startDate": self = .startDate
        case "nextRenewal": self = .nextRenewal
        case "label": self = .label
        case "note": self = .note
        case "reminderDays": self = .reminderDays
        case "autoRenew": self = .autoRenew
        default: return nil
        }
    }

    /// All names of all columns.
    static let known = Set(allCases.flatMap(\.names))
}
