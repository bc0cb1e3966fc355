import AppStoreWire
import Testing

@Suite("Reading values of JSON")
struct JSONValueDecoderTests {
    private struct Leaf: Decodable, Equatable {
        var name: String
        var size: Int?
    }

    private enum Colour: String, Decodable { case red, green }

    private struct Whole: Decodable, Equatable {
        var truth: Bool
        var double: Double
        var float: Float
        var int: Int
        var int8: Int8
        var int16: Int16
        var int32: Int32
        var int64: Int64
        var uint: UInt
        var uint8: UInt8
        var uint16: UInt16
        var uint32: UInt32
        var uint64: UInt64
        var leaf: Leaf
        var leaves: [Leaf]
        var grid: [[Int]]
        var sparse: [Double?]
        var named: [String: Leaf]
        var colour: Colour?
        var rest: Leaf?
    }

    private static let whole = """
        {"truth":true,"double":2,"float":0.5,"int":-7,"int8":-128,"int16":-32768,
        "int32":-2147483648,"int64":9223372036854775807,"uint":7,"uint8":255,"uint16":65535,
        "uint32":4294967295,"uint64":9223372036854775807,"leaf":{"name":"a","size":null},
        "leaves":[{"name":"b","size":3},{"name":"c"}],"grid":[[1,2],[],[3]],
        "sparse":[1,null,2.5],"named":{"x":{"name":"d","size":4.0}},"colour":"green","rest":null}
        """

    @Test("All shapes that a type can have are read as Foundation's decoder reads them")
    func whole() throws {
        let whole = try Sample.decode(Whole.self, Array(Self.whole.utf8))
        #expect(whole.named["x"]?.size == 4)
        #expect(whole.sparse == [1, nil, 2.5])
    }

    @Test(
        "What does not fit is refused at its place",
        arguments: [
            (#""int8":-128"#, #""int8":-129"#), (#""uint":7"#, #""uint":-7"#),
            (#""int":-7"#, #""int":-7.5"#), (#""truth":true"#, #""truth":1"#),
            (#""truth":true"#, #""truth":null"#), (#""double":2"#, #""double":"2""#),
            (#""name":"a""#, #""name":1"#), (#""name":"c""#, #""title":"c""#),
            (#""leaf":{"name":"a","size":null}"#, #""leaf":["a"]"#), ("[[1,2]", "[[1,true]"),
            (#""grid":["#, #""grid":[{},"#), (#""colour":"green""#, #""colour":"blue""#),
            (#""leaf":"#, #""leave":"#), (#""rest":null"#, #""rest":{"size":"big"}"#),
        ] as [(String, String)])
    func refused(right: String, wrong: String) {
        #expect(Self.whole.contains(right))
        #expect(throws: DecodingError.self) {
            try Sample.decode(
                Whole.self, Array(Self.whole.replacing(right, with: wrong, maxReplacements: 1).utf8)
            )
        }
    }
}
