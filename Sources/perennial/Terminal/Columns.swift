/// Rows of text in columns that stand under one another.
struct Columns {
    /// How a cell stands in its column.
    enum Side: Hashable, Sendable { case left, right }

    private let sides: [Side]
    private var rows: [(cells: [String], colour: Style.Colour?)] = []

    /// - Parameter header: the names of the columns.
    init(_ header: [(name: String, side: Side)]) {
        sides = header.map(\.side)
        rows.append((header.map(\.name), .faint))
    }

    /// Adds a row; it has a cell for each column.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == sides.count, "a row has a cell for each column")
        rows.append((cells, nil))
    }

    /// One line a row, without spaces at the end.
    func lines(_ style: Style) -> [String] {
        let widths = sides.indices.map { column in rows.map { $0.cells[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.cells.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                line += sides[column] == .left ? cell + space : space + cell
                line += "  "
            }
            return style.paint(line.trimmingEnd(), row.colour)
        }
    }
}

extension String {
    /// The text without spaces at its end.
    func trimmingEnd() -> String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// The text, with spaces behind it up to a width.
    func filled(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }

    /// The text, with spaces before it up to a width.
    func pushed(to width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - count)) + self
    }
}
