import AppStoreSigning
import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import TimeAndChance
import Timeline

/// A request that is signed, and bought with on a customer's device.
struct SignedPurchase {
    var kind: RequestKind
    var client: StoreClient
    var app: String
    var product: String
    var account: String
    /// Where a customer who is new is at home, where that was said.
    var newHome: String?
    /// Where the customer is at home.
    var storefront: Storefront?
    var options: RequestOptions
    var store: StoreOptions
    var which: AppOption

    /// Signs the request, and buys with it unless it is only to be printed.
    ///
    /// - Parameter words: what is said of the answer.
    func carryOut(
        _ request: RequestText,
        _ words: (_ answer: Answer, _ style: Style) async throws -> [String]
    ) async throws {
        let key = try options.key.read(at: store)
        let now = Double(SystemTime.now().milliseconds) / 1000
        let jws = try key.sign(
            inAppRequest: request.bytes, bundleID: app, nonce: FreshUUID.text(), now: now)
        let explanation = Explanation(
            kind: kind, request: request, key: key, bundleID: app, jws: jws, product: product,
            storefront: storefront, isSandbox: store.sandbox)
        let fault = explanation.fault(now: now)
        guard !options.print else {
            return try show(
                jws,
                [
                    "jws": .string(jws), "productId": .string(product),
                    "advancedCommerceData": .string(
                        String(decoding: InAppRequestToken.wrap(jws), as: UTF8.self)),
                ], of: request, explanation.results(refused: fault, wasSent: false))
        }
        let answer: Answer
        do {
            answer = try await buy(jws)
        } catch let failure as Failure where options.explain {
            if let refusal = explanation.refusal(of: failure, fault) {
                show(explanation.results(refusal: refusal, wasSent: true))
            }
            throw failure
        }
        let unlocked = try await client.tellMerchant(of: answer, by: account, in: app)
        let results =
            options.explain
            ? explanation.results(
                refusal: nil, payment: Self.payment(answer), wasSent: true) : nil
        let told = answer.with([
            "account": .string(account), "productId": .string(product),
            "checks": results.map(CheckResult.json), "merchant": unlocked?.value,
        ])
        let style = Output.style()
        let lines =
            try await words(answer, style)
            + [unlocked.flatMap(AccessWords.unlocked)].compactMap(\.self)
        try store.show(told, of: which) { style in
            CheckResult.head(results, style) + lines
        }
    }

    private func buy(_ jws: String) async throws -> Answer {
        let token = try await client.signIn(account, in: app, storefront: newHome)
        return try await client.ask(
            .POST, StorePath("storefront", "v1", "purchases"),
            StoreClient.members { json in
                json.field("productId", product)
                json.object("advancedCommerce") { $0.field("jws", jws) }
            }, token: token)
    }

    /// What the bank said, in words.
    private static func payment(_ answer: Answer) -> String {
        guard answer.optionalText("result") != "pending" else {
            return answer.value["requestId"] == nil
                ? "the bank has not answered yet" : "somebody else has to approve first"
        }
        guard let paid = answer.payload("signedTransactionInfo"),
            let price = paid["price"]?.integer, let currency = paid["currency"]?.string
        else { return "nothing is to be paid now" }
        return "\(Money.plainText(price, currency)) paid"
    }
}

/// A request that a developer's server sends itself.
struct ServerCall {
    var endpoint: AdvancedCommerceEndpoint
    var client: StoreClient
    var app: String
    /// The transaction that is named in the path.
    var transaction: String
    var storefront: Storefront?
    var options: RequestOptions
    var store: StoreOptions
    var which: AppOption

    /// Sends the request unless it is only to be printed, and says how things stand then.
    ///
    /// - Parameter done: what was done, as the beginning of what is said.
    func carryOut(_ request: RequestText, _ done: String) async throws {
        let key = try options.key.read(at: store)
        let now = Double(SystemTime.now().milliseconds) / 1000
        let token = try RequestToken.make(key: key, bundleID: app, now: now)
        let explanation = Explanation(
            kind: .call(endpoint), request: request, key: key, bundleID: app,
            transaction: transaction, storefront: storefront, isSandbox: store.sandbox)
        let fault = explanation.fault(now: now)
        let path = StorePath(
            parts: endpoint.path.split(separator: "/").map {
                $0 == "{transactionId}" ? transaction : String($0)
            })
        guard !options.print else {
            return try show(
                String(decoding: request.bytes, as: UTF8.self),
                [
                    "method": .string("POST"), "url": .string(client.address.url + path.text),
                    "authorization": .string("Bearer \(token)"),
                ], of: request, explanation.results(refused: fault, wasSent: false))
        }
        let answer: Answer
        do {
            answer = try await client.call(path, request.bytes, token: token)
        } catch let failure as Failure where options.explain {
            if let refusal = explanation.refusal(of: failure, fault) {
                show(explanation.results(refusal: refusal, wasSent: true))
            }
            throw failure
        }
        let results =
            options.explain ? explanation.results(refusal: nil, wasSent: true) : nil
        let told = answer.with(["checks": results.map(CheckResult.json)])
        let standing =
            try await client.subscription(ofBoughtBy: answer).map {
                [try Plans.words($0)]
            } ?? []
        try store.show(told, of: which) { style in
            try CheckResult.head(results, style)
                + ["\(transaction): \(done)"] + standing + MerchantItems.lines(answer, style)
        }
    }
}

/// What both kinds of request say.
protocol RequestSending {
    var options: RequestOptions { get }
    var store: StoreOptions { get }
}

extension SignedPurchase: RequestSending {}
extension ServerCall: RequestSending {}

extension RequestSending {
    /// Prints what was checked of a request that is refused.
    fileprivate func show(_ results: [CheckResult]) {
        guard !store.json else {
            return Output.line(
                PrettyJSON.text(of: .object(["checks": CheckResult.json(results)])))
        }
        for line in CheckResult.lines(results, Output.style()) { Output.line(line) }
    }

    /// Prints a request that is not sent: alone, so that it can go into another client; what was
    /// checked of it goes to standard error.
    fileprivate func show(
        _ text: String, _ members: [String: JSONValue], of request: RequestText,
        _ results: [CheckResult]
    ) throws {
        guard store.json else {
            Output.line(text)
            if options.explain {
                for line in CheckResult.lines(results, Style()) { Output.complain(line) }
            }
            return
        }
        var members = members
        members["request"] =
            request.json ?? .string(String(decoding: request.bytes, as: UTF8.self))
        if options.explain { members["checks"] = CheckResult.json(results) }
        Output.line(PrettyJSON.text(of: .object(members)))
    }
}

extension Explanation {
    /// Which check a refusal is of; nil for what none of them is about.
    ///
    /// - Parameter fault: what can be seen without a store.
    fileprivate func refusal(
        of failure: Failure, _ fault: (check: Check, error: APIError)?
    ) -> (check: Check, words: String)? {
        if let error = failure.appleError {
            let check =
                fault?.error.code == error.code ? fault?.check : Check.carryingOut(error.code)
            return check.map { ($0, Explanation.words(error)) }
        }
        switch failure.refusal {
        case nil: return nil
        case "unauthenticated": return (.token, failure.message)
        case "malformedBody": return (.form, failure.message)
        case "unknownProduct", "notForSale": return (.product, failure.message)
        default: return (.payment, failure.message)
        }
    }

    /// All checks where what is refused is Apple's to refuse.
    fileprivate func results(
        refused fault: (check: Check, error: APIError)?, wasSent: Bool
    ) -> [CheckResult] {
        results(refusal: fault.map { ($0.check, Explanation.words($0.error)) }, wasSent: wasSent)
    }
}
