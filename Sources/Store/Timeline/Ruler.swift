import SubscriptionRules

/// A scale of time: which character stands for which moment, with ticks at round moments.
struct Ruler {
    let start: Instant
    let end: Instant
    /// How many characters it is long.
    let width: Int

    /// The distances that ticks may have, the shortest first.
    private enum Step: Hashable {
        case minutes(Int)
        case days(Int)
        case months(Int)

        static let all: [Step] = [
            .minutes(1), .minutes(5), .minutes(10), .minutes(30), .minutes(60), .minutes(180),
            .minutes(360), .days(1), .days(7), .months(1), .months(3), .months(6), .months(12),
            .months(24), .months(60), .months(120), .months(240),
        ]

        /// How many characters its labels need between ticks.
        var room: Int64 {
            switch self {
            case .minutes, .days: 9
            case .months(let count): count < 12 ? 10 : 6
            }
        }

        /// About how long it is.
        var span: Span {
            switch self {
            case .minutes(let count): .minutes(count)
            case .days(let count): .days(count)
            case .months(let count): .days(count * 30)
            }
        }
    }

    private struct Tick: Hashable {
        var at: Instant
        var label: String
        /// What the first tick says besides, where there is room: what the others leave out.
        var longLabel: String
    }

    /// The character in which a moment lies; the ends take what lies outside.
    func cell(_ moment: Instant) -> Int {
        let length = end.since(start).milliseconds
        guard length > 0 else { return 0 }
        let place = moment.since(start).milliseconds * Int64(width) / length
        return min(max(Int(place), 0), width - 1)
    }

    /// The line with a tick at each round moment.
    func axis(_ style: Style) -> String {
        var axis = [String](repeating: style.pick("─", "-"), count: width)
        for tick in ticks { axis[cell(tick.at)] = style.pick("┴", "+") }
        return axis.joined()
    }

    /// The labels below the ticks, where there is room for them.
    var labels: String {
        var line = ""
        let ticks = ticks
        for (index, tick) in ticks.enumerated() {
            let place = cell(tick.at)
            let end = index + 1 < ticks.count ? cell(ticks[index + 1].at) - 1 : width
            let hasRoom = index == 0 && place + tick.longLabel.count <= end
            let label = hasRoom ? tick.longLabel : tick.label
            // The last one may move a little to stay on the line.
            let from = min(place, width - label.count)
            guard from >= 0, line.isEmpty || from > line.count else { continue }
            line = line.filled(to: from) + label
        }
        return line
    }

    /// The round moments with the labels that have room below them, each of which begins at its
    /// moment.
    var labelledMoments: [(at: Instant, label: String)] {
        var free = 0
        return ticks.enumerated().compactMap { index, tick in
            let label = index == 0 ? tick.longLabel : tick.label
            let place = cell(tick.at)
            guard place >= free, place + label.count <= width else { return nil }
            free = place + label.count + 1
            return (tick.at, label)
        }
    }

    // MARK: Round moments

    /// The shortest step at which labels have room.
    private var step: Step {
        let length = end.since(start).milliseconds
        return Step.all.first { step in
            step.span.milliseconds * Int64(width) >= length * step.room
        } ?? .months(240)
    }

    private var ticks: [Tick] {
        let step = step
        let moments: [Instant] =
            switch step {
            case .minutes(let count): even(.minutes(count), from: Instant(milliseconds: 0))
            case .days(1): even(.days(1), from: Instant(milliseconds: 0))
            // Weeks have no round days: they are counted from the first one.
            case .days(let count): even(.days(count), from: midnight)
            case .months(let count): months(count)
            }
        return moments.map { moment in
            let (short, long) = labels(moment, step)
            return Tick(at: moment, label: short, longLabel: long)
        }
    }

    private var midnight: Instant {
        BillingZone.utc.instant(of: BillingZone.utc.wallClock(at: start).date, milliseconds: 0)
    }

    private func even(_ span: Span, from origin: Instant) -> [Instant] {
        let passed = start.since(origin).milliseconds
        let first = (passed + span.milliseconds - 1) / span.milliseconds
        let moments = stride(
            from: origin.milliseconds + first * span.milliseconds, to: end.milliseconds,
            by: Int64.Stride(span.milliseconds))
        return moments.map(Instant.init(milliseconds:))
    }

    private func months(_ count: Int) -> [Instant] {
        var date = BillingZone.utc.wallClock(at: start).date
        let sinceZero = date.year * 12 + date.month - 1
        date = CivilDate(year: date.year, month: date.month, day: 1)
            .adding(months: -(sinceZero % count))
        var moments: [Instant] = []
        while true {
            let moment = BillingZone.utc.instant(of: date, milliseconds: 0)
            guard moment < end else { return moments }
            if moment >= start { moments.append(moment) }
            date = date.adding(months: count)
        }
    }

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// What stands below a tick, in short and in full.
    private func labels(_ moment: Instant, _ step: Step) -> (short: String, long: String) {
        let date = BillingZone.utc.wallClock(at: moment).date
        let day = String(date.iso8601.suffix(5))
        switch step {
        case .minutes:
            let time = String(moment.plainText.suffix(5))
            return (time == "00:00" ? day : time, moment.plainText)
        case .days:
            return (day, date.iso8601)
        case .months(let count):
            let year = String(date.year)
            if count >= 12 || date.month == 1 { return (year, year) }
            let name = Ruler.monthNames[date.month - 1]
            return (name, "\(name) \(year)")
        }
    }
}
