import MerchantRules
import SubscriptionRules

/// What a campaign would do within a day if it were started now.
public struct CampaignToday: Hashable, Sendable {
    public internal(set) var mails: Int64 = 0
    public internal(set) var sheets: Int64 = 0
    public internal(set) var pushes: Int64 = 0
    public internal(set) var calls: Int64 = 0
}

extension Merchant {
    /// What a plan has for the day that begins when it was made. Messages of the store are none.
    ///
    /// - Throws: `MerchantError.unknownPlan`.
    public func today(
        of plan: CampaignPlan, by definition: CampaignDefinition
    ) async throws -> CampaignToday {
        var isToldHere = false
        if case .price(let campaign) = definition.work { isToldHere = campaign.isToldByMerchant }
        let end = plan.plannedAt + .days(1)
        var today = CampaignToday()
        var last: Int64?
        while true {
            let page = try await subscribers(
                of: plan.id, PlanFilter(decision: .included), after: last, limit: 200)
            for one in page {
                for message in one.detail.messages where isToldHere && message.moment < end {
                    switch PriceMessage.Channel(rawValue: message.channel) {
                    case .mail: today.mails += 1
                    case .sheet: today.sheets += 1
                    case .push: today.pushes += 1
                    case nil: break
                    }
                }
                let calls = one.detail.calls.filter { $0.opens < end && !$0.needsConsent }
                today.calls += Int64(calls.count)
            }
            guard let end = page.last else { return today }
            last = end.id
        }
    }
}
