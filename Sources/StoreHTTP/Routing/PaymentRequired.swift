import HTTPTypes

extension HTTPResponse.Status {
    /// 402, for which HTTPTypes has no name.
    static let paymentRequired = HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
}
