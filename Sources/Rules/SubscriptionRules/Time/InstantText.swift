extension Instant {
    /// Reads a moment as RFC 3339 writes it, such as `2026-01-31T16:03:33.250Z` or
    /// `2026-01-31T17:03:33+01:00`; a bare date such as `2027-01-01` is its midnight in UTC.
    ///
    /// Strict, because a misread moment moves a clock by years: two digits each, a zone always, at
    /// most nine decimals, of which three count, a day that exists, no leap second. Anything else
    /// gives nil.
    public init?(iso8601 text: String) {
        var scanner = DigitScanner(text)
        guard let date = scanner.date() else { return nil }
        let midnight = Int64(date.daysSinceEpoch) * Span.days(1).milliseconds
        if scanner.isAtEnd {
            self.init(milliseconds: midnight)
            return
        }
        guard scanner.take("T") || scanner.take("t"), let time = scanner.timeOfDay(),
            let zone = scanner.zone(),
            scanner.isAtEnd
        else { return nil }
        self.init(milliseconds: midnight + time.milliseconds - zone.milliseconds)
    }

    /// The moment as RFC 3339 writes it in UTC, such as `2026-01-31T00:00:00Z`; milliseconds
    /// are written only when there are any. `init(iso8601:)` reads it back for the years 0 to
    /// 9999.
    public var iso8601: String {
        let (date, time) = BillingZone.utc.wallClock(at: self)
        let seconds = time / 1000
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60]
            .map { padded(Int($0), to: 2) }.joined(separator: ":")
        let fraction = time % 1000 == 0 ? "" : "." + padded(Int(time % 1000), to: 3)
        return "\(date.iso8601)T\(clock)\(fraction)Z"
    }

    /// The moment for people, in UTC: the day and the minute, such as `2026-01-31 00:00`, and the
    /// seconds where there are any, as in `2026-01-31 00:00:06`. Milliseconds are left out.
    public var plainText: String {
        let (date, time) = BillingZone.utc.wallClock(at: self)
        let seconds = time / 1000
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60]
            .prefix(seconds % 60 == 0 ? 2 : 3)
            .map { padded(Int($0), to: 2) }.joined(separator: ":")
        return "\(date.iso8601) \(clock)"
    }

    /// Reads what `plainText` writes, also with a `T` in its midst or ` UTC` behind it, and all
    /// that `init(iso8601:)` reads; nil for anything else.
    public init?(plainText text: String) {
        let plain = text.hasSuffix(" UTC") ? text.dropLast(4) : text[...]
        let parts = plain.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }
        let (date, time) = (parts[0], parts.dropFirst().first ?? "")
        let isPlain = parts.count == 2 && time.utf8.allSatisfy { $0 < 0x3B }
        guard isPlain, [5, 8].contains(time.utf8.count) else {
            self.init(iso8601: text)
            return
        }
        self.init(iso8601: "\(date)T\(time)\(time.utf8.count == 5 ? ":00" : "")Z")
    }
}

extension CivilDate {
    /// The day as ISO 8601 writes it, such as `2026-01-31`.
    public var iso8601: String {
        let sign = year < 0 ? "-" : ""
        return sign + padded(abs(year), to: 4) + "-" + padded(month, to: 2) + "-"
            + padded(day, to: 2)
    }
}

/// A number in decimal digits, with zeros in front up to a width.
private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Takes fixed runs of ASCII digits and single marks from the front of a text.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes one mark if it comes next.
    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard let next = rest.first, next == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes exactly this many digits.
    mutating func number(digits: Int) -> Int? {
        let head = rest.prefix(digits)
        guard head.count == digits, head.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        rest.removeFirst(digits)
        return head.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Takes `yyyy-mm-dd` of a day that exists.
    mutating func date() -> CivilDate? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2), (1...12).contains(month),
            (1...CivilDate.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Takes `hh:mm:ss` with up to nine decimals; those beyond milliseconds are cut off.
    mutating func timeOfDay() -> Span? {
        guard let hour = number(digits: 2), hour < 24, take(":"),
            let minute = number(digits: 2), minute < 60, take(":"),
            let second = number(digits: 2), second < 60
        else { return nil }
        var milliseconds = ((hour * 60 + minute) * 60 + second) * 1000
        if take(".") {
            guard let first = number(digits: 1) else { return nil }
            let second = number(digits: 1)
            let third = second == nil ? nil : number(digits: 1)
            milliseconds += first * 100 + (second ?? 0) * 10 + (third ?? 0)
            var decimals = 3
            while decimals < 9, third != nil, number(digits: 1) != nil { decimals += 1 }
        }
        return Span(milliseconds: Int64(milliseconds))
    }

    /// Takes `Z`, `z` or `±hh:mm`: what the wall clock adds to universal time.
    mutating func zone() -> Span? {
        if take("Z") || take("z") { return Span(milliseconds: 0) }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(digits: 2), hours < 24, take(":"),
            let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return .minutes((hours * 60 + minutes) * (isWest ? -1 : 1))
    }
}
