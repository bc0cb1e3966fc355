/// The address of an app on one device, which the app gets from the system and passes on.
package struct DeviceToken: Sendable, Hashable {
    /// Hexadecimal digits in lower case.
    package let text: String

    /// The most digits. Apple promises no length; a token of today has 64.
    package static let longest = 400

    /// The form of a token, in words.
    package static let rule =
        "a device token: an even number of hexadecimal digits, at most \(longest)"

    /// Reads a token; nil where it is none.
    package init?(_ text: String) {
        let count = text.utf8.count
        guard (2...Self.longest).contains(count), count.isMultiple(of: 2),
            text.utf8.allSatisfy(\.isHexadecimal)
        else { return nil }
        self.text = text.lowercased()
    }
}

extension UInt8 {
    /// A hexadecimal digit, in lower or upper case.
    var isHexadecimal: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
