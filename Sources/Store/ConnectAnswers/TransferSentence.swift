import Timeline

/// How an account of a merchant got or lost a purchase, in a sentence.
package enum TransferSentence {
    /// - Parameter transfer: one of the account's transfers.
    package static func of(_ transfer: Answer) throws -> String {
        let purchase = transfer.optionalText("originalTransactionId") ?? ""
        let other = transfer.optionalText("other") ?? "an account that was erased since"
        let how = means(transfer.optionalText("how"))
        return switch try transfer.text("kind") {
        case "bound": "got \(purchase)\(how)"
        case "transferredHere": "got \(purchase) from \(other)\(how)"
        case "transferredAway": "lost \(purchase) to \(other)\(how)"
        case "shared": "shares \(purchase) with \(other)\(how)"
        case "unshared": "shares \(purchase) no more: \(other) has it\(how)"
        case "merged": "became one with \(other)"
        case "erased": "has \(purchase) alone: the other account was erased"
        case let kind: Words.spelledOut(kind)
        }
    }

    private static func means(_ how: String?) -> String {
        switch how {
        case "app": ", sent by the app"
        case "token": ", bought with its token"
        case "restore": ", restored"
        case "support": ", by support"
        case "order": ", claimed by its order"
        case "rebuild": ", listed in a rebuild"
        default: ""
        }
    }
}
