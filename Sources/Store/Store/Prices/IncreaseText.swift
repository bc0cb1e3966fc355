import AppStoreWire
import Storage
public import SubscriptionRules

/// Price increases on their way as the JSON texts in which the subscription table keeps them.
enum IncreaseText {
    /// - Returns: nil where nothing is on its way. Of a plan of one line it is that line's.
    static func text(_ subscription: Subscription) -> String? {
        let running = subscription.plan.lines
        let increases = (running + subscription.waitingItems).compactMap { line in
            subscription.increases[line.sku].map { (line.sku, $0) }
        }
        guard !increases.isEmpty else { return nil }
        let isOfItsLine = running.count == 1 && increases.map(\.0) == running.map(\.sku)
        var json = JSONWriter(capacity: 512)
        json.object { json in
            guard !isOfItsLine else { return write(increases[0].1, to: &json) }
            json.array("lines") { json in
                for (sku, increase) in increases {
                    json.elementObject { json in
                        json.field("sku", sku)
                        write(increase, to: &json)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func increases(
        _ text: String, of plan: Plan, next: () throws(StorageError) -> Plan?
    ) throws(StorageError) -> [String: PendingIncrease] {
        let json = try StoredJSON(text)
        guard plan.lines.count > 1 || json.has("lines") else {
            return [plan.lines[0].sku: try increase(json)]
        }
        var increases: [String: PendingIncrease] = [:]
        for line in json.objects("lines") {
            let sku = try line.string("sku")
            if plan.line(sku) == nil, try next()?.line(sku) == nil {
                throw json.impossible("lines")
            }
            increases[sku] = try increase(line)
        }
        return increases
    }

    private static func increase(_ json: StoredJSON) throws(StorageError) -> PendingIncrease {
        PendingIncrease(
            price: try json.amount("price"), live: try json.instant("live"),
            phase: try phase(json),
            dependents: json.has("dependents") ? json.strings("dependents") : [])
    }

    private static func write(_ increase: PendingIncrease, to json: inout JSONWriter) {
        json.field("price", increase.price)
        json.field("live", increase.live.milliseconds)
        json.field("phase", increase.phase.name)
        if !increase.dependents.isEmpty { json.field("dependents", increase.dependents) }
        guard let schedule = increase.schedule else { return }
        json.field("path", schedule.path.rawValue)
        json.field("announcement", schedule.announcement.milliseconds)
        json.field("renewal", schedule.renewal.milliseconds)
        json.object("basis") { write(schedule.basis, to: &$0) }
        if let threshold = schedule.threshold {
            json.object("threshold") { write(threshold, to: &$0) }
        }
    }

    private static func phase(
        _ json: StoredJSON
    ) throws(StorageError) -> PendingIncrease.Phase {
        let name = try json.string("phase")
        guard name != "waiting" else { return .waiting }
        let schedule = PendingIncrease.Schedule(
            path: try json.parsed("path", ConsentDecision.Path.init(rawValue:)),
            announcement: try json.instant("announcement"), renewal: try json.instant("renewal"),
            basis: try basis(try json.object("basis")), threshold: try threshold(json))
        switch name {
        case "planned": return .planned(schedule)
        case "asked": return .asked(schedule)
        case "accepted": return .accepted(schedule)
        case "declined": return .declined(schedule)
        default: throw json.impossible("phase")
        }
    }

    private static func write(_ row: ConsentThresholds.Row, to json: inout JSONWriter) {
        json.field("storefront", row.storefront)
        json.field("currency", row.currency.code)
        json.field("always", row.alwaysConsent)
        json.field("nonAnnual", row.nonAnnualAmount)
        json.field("annual", row.annualAmount)
        json.field("day", row.asOf.daysSinceEpoch)
        json.field("origin", row.origin.rawValue)
    }

    /// What held when an increase was planned; nil for the built-in figures.
    private static func threshold(
        _ json: StoredJSON
    ) throws(StorageError) -> ConsentThresholds.Row? {
        guard json.has("threshold") else { return nil }
        let row = try json.object("threshold")
        return ConsentThresholds.Row(
            storefront: try row.string("storefront"),
            currency: try row.parsed("currency", Currency.init(everUsed:)),
            alwaysConsent: row.bool("always"),
            nonAnnualAmount: row.integerOrNil("nonAnnual"),
            annualAmount: row.integerOrNil("annual"),
            asOf: CivilDate(daysSinceEpoch: try row.count("day")),
            origin: try row.parsed("origin", ConsentThresholds.Origin.init(rawValue:)))
    }

    private static func write(_ basis: RenewalOutlook, to json: inout JSONWriter) {
        json.field("start", basis.periodStart.milliseconds)
        json.field("end", basis.periodEnd.milliseconds)
        json.field("anchor", basis.cycle.anchor.milliseconds)
        json.field("unit", basis.cycle.unit.rawValue)
        json.field("elapsed", basis.cycle.elapsed)
        json.field("period", basis.period.iso8601)
        json.field("offer", basis.offer.map(PlanText.text))
        json.field("nextOffer", basis.nextOffer.map(PlanText.text))
        switch basis.expectation {
        case .renews: json.field("standing", "renews")
        case .inBillingRetry: json.field("standing", "inBillingRetry")
        case .willNotRenew: json.field("standing", "willNotRenew")
        case .recovered(let moment):
            json.field("standing", "recovered")
            json.field("since", moment.milliseconds)
        case .turnedOnAgain(let moment):
            json.field("standing", "turnedOnAgain")
            json.field("since", moment.milliseconds)
        }
        if case .sandbox(let speed) = basis.tempo { json.field("speed", speed.rawValue) }
        json.field("zone", basis.zone.rawValue)
    }

    private static func basis(_ json: StoredJSON) throws(StorageError) -> RenewalOutlook {
        let offers = try ["offer", "nextOffer"].map { name throws(StorageError) in
            try json.stringOrNil(name).map { text throws(StorageError) in try PlanText.offer(text) }
        }
        guard
            let cycle = BillingCycle(
                stored: try json.instant("anchor"),
                unit: try json.parsed("unit", BillingCycle.Unit.init(rawValue:)),
                elapsed: try json.integer("elapsed"))
        else { throw json.impossible("elapsed") }
        return RenewalOutlook(
            periodStart: try json.instant("start"), periodEnd: try json.instant("end"),
            cycle: cycle, period: try json.parsed("period", CalendarPeriod.init(iso8601:)),
            offer: offers[0], nextOffer: offers[1], expectation: try expectation(json),
            tempo: try tempo(json),
            zone: try json.parsed("zone", BillingZone.init(rawValue:)))
    }

    private static func expectation(
        _ json: StoredJSON
    ) throws(StorageError) -> RenewalOutlook.Expectation {
        switch try json.string("standing") {
        case "renews": return .renews
        case "inBillingRetry": return .inBillingRetry
        case "willNotRenew": return .willNotRenew
        case "recovered": return .recovered(at: try json.instant("since"))
        case "turnedOnAgain": return .turnedOnAgain(at: try json.instant("since"))
        default: throw json.impossible("standing")
        }
    }

    private static func tempo(_ json: StoredJSON) throws(StorageError) -> Tempo {
        guard let minutes = json.integerOrNil("speed") else { return .real }
        guard let speed = SandboxSpeed(rawValue: Int(minutes)) else {
            throw json.impossible("speed")
        }
        return .sandbox(speed)
    }
}

extension PendingIncrease.Phase {
    /// The name in the database and on our surfaces.
    public var name: String {
        switch self {
        case .waiting: "waiting"
        case .planned: "planned"
        case .asked: "asked"
        case .accepted: "accepted"
        case .declined: "declined"
        }
    }
}
