/// Why a refund was granted (JWS-3).
public struct RevocationReason: OpenEnum {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a value of any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Another reason, for example an accidental purchase.
    public static let other = RevocationReason(rawValue: 0)
    /// An actual or perceived issue within the app.
    public static let issueInApp = RevocationReason(rawValue: 1)

    /// The published values, in the order of the reference.
    public static let known: [RevocationReason] = [.other, .issueInApp]
}
