import SubTrackAPI

// A pull with nothing new is the most frequent request, and a first one has thousands of members: see
// `Entities+JSONWritable`.

extension PullChanges.Output: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("dropped")
        json.beginArray()
        for scope in dropped {
            json.element()
            json.write(scope)
        }
        json.endArray()
        json.key("changes")
        json.beginArray()
        for change in changes {
            json.element()
            change.write(to: &json)
        }
        json.endArray()
        json.key("cursor")
        json.write(cursor)
        json.key("more")
        json.write(more)
        json.key("total")
        json.write(total)
        json.endObject()
    }
}

extension Change: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("scope")
        json.write(scope)
        json.key("version")
        json.write(version)
        json.key("entity")
        json.write(entity.rawValue)
        json.key("id")
        json.write(id)
        json.key("deleted")
        json.write(deleted)
        if let data {
            json.key("data")
            json.beginObject()
            data.writeMembers(to: &json)
            json.endObject()
        }
        json.endObject()
    }
}

extension Change.Data {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .me(let row): row.writeMembers(to: &json)
        case .subscription(let row): row.writeMembers(to: &json)
        case .period(let row): row.writeMembers(to: &json)
        case .plan(let row): row.writeMembers(to: &json)
        case .price(let row):
            json.key("planId")
            json.write(row.planId)
            json.key("effectiveOn")
            json.write(row.effectiveOn)
            json.key("fee")
            json.write(row.fee)
            json.key("currency")
            json.write(row.currency)
        case .provider(let row):
            json.key("category")
            json.write(row.category)
            json.key("website")
            json.write(optional: row.website)
            json.key("cancelUrl")
            json.write(optional: row.cancelUrl)
        case .country(let row):
            json.key("name")
            json.write(row.name)
            json.key("currency")
            json.write(row.currency)
        case .currency(let row):
            json.key("name")
            json.write(row.name)
            json.key("minorDigits")
            json.write(row.minorDigits)
        }
    }
}

extension StoredUser {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.key("userName")
        json.write(optional: userName)
        json.key("country")
        json.write(country)
        json.key("timeZone")
        json.write(timeZone)
        json.key("accounts")
        json.beginArray()
        for account in accounts {
            json.element()
            json.beginObject()
            json.key("email")
            json.write(account.email)
            json.key("verified")
            json.write(account.verified)
            json.endObject()
        }
        json.endArray()
    }
}

extension StoredSubscription {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.key("planId")
        json.write(planId)
        json.key("label")
        json.write(optional: label)
        json.key("startDate")
        json.write(startDate)
        json.key("endDate")
        json.write(endDate)
        json.key("freeTrial")
        json.write(freeTrial)
        json.key("anchorDate")
        json.write(anchorDate)
        json.key("anchorCount")
        json.write(anchorCount)
        json.key("period")
        json.write(period)
        json.key("fee")
        json.write(fee)
        json.key("currency")
        json.write(currency)
        json.key("ownFee")
        if let ownFee { json.write(ownFee) } else { json.writeNull() }
        json.key("autoRenew")
        json.write(autoRenew)
        json.key("cancelledOn")
        if let cancelledOn { json.write(cancelledOn) } else { json.writeNull() }
        json.key("reminderDays")
        json.write(optional: reminderDays)
        json.key("note")
        json.write(optional: note)
    }
}

extension StoredPeriod {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.key("subscriptionId")
        json.write(subscriptionId)
        json.key("number")
        json.write(number)
        json.key("startDate")
        json.write(startDate)
        json.key("endDate")
        json.write(endDate)
        json.key("fee")
        json.write(fee)
        json.key("currency")
        json.write(currency)
        json.key("freeTrial")
        json.write(freeTrial)
        json.key("planId")
        json.write(planId)
    }
}

extension StoredTerms {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("until")
        json.write(until)
        json.key("duration")
        json.beginObject()
        json.key("value")
        json.write(duration.value)
        json.key("unit")
        json.write(duration.unit.rawValue)
        json.endObject()
        json.key("noticeDays")
        json.write(noticeDays)
        json.endObject()
    }
}

extension StoredPlan {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.key("provider")
        json.write(provider)
        json.key("name")
        json.write(name)
        json.key("type")
        json.write(type)
        json.key("category")
        json.write(optional: category)
        json.key("country")
        json.write(country)
        json.key("fee")
        json.write(fee)
        json.key("currency")
        json.write(currency)
        json.key("feeSince")
        json.write(feeSince)
        json.key("duration")
        json.beginObject()
        json.key("value")
        json.write(duration.value)
        json.key("unit")
        json.write(duration.unit.rawValue)
        json.endObject()
        json.key("trialDays")
        json.write(optional: trialDays)
        json.key("noticeDays")
        json.write(noticeDays)
        json.key("formerTerms")
        if let formerTerms { formerTerms.write(to: &json) } else { json.writeNull() }
        json.key("withdrawnOn")
        if let withdrawnOn { json.write(withdrawnOn) } else { json.writeNull() }
        json.key("private")
        json.write(self.private)
    }
}
