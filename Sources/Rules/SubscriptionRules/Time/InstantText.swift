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
        return DigitWriter.text { text in
            text.write(date)
            text.write("T")
            text.write(timeOfDay: time / 1000, withSeconds: true)
            if time % 1000 != 0 {
                text.write(".")
                text.write(Int(time % 1000), digits: 3)
            }
            text.write("Z")
        }
    }

    /// The moment for people, in UTC: the day and the minute, such as `2026-01-31 00:00`, and the
    /// seconds where there are any, as in `2026-01-31 00:00:06`. Milliseconds are left out.
    public var plainText: String {
        let (date, time) = BillingZone.utc.wallClock(at: self)
        return DigitWriter.text { text in
            text.write(date)
            text.write(" ")
            text.write(timeOfDay: time / 1000, withSeconds: time / 1000 % 60 != 0)
        }
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
    public var iso8601: String { DigitWriter.text { $0.write(self) } }
}

/// Writes numbers and single marks one after the other. Most of what is told names a moment, so no
/// text is made for each of its parts.
private struct DigitWriter {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    /// The longest is a moment of a year with a sign and nine digits, in 30 bytes.
    static func text(_ body: (inout DigitWriter) -> Void) -> String {
        String(unsafeUninitializedCapacity: 48) { bytes in
            var writer = DigitWriter(bytes)
            body(&writer)
            return writer.count
        }
    }

    private init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func write(_ mark: Unicode.Scalar) {
        bytes[count] = UInt8(ascii: mark)
        count += 1
    }

    /// A number in decimal digits, with zeros in front up to so many.
    mutating func write(_ number: Int, digits least: Int) {
        var (digits, rest) = (1, number / 10)
        while rest > 0 { (digits, rest) = (digits + 1, rest / 10) }
        let start = count
        count += max(digits, least)
        precondition(count < bytes.count, "a part of a date is out of its range")
        rest = number
        for place in (start..<count).reversed() {
            bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }

    mutating func write(_ date: CivilDate) {
        if date.year < 0 { write("-") }
        write(abs(date.year), digits: 4)
        write("-")
        write(date.month, digits: 2)
        write("-")
        write(date.day, digits: 2)
    }

    mutating func write(timeOfDay seconds: Int64, withSeconds: Bool) {
        write(Int(seconds / 3600), digits: 2)
        write(":")
        write(Int(seconds / 60 % 60), digits: 2)
        guard withSeconds else { return }
        write(":")
        write(Int(seconds % 60), digits: 2)
    }
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
