import FoundationEssentials
import FoundationInternationalization
package import SubscriptionRules

/// How amounts, numbers and days are written in a language and a region.
package struct LocalFormat: Sendable {
    private let locale: Locale
    private let zone: TimeZone

    /// - Parameters:
    ///   - region: two letters (ISO 3166-1), such as `CH`.
    ///   - zone: whose days are shown (IANA), such as `Europe/Zurich`; UTC where it is unknown.
    package init(language: String, region: String, zone: String = "UTC") {
        locale = Locale(identifier: "\(language)_\(region)")
        self.zone = TimeZone(identifier: zone) ?? .gmt
    }

    /// An amount of money.
    ///
    /// - Parameters:
    ///   - milliunits: thousandths of the currency's unit.
    ///   - currency: its code, such as `USD`.
    package func amount(_ milliunits: Int64, _ currency: String) -> String {
        Decimal(
            sign: milliunits < 0 ? .minus : .plus, exponent: -3,
            significand: Decimal(milliunits.magnitude)
        ).formatted(.currency(code: currency).locale(locale))
    }

    /// A whole number, with its digits in groups.
    package func number(_ count: Int) -> String { count.formatted(.number.locale(locale)) }

    /// A moment to the minute.
    package func moment(_ at: Instant) -> String {
        date(at).formatted(style.day().month(.abbreviated).year().hour().minute())
    }

    /// The month of a moment in few letters, and its year.
    package func month(_ at: Instant) -> String {
        date(at).formatted(style.month(.abbreviated).year())
    }

    /// The day of a moment, its month in few letters.
    package func day(_ at: Instant) -> String {
        date(at).formatted(style.day().month(.abbreviated).year())
    }

    /// The day of a moment, its month in full.
    package func fullDay(_ at: Instant) -> String {
        date(at).formatted(style.day().month(.wide).year())
    }

    private func date(_ at: Instant) -> Date {
        Date(timeIntervalSince1970: Double(at.milliseconds) / 1000)
    }

    /// Calendar and zone are always said: else they would be the machine's.
    private var style: Date.FormatStyle {
        Date.FormatStyle(
            locale: locale, calendar: Calendar(identifier: .gregorian), timeZone: zone)
    }
}
