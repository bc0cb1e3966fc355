import ConnectAnswers
import StoreHTTP

/// What only more questions tell about a refusal: what is known in the other environment, what was
/// meant, and which commands lead on.
extension StoreClient {
    /// The same refusal with what helps here and now, and the names that are at hand.
    func explained(_ failure: Failure, _ path: StorePath) async -> Failure {
        var better = failure
        switch failure.refusal {
        case "unknownProduct": better = await sold(failure, path)
        case "alreadyRevoked": better = await revoked(failure, path)
        case "unknownFork": better = await inFork(failure)
        case let code?: better = await elsewhere(failure, code, path)
        case nil: break
        }
        let names = path.names.merging(self.names) { inPath, _ in inPath }
        better.remedy = better.remedy.map { Remedies.filled($0, names) }
        return better
    }

    /// The same refusal; where what is unknown here is known in the other environment, it says so.
    private func elsewhere(_ failure: Failure, _ code: String, _ path: StorePath) async -> Failure {
        guard let other = address.other, code.hasPrefix("unknown") else { return failure }
        let there = StoreClient(
            StoreAddress(url: other.url, operatorToken: address.operatorToken))
        guard (try? await there.knows(path, refusedAs: code)) == true else { return failure }
        let what = code == "unknownAccount" ? "It is an account" : "It is"
        var better = failure
        better.remedy = "\(what) \(other.remedy)."
        return better
    }

    /// The same refusal; where a fork was asked, it says which world to ask.
    private func inFork(_ failure: Failure) async -> Failure {
        guard let world = try? await get(Copying.world), (try? world.bool("isFork")) == true
        else { return failure }
        var better = failure
        better.remedy =
            "This world is a fork, and knows only the forks that were made of it: ask the world "
            + "that it was copied from, with the --ready file or the --url of that one."
        return better
    }

    /// Whether there is here what a path is about that was refused elsewhere.
    private func knows(_ path: StorePath, refusedAs code: String) async throws -> Bool {
        guard let subject = path.subject else { return false }
        switch code {
        case "unknownAccount", "unknownSubscription", "unknownBill":
            _ = try await get(subject)
        case "unknownTransaction":
            // A bill bears the identifier of its transaction.
            _ = try await bill(path.parts[3])
        case "unknownMassExtension":
            _ = try await get(
                StorePath("connect", "v1", "mass-extensions", path.parts[3], "failures"))
        case "unknownFault":
            return try await get(FaultCommand.path).list("faults").contains {
                try $0.text("id") == path.parts[3]
            }
        case "unknownRefundRequest":
            return try await refundRequest(path.parts[3]) != nil
        default: return false
        }
        return true
    }

    /// The refusal of what was refunded before: what else was bought, and how to take the refund
    /// back.
    private func revoked(_ failure: Failure, _ path: StorePath) async -> Failure {
        guard let id = path.names[.transaction], let bill = try? await bill(id),
            let account = bill.optionalText("account")
        else { return failure }
        let back =
            bill.optionalText("state") == "reversed"
            ? "`perennial bills answer \(word: id) restored` lets the payment come again"
            : "`perennial refunds reverse --transaction \(word: id)` takes this refund back"
        var better = failure
        better.remedy =
            bill.optionalText("originalTransactionId").map {
                "`perennial timeline \(word: $0) --all` shows the transactions of other periods; "
                    + "\(back)."
            } ?? "`perennial status \(word: account)` lists what else was bought; \(back)."
        return better
    }

    /// The refusal of a product that an app does not have: which app that is, and what was meant.
    private func sold(_ failure: Failure, _ path: StorePath) async -> Failure {
        guard let apps = try? await apps().map(\.bundleID),
            let app = bundleID ?? address.bundleID ?? apps.first,
            let typed = failure.message.firstMatch(of: /has no product (.+)\.$/)?.output.1
        else { return failure }
        var better = failure
        // Where none was named the product was looked for in all.
        let isNowhere = bundleID == nil && apps.count > 1
        better.message =
            isNowhere
            ? "No app of the store has a product \(typed) (\(apps.joined(separator: ", ")))."
            : "\(app) has no product \(typed)."
        var near: String?
        for other in [app] + apps.filter({ $0 != app }) {
            let path = StorePath("connect", "v1", "apps", other, "prices")
            let products = (try? await get(path).list("prices").map { try $0.text("productId") })
            guard let products else { continue }
            if products.contains(String(typed)) {
                better.message = "\(app) has no product \(typed)."
                better.remedy = "It is a product of \(other): add --bundle-id \(other)."
                return better
            }
            guard near == nil, isNowhere || other == app else { continue }
            near = Vocabulary.nearest(to: String(typed), of: products)
        }
        if let near { better.remedy = "Did you mean '\(near)'?" }
        return better
    }
}

extension StorePath {
    /// The account, the subscription or whatever else an operator's path is about.
    fileprivate var subject: StorePath? {
        guard parts.count >= 4, parts.first == "connect" else { return nil }
        return StorePath(parts: Array(parts.prefix(4)))
    }

    /// The names that the path holds, for the commands that are proposed.
    var names: [Remedies.Name: String] {
        let kinds: [String: Remedies.Name] = [
            "customers": .account, "subscriptions": .subscription, "bills": .bill,
            "transactions": .transaction, "products": .product,
        ]
        var names: [Remedies.Name: String] = [:]
        for place in stride(from: 2, to: parts.count - 1, by: 2) {
            if let name = kinds[parts[place]] { names[name] = parts[place + 1] }
        }
        return names
    }
}
