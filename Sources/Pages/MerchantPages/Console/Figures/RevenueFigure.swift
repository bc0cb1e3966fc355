import HTMLPages
import SubscriptionRules

/// Paints the revenue of days in one currency as SVG: a bar a day. The table beside it says the
/// same, and leads to the transactions.
struct RevenueFigure {
    private let days: [RevenueDay]
    private let currency: String
    private let locale: PageLocale
    /// Tells it from the others of its page.
    private let number: Int

    /// - Parameter days: at least one, the first first.
    init(_ days: [RevenueDay], _ currency: String, _ locale: PageLocale, number: Int) {
        self.days = days
        self.currency = currency
        self.locale = locale
        self.number = number
    }

    private static let height = 120
    private static let axis = 96
    private static let margin = 8

    var figure: Figure {
        let highest = days.map(\.revenue).max() ?? 0
        return Figure(
            wide: drawing(id: "revenue-\(number)", width: 1100, highest),
            narrow: drawing(id: "revenue-\(number)-narrow", width: 360, highest),
            caption: MerchantWords.Figures.highest(locale.amount(highest, currency)))
    }

    /// How many days it lies behind the first.
    private func place(of day: RevenueDay) -> Int {
        func midnight(_ day: String) -> Instant? { Instant(iso8601: "\(day)T00:00:00Z") }
        guard let first = days.first.flatMap({ midnight($0.day) }),
            let own = midnight(day.day)
        else { return 0 }
        return Int(max(0, own.since(first).milliseconds / 86_400_000))
    }

    private func drawing(id: String, width: Int, _ highest: Int64) -> Drawing {
        var drawing = Drawing(
            id: id, title: MerchantWords.Figures.drawing(currency), width: width,
            height: Self.height)
        let inner = width - 2 * Self.margin
        // By the calendar: days without revenue are not among them, and leave a gap.
        let places = days.map { place(of: $0) }
        let count = max(1, (places.max() ?? 0) + 1)
        let room = max(1, inner / count)
        let top = Int64(Self.axis - Self.margin)
        for (place, day) in zip(places, days) {
            let x = Self.margin + place * inner / count
            // A day of small revenue is seen still, and one of none is a line.
            let size = highest > 0 ? Int(max(1, day.revenue * top / highest)) : 1
            drawing.rectangle(
                x: x, y: Self.axis - size, width: max(1, min(room - 1, 40)), height: size,
                class: "paid", title: "\(day.day): \(locale.amount(day.revenue, currency))")
        }
        drawing.line(
            x1: Self.margin, y1: Self.axis, x2: width - Self.margin, y2: Self.axis, class: "axis")
        if let first = days.first, let last = days.last {
            drawing.text(first.day, x: Self.margin, y: Self.axis + 18, class: "faint")
            if days.count > 1 {
                drawing.text(
                    last.day, x: width - Self.margin, y: Self.axis + 18, anchor: .end,
                    class: "faint")
            }
        }
        return drawing
    }
}
