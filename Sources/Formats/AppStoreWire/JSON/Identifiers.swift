extension Int64 {
    /// Reads an identifier: 1 to 19 digits without a sign or leading zeros, as they are written.
    package init?(identifier text: String) {
        guard (1...19).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.utf8.first != UInt8(ascii: "0") || text.utf8.count == 1
        else { return nil }
        self.init(text)
    }
}

extension String {
    /// The text in lower case, if it is a UUID of 36 characters in any case; signed payloads show
    /// lower case (API-5.5).
    package var lowercasedUUID: String? {
        let utf8 = utf8
        guard utf8.count == 36 else { return nil }
        for (place, byte) in utf8.enumerated() {
            switch (place, byte) {
            case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")),
                (23, UInt8(ascii: "-")):
                continue
            case (8, _), (13, _), (18, _), (23, _):
                return nil
            case (_, 0x30...0x39), (_, 0x41...0x46), (_, 0x61...0x66):
                continue
            default:
                return nil
            }
        }
        return lowercased()
    }
}
