import Timeline

/// How an account of a merchant got or lost a purchase, in a sentence.
package enum TransferSentence {
    /// The transfers that an answer tells of, the newest first, each as the account saw it.
    ///
    /// - Parameter answer: has `account` and `transfers`.
    package static func all(in answer: Answer) throws -> [(transfer: Answer, sentence: String)] {
        let account = try answer.text("account")
        var merges: Set<[String]> = []
        return try answer.list("transfers").compactMap { transfer in
            if try transfer.text("kind") == "merged", let other = transfer.optionalText("other") {
                // Both accounts tell of it, the one that survived last.
                let name = try transfer.text("account")
                guard !merges.contains([other, name]) else { return nil }
                merges.insert([name, other])
            }
            return (transfer, try of(transfer, for: account))
        }
    }

    /// - Parameter account: that which is asked for; accounts that were merged into it are named.
    private static func of(_ transfer: Answer, for account: String) throws -> String {
        let name = try transfer.text("account")
        let who = name == account ? "" : "\(name) "
        let purchase = transfer.optionalText("originalTransactionId") ?? ""
        let other = transfer.optionalText("other") ?? "an account that was erased since"
        let how = means(transfer.optionalText("how"))
        return switch try transfer.text("kind") {
        case "bound": "\(who)got \(purchase)\(how)"
        case "transferredHere": "\(who)got \(purchase) from \(other)\(how)"
        case "transferredAway": "\(who)lost \(purchase) to \(other)\(how)"
        case "shared": "\(who)shared \(purchase) with \(other)\(how)"
        case "unshared": "\(who)stopped sharing \(purchase): it went to \(other) alone\(how)"
        case "merged": "\(who)was merged with \(other)"
        case "erased": "\(who)became the owner of \(purchase): its previous owner was erased"
        case let kind: who + Words.spelledOut(kind)
        }
    }

    private static func means(_ how: String?) -> String {
        switch how {
        case "app": ", sent by the app"
        case "token": ", bought with its token"
        case "restore": ", restored"
        case "support": ", moved by support"
        case "order": ", claimed with the order's number"
        case "rebuild": ", named by a rebuild"
        default: ""
        }
    }
}
