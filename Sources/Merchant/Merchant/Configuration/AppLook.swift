/// What the pages have of an app that are shown in its name (HIG-2).
public struct AppLook: Hashable, Sendable {
    /// What buttons are painted with; nil for the pages' own colour.
    public var colour: Colour?
    /// What stands before the app's name; nil for nothing.
    public var icon: Icon?

    public init(colour: Colour? = nil, icon: Icon? = nil) {
        self.colour = colour
        self.icon = icon
    }

    /// A colour of sRGB.
    public struct Colour: Hashable, Sendable {
        public let red: UInt8
        public let green: UInt8
        public let blue: UInt8

        /// Reads six hexadecimal digits, with or without `#` before them; nil for anything else.
        public init?(_ text: String) {
            let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
            guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
                let number = UInt32(digits, radix: 16)
            else { return nil }
            red = UInt8(number >> 16)
            green = UInt8(number >> 8 & 0xFF)
            blue = UInt8(number & 0xFF)
        }
    }

    /// A picture.
    public struct Icon: Hashable, Sendable {
        public let bytes: [UInt8]
        /// Its media type: `image/png`.
        public let type: String

        /// The largest that is taken, in bytes.
        public static let sizeLimit = 65_536

        /// Nil where the bytes are neither PNG nor SVG, or too many.
        public init?(_ bytes: [UInt8]) {
            guard bytes.count <= Self.sizeLimit else { return nil }
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                type = "image/png"
            } else if let text = String(validating: bytes, as: UTF8.self), text.contains("<svg") {
                type = "image/svg+xml"
            } else {
                return nil
            }
            self.bytes = bytes
        }
    }
}

extension Merchant {
    /// How an app looks; nil where its configuration does not say.
    public func look(of bundleID: String) -> AppLook? { apps[bundleID]?.setup.look }
}
