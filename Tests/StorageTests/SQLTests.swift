import Storage
import Testing

@Suite struct SQLTests {
    @Test("An interpolated value becomes a placeholder and a bind")
    func interpolatesValues() {
        let name: String? = nil
        let sql: SQL = "SELECT a FROM t WHERE b = \(1) AND c = \("x'; DROP") AND d = \(name)"
        #expect(sql.text == "SELECT a FROM t WHERE b = $1 AND c = $2 AND d = $3")
        #expect(sql.binds == [.integer(1), .text("x'; DROP"), .null])
    }

    @Test("Values of every type convert, and an enumeration by its raw value")
    func convertsValues() {
        enum Colour: String, SQLConvertible { case red }
        enum Size: Int, SQLConvertible { case large = 3 }
        let sql: SQL = """
            \(true) \(false) \(Int32(5)) \(Int64.min) \([UInt8]([1])) \(Colour.red) \
            \(Size.large) \(Size?.none) \(SQLValue.text("v"))
            """
        #expect(
            sql.binds == [
                .integer(1), .integer(0), .integer(5), .integer(.min), .bytes([1]), .text("red"),
                .integer(3), .null, .text("v"),
            ])
    }

    @Test("Raw text is inserted as it is")
    func insertsRawText() {
        let sql: SQL = "SELECT 1 FROM \(raw: "t") WHERE a = \(2)"
        #expect(sql.text == "SELECT 1 FROM t WHERE a = $1")
    }

    @Test("A list becomes one placeholder a value, and an empty one NULL")
    func interpolatesLists() {
        let sql: SQL = "a = \("x") AND b IN (\(list: [7, 8, 9])) AND c IN (\(list: [String]()))"
        #expect(sql.text == "a = $1 AND b IN ($2, $3, $4) AND c IN (NULL)")
        #expect(sql.binds == [.text("x"), .integer(7), .integer(8), .integer(9)])
    }

    @Test("A spliced statement is renumbered, but not what stands in quotes")
    func splicesStatements() {
        let condition: SQL = "b = \(2) AND c = '$1' AND \"d$1\" = \(3)"
        let sql: SQL = "SELECT a FROM t WHERE a = \(1) AND (\(condition)) LIMIT \(4)"
        let middle = "b = $2 AND c = '$1' AND \"d$1\" = $3"
        #expect(sql.text == "SELECT a FROM t WHERE a = $1 AND (\(middle)) LIMIT $4")
        #expect(sql.binds == [.integer(1), .integer(2), .integer(3), .integer(4)])
    }

    @Test("Joined statements are renumbered, past ten binds too")
    func joinsStatements() {
        let ten: SQL = "\(list: Array(1...10))"
        var sql = ten + ", " + ten
        sql += " + \(21)"
        let numbers = (1...20).map { "$\($0)" }.joined(separator: ", ")
        #expect(sql.text == numbers + " + $21")
        #expect(sql.binds.count == 21)
    }
}
