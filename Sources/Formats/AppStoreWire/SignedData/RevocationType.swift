/// How a transaction was revoked (JWS-3, since version 1.19).
public struct RevocationType: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Refunded in full.
    public static let refundFull = RevocationType(rawValue: "REFUND_FULL")
    /// Refunded in part.
    public static let refundProrated = RevocationType(rawValue: "REFUND_PRORATED")
    /// Family sharing ended.
    public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")
    /// A seat was taken back (since version 1.22).
    public static let assignmentRevoke = RevocationType(rawValue: "ASSIGNMENT_REVOKE")

    /// The published values, in the order of the reference.
    public static let known: [RevocationType] = [
        .refundFull, .refundProrated, .familyRevoke, .assignmentRevoke,
    ]
}
