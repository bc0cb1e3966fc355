/// An enumeration of Apple's that may grow: known values are static constants, and a value that
/// this version does not know survives a round trip unchanged.
///
/// Apple adds values without a version change (API-3), so a closed
/// Swift enum would refuse payloads that are valid.
public protocol OpenEnum: RawRepresentable, Hashable, Sendable, Codable, WireEncodable,
    CustomStringConvertible
where RawValue: WireEncodable & Hashable & Sendable & Codable {
    /// Makes a value of any text or number, known or not.
    init(rawValue: RawValue)
    /// The values that Apple has published, in the order of the reference.
    static var known: [Self] { get }
}

extension OpenEnum {
    /// Whether Apple has published this value.
    public var isKnown: Bool { Self.known.contains(self) }

    /// The text or number on the wire.
    public var description: String { "\(rawValue)" }

    /// Writes the text or number on the wire.
    @inlinable
    public func encode(to json: inout JSONWriter) { rawValue.encode(to: &json) }
}
