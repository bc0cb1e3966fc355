import SubscriptionRules

extension RenewalOutlook {
    /// A subscriber since an anchor, in a period after some renewals; moments as `moment` reads
    /// them.
    static func since(
        _ anchor: String, renewals: Int = 0, _ period: CalendarPeriod,
        offer: AppliedOffer? = nil, expectation: Expectation = .renews, tempo: Tempo = .real,
        zone: BillingZone = .utc
    ) -> RenewalOutlook {
        var cycle = BillingCycle(anchor: moment(anchor))
        for _ in 0..<renewals { cycle.advance(by: period, tempo: tempo, zone: zone) }
        let start = cycle.end(in: zone)
        cycle.advance(by: offer?.runningLength ?? period, tempo: tempo, zone: zone)
        return RenewalOutlook(
            periodStart: start, cycle: cycle, period: period, offer: offer,
            expectation: expectation,
            tempo: tempo, zone: zone)
    }
}

extension CommunicationCalendar {
    /// The moments on one channel, as `text` writes them.
    func sends(_ channel: PriceMessage.Channel) -> [String] {
        messages.filter { $0.channel == channel }.map { text($0.moment) }
    }

    /// R as text.
    var firstRenewalText: String? { firstRenewal.map { text($0) } }

    /// The renewals at the old price as text.
    var oldPriceTexts: [String] { oldPriceRenewals.map { text($0.moment) } }
}
