/// When a change of an Advanced Commerce subscription happens.
public struct AdvancedCommerceEffective: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// At once.
    public static let immediately = AdvancedCommerceEffective(rawValue: "IMMEDIATELY")
    /// With the next renewal.
    public static let nextBillCycle = AdvancedCommerceEffective(rawValue: "NEXT_BILL_CYCLE")

    /// The published values, in the order of the reference.
    public static let known: [AdvancedCommerceEffective] = [.immediately, .nextBillCycle]
}
