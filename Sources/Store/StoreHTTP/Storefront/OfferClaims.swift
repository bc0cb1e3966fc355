import AppStoreSigning
import AppStoreWire
import HTTPSurface
import HTTPTypes
import Store
import SubscriptionRules

/// How an app asks for an offer with a purchase, and how its developer's signature is verified
/// (PRO-1).
extension StorefrontSurface {
    /// What a purchase's `offer` may be.
    static let offerClaimSchema = Schema(
        kind: .variants(
            Schema.Variants(
                key: .required(
                    "type", .choice("Which kind of offer.", OfferClaimKind.allCases.map(\.rawValue))
                ),
                members: OfferClaimKind.allCases.map { ($0.rawValue, $0.members) },
                code: "otherOfferType")),
        about: "The offer that is asked for; without it a new subscriber gets the introductory "
            + "one.")

    static let offerFailures: [OperationDescription.Failure] = [
        .init(.badRequest, "missingOfferParameters"), .init(.badRequest, "otherOfferType"),
        .init(.forbidden, "invalidOfferSignature"), .init(.notFound, "invalidOfferIdentifier"),
        .init(.conflict, "ineligibleForOffer"),
    ]
}

/// The kinds of offer that an app asks for.
enum OfferClaimKind: String, CaseIterable {
    case introductory, promotional, winBack

    fileprivate var members: [Schema.Member] {
        switch self {
        case .introductory: [.required("jws", Self.jws)]
        case .promotional:
            [
                .required("id", Self.id), .optional("jws", Self.jws),
                .optional("keyId", .text("The key that signed.", 1...64, .visible)),
                .optional("nonce", .uuid("The UUID that was signed along.")),
                .optional("signature", .text("The signature: DER in Base64.", 1...512, .visible)),
                .optional(
                    "timestamp",
                    .integer(
                        "When it was signed: UNIX milliseconds of the real time, not of the "
                            + "world's clock.", 0...Int64.max)),
            ]
        case .winBack: [.required("id", Self.id)]
        }
    }

    private static let id = Schema.text("The offer's identifier.", 1...255)
    private static let jws = Schema.text(
        "The developer's signature as a compact JWS; its `iat` is the real time, not the world's.",
        1...8192, .visible)
}

extension Call {
    /// What a purchase asks for, its signature verified by the machine's clock, as request tokens
    /// are.
    ///
    /// - Throws: an `ErrorBody` for a signature that does not hold.
    func offerClaim(
        _ input: Input, of productID: String, appAccountToken: String?, for device: DeviceSession
    ) async throws -> OfferClaim? {
        guard let input = input.object("offer"),
            let kind = input.text("type").flatMap(OfferClaimKind.init(rawValue:))
        else { return nil }
        let bundleID = try await store.bundleID(of: device)
        switch kind {
        case .winBack:
            return .winBack(id: input.requiredText("id"))
        case .introductory:
            let signed = try await verified(input, bundleID, productID, nil, appAccountToken)
            return .introductory(isAllowed: signed.allowsIntroductory == true, signed.claim)
        case .promotional:
            let id = input.requiredText("id")
            let signed = try await verified(input, bundleID, productID, id, appAccountToken)
            return .promotional(id: id, signed.claim)
        }
    }

    /// Does something that buys, and says what keeps a customer from buying what has already.
    ///
    /// - Parameter productID: what is bought; nil where only the store knows it.
    func explainingGrace<T>(
        _ device: DeviceSession, _ productID: String?, _ body: () async throws -> T
    ) async throws -> T {
        do { return try await body() } catch StoreError.refused(.alreadySubscribed) {
            let grace = try await store.subscriptions(for: device).first {
                $0.graceEnds != nil && (productID == nil || $0.productID == productID)
            }
            guard let end = grace?.graceEnds else { throw StoreError.refused(.alreadySubscribed) }
            throw ErrorBody.subscribedInGrace(until: end)
        }
    }

    private func verified(
        _ input: Input, _ bundleID: String, _ productID: String, _ offerID: String?,
        _ appAccountToken: String?
    ) async throws -> OfferSignature {
        let keyID =
            input.text("jws").flatMap(RequestTokenVerifier.keyID(ofOfferToken:))
            ?? input.text("keyId")
        let verifier = try await site.server.gate.verifier(
            for: keyID, of: bundleID,
            finding: { [store] in try await store.goodKey($0, bundleID: $1) })
        let now = Double(site.server.machineTime().milliseconds) / 1000
        do throws(OfferSignatureError) {
            if let jws = input.text("jws") {
                guard !input.has("signature") else { throw .malformed }
                return try verifier.verify(
                    offerToken: jws, bundleID: bundleID, productID: productID, offerID: offerID,
                    now: now)
            }
            guard let offerID, let keyID = input.text("keyId"),
                let nonce = input.text("nonce")?.lowercasedUUID,
                let signature = input.text("signature"), let timestamp = input.integer("timestamp")
            else { throw .malformed }
            return try verifier.verify(
                DetachedOfferSignature(
                    keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature),
                bundleID: bundleID, productID: productID, offerID: offerID,
                appAccountToken: appAccountToken, now: now)
        } catch {
            throw ErrorBody(error)
        }
    }
}

extension OfferSignature {
    fileprivate var claim: SignedClaim { SignedClaim(nonce: nonce, transactionID: transactionID) }
}

extension ErrorBody {
    /// StoreKit's own words for what can be wrong with a promotional offer.
    fileprivate init(_ error: OfferSignatureError) {
        switch error {
        case .malformed:
            self.init(
                .badRequest, "missingOfferParameters",
                "Send `jws`, or `keyId`, `nonce`, `timestamp` and `signature`, of the forms that "
                    + "are described.", field: "offer")
        case .notDER:
            self.init(
                .forbidden, "invalidOfferSignature", error.description, field: "offer.signature")
        case .unknownKey, .wrongSignature, .otherOffer, .expired, .issuedInFuture:
            self.init(
                .forbidden, "invalidOfferSignature", error.description, field: "offer")
        }
    }
}
