import AppStoreWire

/// How receipts write dates: RFC 3339 in UTC, to the second; no date is an empty text (RCP-4).
enum ReceiptDateText {
    /// The text of an instant in milliseconds since 1970 UTC, rounded down to a second.
    static func write(_ milliseconds: Int64?) -> String {
        guard let milliseconds else { return "" }
        let time = CivilTime(milliseconds: milliseconds)
        return "\(time.dateText)T\(time.timeText)Z"
    }

    /// The instant of a text in milliseconds since 1970 UTC, or `nil` if it is none: with any
    /// offset from UTC, and with parts of a second, of which milliseconds are taken.
    static func read(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count, rest.prefix(count).allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 * 10 + Int($1 & 0xF) }
        }
        func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4), take("-"), let month = digits(2), take("-"),
            let day = digits(2), take("T"), let hour = digits(2), take(":"),
            let minute = digits(2), take(":"), let second = digits(2),
            let time = CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        var parts: Int64 = 0
        if take(".") {
            var scale: Int64 = 100
            guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
            while let digit = digits(1) {
                parts += Int64(digit) * scale
                scale /= 10
            }
        }
        if take("Z") { return rest.isEmpty ? time.milliseconds + parts : nil }
        let isEast = take("+")
        guard isEast || take("-"), let hours = digits(2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = digits(2), minutes < 60, rest.isEmpty else { return nil }
        let offset = Int64(hours * 60 + minutes) * 60_000
        return time.milliseconds + parts + (isEast ? -offset : offset)
    }
}
