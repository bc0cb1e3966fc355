public import SubscriptionRules

extension CampaignSchedule {
    /// What a message says: the prices of a period with all items, and the first renewal at the new
    /// one.
    public struct Terms: Hashable, Sendable {
        public let oldPrice: Int64
        public let newPrice: Int64
        public let renewal: Instant
    }

    /// What a message about an occasion says; nil where there is nothing to say of it. A notice
    /// names no price that needs consent besides, unless that was given: it would announce what
    /// may never be charged (CMP-36, ACC-7). The end of an offer has prices of its own, and none of
    /// the campaign's (KOR-9).
    ///
    /// - Parameter agreed: the items to whose prices the subscriber has agreed.
    public func terms(
        about occasion: CommunicationTimetable.Occasion, agreed: Set<String> = []
    ) -> Terms? {
        switch occasion {
        case .notice:
            let told = changes.filter { !$0.needsConsent && $0.newPrice > $0.oldPrice }
            guard let first = told.map(\.renewal).min() else { return nil }
            let certain = changes.filter { change in
                !change.needsConsent || (agreed.contains(change.sku) && change.renewal <= first)
            }
            return Terms(
                oldPrice: oldPrice,
                newPrice: certain.reduce(oldPrice) { $0 + $1.newPrice - $1.oldPrice },
                renewal: first)
        case .consent:
            let asked = changes.filter(\.needsConsent)
            return asked.map(\.renewal).min().map {
                Terms(oldPrice: oldPrice, newPrice: newPrice, renewal: $0)
            }
        case .koreanConversion:
            return conversion.map {
                Terms(oldPrice: $0.oldPrice, newPrice: $0.newPrice, renewal: $0.moment)
            }
        }
    }
}

extension PriceCampaignState {
    /// What a message about an occasion says now; nil where there is nothing to say of it.
    public func terms(
        about occasion: CommunicationTimetable.Occasion
    ) -> CampaignSchedule.Terms? {
        var agreed: Set<String> = []
        if let answer, answer.isAgreed { agreed = Set(answer.skus) }
        return schedule?.terms(about: occasion, agreed: agreed)
    }
}
