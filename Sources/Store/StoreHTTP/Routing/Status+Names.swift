import HTTPTypes

extension HTTPResponse.Status {
    /// 402, for which HTTPTypes has no name.
    static let paymentRequired = HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
    /// 507, for which it has none either.
    static let insufficientStorage = HTTPResponse.Status(
        code: 507, reasonPhrase: "Insufficient Storage")
}
