package import SubscriptionRules

/// One value on a page, in a table or beside its name.
package struct Cell: Sendable, Hashable {
    let text: String
    let broken: BrokenText
    /// What there is to say besides, in smaller letters below.
    let detail: BrokenText?
    var isLink = false
    var href = ""
    var isBadge = false
    var tone = ""
    var isMoment = false
    var datetime = ""
    var isCode = false
    var isPlain = true
    /// Whether it stands at the end of its column.
    var isNumber = false
    private var isName = false
    /// In a table: the title of its column, for narrow screens.
    var column = ""
    /// In a table: what the style sheet must know of it.
    var kind: String?

    /// A text, and something besides.
    package init(_ text: String, detail: String? = nil) {
        self.text = text
        broken = BrokenText(text)
        self.detail = detail.map(BrokenText.init)
    }

    /// A text that leads somewhere.
    package init(_ link: PageLink, detail: String? = nil) {
        self.init(link.text, detail: detail)
        (isLink, href) = (true, link.href)
    }

    /// A word that is meant in some way, such as a state.
    package static func badge(_ text: String, _ tone: Tone, detail: String? = nil) -> Cell {
        var cell = Cell(text, detail: detail)
        (cell.isBadge, cell.tone) = (true, tone.rawValue)
        return cell
    }

    /// A moment, as a text for people.
    package static func moment(_ at: Instant, _ text: String, detail: String? = nil) -> Cell {
        var cell = Cell(text, detail: detail)
        (cell.isMoment, cell.isPlain, cell.datetime) = (true, false, at.iso8601)
        return cell
    }

    /// A text for machines, such as an identifier.
    package static func code(_ text: String, detail: String? = nil) -> Cell {
        var cell = Cell(text, detail: detail)
        (cell.isCode, cell.isPlain) = (true, false)
        return cell
    }

    /// A number or an amount.
    package static func number(_ text: String, detail: String? = nil) -> Cell {
        var cell = Cell(text, detail: detail)
        cell.isNumber = true
        return cell
    }

    /// Who somebody is: in a table it is broken anywhere, or a long one would push the other
    /// columns out of sight.
    package static func name(_ link: PageLink) -> Cell {
        var cell = Cell(link)
        cell.isName = true
        return cell
    }

    /// Nothing.
    package static let none = Cell("")

    /// The same in a column of a table.
    func placed(in column: String) -> Cell {
        var cell = self
        cell.column = column
        cell.kind =
            text.isEmpty && detail == nil ? "nothing" : isNumber ? "number" : isName ? "name" : nil
        return cell
    }

    /// The same, which leads somewhere.
    package func linked(to href: String) -> Cell {
        var cell = self
        (cell.isLink, cell.href) = (true, href)
        return cell
    }
}

/// Values with their names, in two columns where there is room.
package struct Facts: PageBlock {
    package let template = "facts"
    let rows: [Row]

    /// A value with its name.
    struct Row: Sendable {
        let label: String
        let value: Cell
    }

    /// - Parameter rows: those without a value are left out.
    package init(_ rows: [(label: String, value: Cell?)]) {
        self.rows = rows.compactMap { row in row.value.map { Row(label: row.label, value: $0) } }
    }
}

/// Rows and columns; on a narrow screen each row is a block of values with their columns' titles.
/// A wide one is scrolled in a box of its own. Of a long one some rows are folded away.
package struct DataTable: PageBlock {
    package let template = "table"
    let caption: String
    let hidesCaption: Bool
    let columns: [Column]
    let rows: [Row]
    /// What is folded away, before the other rows or behind them; both are empty if nothing is.
    let before: [Row]
    let after: [Row]
    let hasBefore: Bool
    let hasAfter: Bool
    let unfoldBefore: String?
    let unfoldAfter: String?
    let isEmpty: Bool
    let emptyText: String
    let more: PageLink?

    /// Which rows of a long table are seen at first; the others are unfolded without a request.
    package enum Shown: Sendable {
        case all
        /// The ten at the beginning, such as the newest of a table that begins with them.
        case first(@Sendable (Int) -> String)
        /// The ten at the end.
        case last(@Sendable (Int) -> String)

        /// So many are seen.
        static let most = 10
    }

    /// What stands above values of one kind.
    struct Column: Sendable {
        let title: String
        let isNumber: Bool
    }

    /// Values of one thing.
    package struct Row: Sendable {
        let id: String?
        let cells: [Cell]

        package init(_ cells: [Cell], id: String? = nil) {
            self.cells = cells
            self.id = id
        }
    }

    /// - Parameters:
    ///   - caption: what it is a table of.
    ///   - hidesCaption: whether only screen readers are told, since a heading says the same.
    ///   - columns: their titles; those of numbers follow their cells.
    ///   - empty: why there is nothing, and what to do about it.
    ///   - more: where it goes on.
    ///   - shown: which rows are seen at first, with words for unfolding so many others.
    package init(
        _ caption: String, columns: [String], rows: [Row], empty: String, more: PageLink? = nil,
        hidesCaption: Bool = true, shown: Shown = .all
    ) {
        self.caption = caption
        self.hidesCaption = hidesCaption
        self.columns = columns.enumerated().map { place, title in
            let cells = rows.compactMap { $0.cells.indices.contains(place) ? $0.cells[place] : nil }
            return Column(title: title, isNumber: cells.contains { $0.isNumber })
        }
        let all = rows.map { row in
            Row(
                row.cells.enumerated().map { place, cell in
                    cell.placed(in: columns.indices.contains(place) ? columns[place] : "")
                }, id: row.id)
        }
        var (before, after): ([Row], [Row]) = ([], [])
        var (unfoldBefore, unfoldAfter): (String?, String?)
        // One or two more take no more room than what unfolds them.
        if all.count > Shown.most + 2 {
            switch shown {
            case .all: break
            case .first(let words):
                after = Array(all.dropFirst(Shown.most))
                unfoldAfter = words(after.count)
            case .last(let words):
                before = Array(all.dropLast(Shown.most))
                unfoldBefore = words(before.count)
            }
        }
        self.rows = Array(all[before.count..<(all.count - after.count)])
        (self.before, self.after) = (before, after)
        (self.unfoldBefore, self.unfoldAfter) = (unfoldBefore, unfoldAfter)
        (hasBefore, hasAfter) = (!before.isEmpty, !after.isEmpty)
        isEmpty = rows.isEmpty
        emptyText = empty
        self.more = more
    }
}
