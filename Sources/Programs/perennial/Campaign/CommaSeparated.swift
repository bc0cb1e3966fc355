import AppStoreWire
import ConnectAnswers

/// Tables for spreadsheets (RFC 4180).
enum CommaSeparated {
    /// A line for the names and one for each object; amounts in milliunits.
    static func lines(of objects: [Answer], _ columns: [String]) -> [String] {
        [columns.joined(separator: ",")] + objects.map { line(cells(of: $0, columns)) }
    }

    /// The members of an object as texts; an empty one for what is absent.
    static func cells(of object: Answer, _ columns: [String]) -> [String] {
        columns.map { column in
            switch object.value[column] {
            case .string(let text)?: text
            case .integer(let number)?: String(number)
            case .bool(let flag)?: flag ? "true" : "false"
            default: ""
            }
        }
    }

    static func line(_ cells: [String]) -> String {
        cells.map(quoted).joined(separator: ",")
    }

    /// A cell that a spreadsheet would take for a formula begins with an apostrophe: accounts
    /// choose their names.
    private static func quoted(_ cell: String) -> String {
        let isFormula = cell.first.map { "=+-@\t\r".contains($0) } ?? false
        let text = isFormula && Int64(cell) == nil ? "'" + cell : cell
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
