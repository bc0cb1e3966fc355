import AppStoreWire
public import SubscriptionRules

/// Price increases on their way as the JSON texts in which the subscription table keeps them.
enum IncreaseText {
    static func text(_ increase: PendingIncrease) -> String {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.field("price", increase.price)
            json.field("live", increase.live.milliseconds)
            json.field("phase", increase.phase.name)
            guard let schedule = increase.schedule else { return }
            json.field("path", schedule.path.rawValue)
            json.field("announcement", schedule.announcement.milliseconds)
            json.field("renewal", schedule.renewal.milliseconds)
            json.object("basis") { write(schedule.basis, to: &$0) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func increase(_ text: String) -> PendingIncrease {
        let json = StoredJSON(text)
        return PendingIncrease(
            price: json.integer("price")!, live: json.instant("live"), phase: phase(json))
    }

    private static func phase(_ json: StoredJSON) -> PendingIncrease.Phase {
        let name = json.string("phase")
        guard name != "waiting" else { return .waiting }
        let schedule = PendingIncrease.Schedule(
            path: ConsentDecision.Path(rawValue: json.string("path"))!,
            announcement: json.instant("announcement"), renewal: json.instant("renewal"),
            basis: basis(json.object("basis")))
        switch name {
        case "planned": return .planned(schedule)
        case "asked": return .asked(schedule)
        case "accepted": return .accepted(schedule)
        case "declined": return .declined(schedule)
        default: preconditionFailure("the stored phase \(name) is unknown")
        }
    }

    private static func write(_ basis: RenewalOutlook, to json: inout JSONWriter) {
        json.field("start", basis.periodStart.milliseconds)
        json.field("end", basis.periodEnd.milliseconds)
        json.field("anchor", basis.cycle.anchor.milliseconds)
        json.field("unit", basis.cycle.unit.rawValue)
        json.field("elapsed", basis.cycle.elapsed)
        json.field("period", basis.period.iso8601)
        json.field("offer", basis.offer.map(PlanText.text))
        switch basis.standing {
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

    private static func basis(_ json: StoredJSON) -> RenewalOutlook {
        let standing: RenewalOutlook.Standing =
            switch json.string("standing") {
            case "inBillingRetry": .inBillingRetry
            case "willNotRenew": .willNotRenew
            case "recovered": .recovered(at: json.instant("since"))
            case "turnedOnAgain": .turnedOnAgain(at: json.instant("since"))
            default: .renews
            }
        let speed = json.integer("speed").flatMap { SandboxSpeed(rawValue: Int($0)) }
        return RenewalOutlook(
            periodStart: json.instant("start"), periodEnd: json.instant("end"),
            cycle: BillingCycle(
                anchor: json.instant("anchor"),
                unit: BillingCycle.Unit(rawValue: json.string("unit"))!,
                elapsed: json.integer("elapsed")!),
            period: CalendarPeriod(iso8601: json.string("period"))!,
            offer: json.stringOrNil("offer").map(PlanText.offer), standing: standing,
            tempo: speed.map(Tempo.sandbox) ?? .real,
            zone: BillingZone(rawValue: json.string("zone"))!)
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
