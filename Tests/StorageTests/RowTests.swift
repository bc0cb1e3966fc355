import Storage
import Testing

@Suite("Rows")
struct RowTests {
    private let row = Row([.null, .integer(7), .text("secret"), .bytes([1, 2])])

    @Test("A value of another type than was asked for is an error that does not quote it")
    func mismatch() {
        let reads: [(String, () throws(StorageError) -> Void)] = [
            (
                "column 0 holds NULL, not an integer",
                { () throws(StorageError) in
                    _ = try row.integer(0)
                }
            ),
            (
                "column 1 holds the integer 7, not 0 or 1",
                { () throws(StorageError) in
                    _ = try row.boolOrNil(1)
                }
            ),
            (
                "column 2 holds text of 6 bytes, not an integer",
                { () throws(StorageError) in
                    _ = try row.intOrNil(2)
                }
            ),
            (
                "column 3 holds 2 bytes, not text",
                { () throws(StorageError) in
                    _ = try row.textOrNil(3)
                }
            ),
            (
                "column 1 holds the integer 7, not bytes",
                { () throws(StorageError) in
                    _ = try row.bytesOrNil(1)
                }
            ),
        ]
        for (message, read) in reads {
            let error = #expect(throws: StorageError.self) { try read() }
            #expect(error?.code == .corrupt)
            #expect(error?.message == message)
        }
    }

    @Test("NULL is nothing where it may be, and an error where it may not")
    func absent() throws {
        #expect(try row.integerOrNil(0) == nil)
        #expect(try row.textOrNil(0) == nil)
        #expect(try row.boolOrNil(0) == nil)
        #expect(try row.bytesOrNil(0) == nil)
        #expect(throws: StorageError.self) { try row.text(0) }
        #expect(throws: StorageError.self) { try row.bool(0) }
        #expect(throws: StorageError.self) { try row.bytes(0) }
    }
}
