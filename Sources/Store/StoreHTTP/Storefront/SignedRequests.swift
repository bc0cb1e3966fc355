import AppStoreSigning
import AppStoreWire
import HTTPSurface
import HTTPTypes
import Store
import SubscriptionRules

/// How an app buys what its developer describes itself: with a request that the developer's server
/// has signed (0035).
extension StorefrontSurface {
    /// What a purchase's `advancedCommerce` may be.
    static let signedRequestSchema = Schema.object(
        "For a product that stands for others: what the developer's server signed. Nothing else of "
            + "the purchase is looked at then.",
        .required(
            "jws",
            // Whatever is wrong with it, its size too, has a number of Apple's.
            .text(
                "The signed request as a compact JWS, as the purchase method takes it; or the "
                    + "purchase option `advancedCommerceData`, the JSON text that wraps it. At "
                    + "most \(InAppRequestToken.sizeLimit) bytes, and signed no more than "
                    + "\(Int(InAppRequestToken.lifetime) / 60) minutes ago.")))

    static let signedRequestFailures: [OperationDescription.Failure] = [
        .init(.badRequest, "invalidAdvancedCommerceRequest"),
        .init(.forbidden, "advancedCommerceNotAllowed"),
        .init(.notFound, "advancedCommerceNotFound"),
    ]
}

extension Call {
    /// The request that comes with a purchase, its signature verified by the machine's clock; nil
    /// without one.
    ///
    /// - Throws: `StoreError.advancedCommerce` with the documented error.
    func signedRequest(
        _ input: Input, for device: DeviceSession
    ) async throws -> SignedInAppRequest? {
        guard let text = input.object("advancedCommerce")?.text("jws") else { return nil }
        let bundleID = try await store.bundleID(of: device)
        do {
            let isWrapped = text.first { !$0.isWhitespace } == "{"
            let token = isWrapped ? try InAppRequestToken.unwrap(text.utf8) : text
            let verifier = try await site.server.gate.verifier(
                for: RequestTokenVerifier.keyID(ofInAppRequest: token), of: bundleID,
                finding: { [store] in try await store.goodKey($0, bundleID: $1) })
            let signed = try verifier.verify(
                inAppRequest: token, bundleID: bundleID,
                now: Double(site.server.machineTime().milliseconds) / 1000)
            return SignedInAppRequest(
                nonce: signed.nonce, try AdvancedCommerceInAppRequest(signed.json))
        } catch let error as InAppRequestTokenError {
            throw StoreError.advancedCommerce(error.apiError)
        } catch let error as APIError {
            throw StoreError.advancedCommerce(error)
        }
    }
}

extension ErrorBody {
    /// One of Apple's errors on a surface of our own: `errorCode` and `errorName` are its.
    init(advancedCommerce error: APIError) {
        let (status, code): (HTTPResponse.Status, String) =
            switch error.status {
            case 403: (.forbidden, "advancedCommerceNotAllowed")
            case 404: (.notFound, "advancedCommerceNotFound")
            default: (.badRequest, "invalidAdvancedCommerceRequest")
            }
        self.init(
            status, code, error.message, field: "advancedCommerce",
            others: { json in
                json.field("errorCode", error.code)
                json.field("errorName", error.name)
            })
    }
}
