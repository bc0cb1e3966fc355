import HTMLPages

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

    private func drawing(id: String, width: Int, _ highest: Int64) -> Drawing {
        var drawing = Drawing(
            id: id, title: MerchantWords.Figures.drawing(currency), width: width,
            height: Self.height)
        let inner = width - 2 * Self.margin
        let room = max(1, inner / max(1, days.count))
        let top = Int64(Self.axis - Self.margin)
        for (place, day) in days.enumerated() {
            let x = Self.margin + place * inner / max(1, days.count)
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
