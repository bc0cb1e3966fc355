/// Why a renewal date is extended (API-5.12).
public struct ExtendReasonCode: OpenEnum {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a value of any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Not stated.
    public static let undeclared = ExtendReasonCode(rawValue: 0)
    /// For customer satisfaction.
    public static let customerSatisfaction = ExtendReasonCode(rawValue: 1)
    /// Another reason.
    public static let other = ExtendReasonCode(rawValue: 2)
    /// A service issue or outage.
    public static let serviceIssue = ExtendReasonCode(rawValue: 3)

    /// The published values, in the order of the reference.
    public static let known: [ExtendReasonCode] = [
        .undeclared, .customerSatisfaction, .other, .serviceIssue,
    ]
}
