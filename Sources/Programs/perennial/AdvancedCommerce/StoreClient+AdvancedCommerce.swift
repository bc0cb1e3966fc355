import AppStoreWire
import ConnectAnswers
import NIOHTTP1
import Store
import StoreHTTP
import SubscriptionRules

/// What the commands of Advanced Commerce ask a store.
extension StoreClient {
    /// Sends a request as a developer's server, with its request token.
    ///
    /// - Throws: `Failure` with Apple's error where the store has one.
    func call(_ path: StorePath, _ body: [UInt8], token: String) async throws -> Answer {
        let (status, bytes) = try await fetch(.POST, path, body, token: token)
        let value = try? JSONValue(parsing: bytes)
        if (200..<300).contains(status.code), let value {
            return Answer(value: value, source: "POST \(path.text)")
        }
        if let code = value?["errorCode"]?.integer {
            let name = APIError.AdvancedCommerce.all[code]?.name ?? APIError.all[code]?.name ?? ""
            let words = value?["errorMessage"]?.string ?? ""
            let kinds: [UInt: String] = [
                403: "advancedCommerceNotAllowed", 404: "advancedCommerceNotFound",
                429: "rateLimitExceeded",
            ]
            let failure = Refusal.failure(
                status, code: kinds[status.code] ?? "invalidAdvancedCommerceRequest",
                message: words, member: nil, APIError(code: code, name: name, message: words))
            throw await explained(failure, path)
        }
        switch status.code {
        case 401:
            var failure = Failure.refused("The store does not take the request token.")
            failure.refusal = "unauthenticated"
            failure.remedy =
                "`perennial app keys list` shows the keys that are good; what signs is the ready "
                + "file's, or that of --key."
            throw failure
        case 400:
            var failure = Failure.refused("The request is not a JSON object in UTF-8.")
            failure.refusal = "malformedBody"
            throw failure
        case 404: throw Failure.refused("The store has no such endpoint.")
        default: throw notAStore(status)
        }
    }

    /// The product that stands for what a merchant describes: the one that was named, or the only
    /// one of its kind.
    func genericProduct(
        _ named: String?, _ type: ProductType, of app: String
    ) async throws -> String {
        if let named { return named }
        let products = try await get(StorePath("connect", "v1", "apps", app, "catalogue"))
            .list("products")
        let found = try products.filter {
            try $0.text("type") == type.rawValue && $0.value["isGeneric"] == .bool(true)
        }.map { try $0.text("id") }
        guard let one = found.first else {
            throw Failure.refused(
                "\(app) has no product of the type \(type.rawValue) that stands for what a "
                    + "merchant describes; `perennial product generic PRODUCT on` lets one do so.")
        }
        guard found.count == 1 else {
            throw Failure.usage(
                "Several products stand for what a merchant describes "
                    + "(\(found.joined(separator: ", "))): choose one with --product.")
        }
        return one
    }

    /// Where a customer is at home, or will be.
    ///
    /// - Parameter wanted: where a new one is to be.
    func home(of account: String, _ wanted: String?, in app: String) async throws -> Storefront? {
        let known = try await unless(refused: "unknownAccount") {
            try await get(StorePath("connect", "v1", "customers", account)).customer.storefront
        }
        if let known { return known }
        if let wanted { return Storefront(code: wanted) }
        return try await get(StorePath("connect", "v1", "apps", app))
            .read(AppForm.app, into: AppSheet()).settings.storefront
    }

    /// The subscription that a name means; nil where the store knows none of that number, so that
    /// it can say so itself.
    ///
    /// - Parameter isMerchants: of an account the merchant's own plans are meant, or, where one is
    ///   to be moved, the others that run.
    func merchantSubscription(
        _ name: String, isMerchants: Bool = true
    ) async throws -> (id: String, answer: Answer?) {
        let target = try await target(name)
        if case .account(let account) = target {
            let fitting = try await customer(account).list("subscriptions").filter {
                ($0.value["lines"] != nil) == isMerchants && (isMerchants || !$0.isOver)
            }
            if let one = fitting.first, fitting.count == 1 {
                return (try one.text("originalTransactionId"), one)
            }
        }
        let id = try await onlySubscription(of: target)
        let known = try await unless(refused: "unknownSubscription") { try await subscription(id) }
        if let known { return (id, known) }
        return (id, try await subscription(ofTransaction: id))
    }

    /// The subscription of what was bought or asked for, as it stands; nil for what is none.
    func subscription(ofBoughtBy answer: Answer) async throws -> Answer? {
        guard let paid = answer.payload("signedTransactionInfo"),
            let original = paid["originalTransactionId"]?.string
        else { return nil }
        return try await unless(refused: "unknownSubscription") { try await subscription(original) }
    }
}

extension Answer {
    /// Where a subscription or a bill is at home.
    var place: Storefront? { optionalText("storefront").flatMap(Storefront.init(code:)) }
}
