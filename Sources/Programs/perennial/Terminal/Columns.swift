import Timeline

/// Rows of text in columns that stand under one another; what has no room stands below its row.
struct Columns {
    /// How a cell stands in its column.
    enum Side: Hashable, Sendable { case left, right }

    private let names: [String]
    private let sides: [Side]
    private let first: [String]
    private let omitted: Set<Int>
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - header: the names of the columns.
    ///   - first: the columns that matter most, the most important one first: the others leave
    ///     the table before them, the last one first.
    ///   - without: the columns that say nothing here and are left out.
    init(
        _ header: [(name: String, side: Side)], first: [String] = [], without: [String] = []
    ) {
        let kept = header.indices.filter { !without.contains(header[$0].name) }
        omitted = Set(header.indices).subtracting(kept)
        let header = kept.map { header[$0] }
        names = header.map(\.name)
        sides = header.map(\.side)
        self.first = first
        precondition(self.first.allSatisfy(names.contains), "what matters most is a column")
    }

    /// Adds a row; it has a cell for each column.
    mutating func add(_ cells: [String]) {
        precondition(
            cells.count == sides.count + omitted.count, "a row has a cell for each column")
        rows.append(cells.indices.filter { !omitted.contains($0) }.map { cells[$0] })
    }

    /// A line for the names and one for each row, without spaces at the end. Where a terminal is
    /// too narrow for all columns, those that matter least stand below, with their names.
    func lines(_ style: Style) -> [String] {
        let widths = sides.indices.map { column in
            ([names] + rows).map { $0[column].terminalWidth }.max() ?? 0
        }
        let shown = shown(widths, style.lineWidth)
        let below = sides.indices.filter { !shown.contains($0) }
        return [style.paint(line(names, shown, widths), .faint)]
            + rows.flatMap { cells in
                // A row may go on with what the one above has several of.
                [line(cells, shown, widths)].filter { !$0.isEmpty } + rest(cells, below, style)
            }
    }

    /// The columns that have room, in their order.
    private func shown(_ widths: [Int], _ width: Int) -> [Int] {
        var shown = Array(sides.indices)
        let leaving =
            sides.indices.reversed().filter { !first.contains(names[$0]) }
            + first.reversed().compactMap(names.firstIndex(of:))
        for column in leaving.dropLast() {
            let needed = shown.reduce(-2) { $0 + widths[$1] + 2 }
            guard needed > width else { break }
            shown.removeAll { $0 == column }
        }
        return shown
    }

    private func line(_ cells: [String], _ shown: [Int], _ widths: [Int]) -> String {
        shown.map { column in
            sides[column] == .left
                ? cells[column].filled(to: widths[column])
                : cells[column].pushed(to: widths[column])
        }.joined(separator: "  ").trimmingEnd()
    }

    private func rest(_ cells: [String], _ below: [Int], _ style: Style) -> [String] {
        let parts = below.filter { !cells[$0].isEmpty }.map { column in
            Passage.Part(
                names[column].isEmpty ? cells[column] : "\(names[column]) \(cells[column])")
        }
        guard !parts.isEmpty else { return [] }
        let indent = "    "
        // Without colours, so that a line can be broken anywhere.
        return Passage.lines(
            parts, separator: ", ", width: style.lineWidth - indent.count, style: Style()
        ).flatMap { Folding.lines(of: indent + $0, width: style.lineWidth) }
    }
}
