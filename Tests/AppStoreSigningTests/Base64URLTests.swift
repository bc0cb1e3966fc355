import Testing

@testable import AppStoreSigning

@Suite("Base64url")
struct Base64URLTests {
    @Test(
        "Bytes and text belong together",
        arguments: [
            ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"),
            ([0xFF, 0xFE, 0xFD], "__79"), ([0xFB, 0xF0], "-_A"), ([0, 0, 0, 0], "AAAAAA"),
        ] as [([UInt8], String)])
    func pairs(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(Array(text.utf8)) == bytes)
        #expect(Base64URL.encodedCount(of: bytes.count) == text.utf8.count)
    }

    @Test("Every length comes through", arguments: 0..<70)
    func lengths(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
        #expect(Base64URL.decode(Array(Base64URL.encode(bytes).utf8)) == bytes)
    }

    @Test(
        "Every other spelling is refused",
        arguments: ["A", "AAAAA", "Zg==", "Zg=", "Zh", "Zm9", "Z g", "Zm8\n", "+_79", "/_79", "é"])
    func refused(text: String) {
        #expect(Base64URL.decode(Array(text.utf8)) == nil)
    }
}
