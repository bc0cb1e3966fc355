import AppStoreWire
import Crypto
import FoundationEssentials

/// What a developer's server has signed about an offer, once it is verified (PRO-1).
public struct OfferSignature: Sendable, Hashable {
    /// A UUID in lower case that no other signature has.
    public let nonce: String
    /// The transaction by which it names the customer: any of theirs, or that of their copy of the
    /// app; nil where it names nobody.
    public let transactionID: String?
    /// Whether the introductory offer may be had; nil where it is about another one.
    public let allowsIntroductory: Bool?

    /// How long it is good for, in seconds.
    static let lifetime = 86_400.0

    /// What is signed in the older form: seven texts joined by invisible separators.
    static func text(
        bundleID: String, keyID: String, productID: String, offerID: String,
        appAccountToken: String, nonce: String, timestamp: Int64
    ) -> String {
        [
            bundleID, keyID, productID, offerID, appAccountToken, nonce, String(timestamp),
        ].joined(separator: "\u{2063}")
    }
}

/// An offer's signature in the older form, as an app hands it over (PRO-1).
public struct DetachedOfferSignature: Sendable, Hashable {
    public let keyID: String
    /// A UUID in lower case.
    public let nonce: String
    /// UNIX milliseconds.
    public let timestamp: Int64
    /// ECDSA in DER, in Base64.
    public let signature: String

    public init(keyID: String, nonce: String, timestamp: Int64, signature: String) {
        self.keyID = keyID
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
    }
}

/// Why the signature of an offer is refused (PRO-1).
public enum OfferSignatureError: Error, Sendable, Hashable {
    /// It is neither form, or lacks something.
    case malformed
    /// What is given as the older form's signature is not ECDSA in DER in Base64.
    ///
    /// - Parameter text: what is to be signed.
    case notDER(Encoding, text: String)
    /// No key has its identifier.
    case unknownKey
    /// It does not fit its key and what it is for.
    ///
    /// - Parameter text: what is to be signed in the older form; nil for a compact JWS.
    case wrongSignature(text: String?)
    /// A claim of the compact JWS says something else than the purchase.
    case otherOffer(Claim, expected: String)
    /// It is older than 24 hours.
    case expired
    /// Its time is still to come.
    case issuedInFuture

    /// How the older form's signature seems to be written.
    public enum Encoding: Sendable, Hashable {
        case base64Twice, base64URL, unknown
    }

    /// The claims of a compact JWS that say what it is for, by their names in it.
    public enum Claim: String, Sendable, Hashable, CaseIterable {
        case team = "iss"
        case app = "bid"
        case purpose = "aud"
        case product = "productId"
        case offer = "offerIdentifier"
    }
}

extension OfferSignatureError.Encoding {
    /// How a text is written that is not Base64 of DER.
    init(of text: String) {
        func isDER(_ bytes: Data?) -> Bool {
            bytes.flatMap { try? P256.Signing.ECDSASignature(derRepresentation: $0) } != nil
        }
        let inner = Data(base64Encoded: text)
            .flatMap { Data(base64Encoded: String(decoding: $0, as: UTF8.self)) }
        if isDER(inner) {
            self = .base64Twice
        } else if isDER(Base64URL.decode(text.utf8[...]).map { Data($0) }) {
            self = .base64URL
        } else {
            self = .unknown
        }
    }
}

extension OfferSignatureError: CustomStringConvertible {
    /// What is wrong and what to do; never any part of the signature.
    public var description: String {
        switch self {
        case .malformed: "The signature is not in a form that is known: see the description."
        case .unknownKey: "The signature's key identifier names no key that is good for this app."
        case .notDER(let encoding, let text):
            encoding.sentence + " Send ECDSA in DER, in Base64 with padding, once. "
                + Self.sentence(on: text)
        case .wrongSignature(let text?):
            "The signature does not fit its key and what it is for. " + Self.sentence(on: text)
        case .wrongSignature(nil): "The signature of the JWS does not fit the key that it names."
        case .otherOffer(let claim, let expected):
            "The signature is for another \(claim.word): `\(claim.rawValue)` of the JWS must be "
                + "\"\(expected)\"" + (expected.isEmpty ? ", or left out." : ".")
        case .expired:
            "The signature is older than 24 hours by the machine's clock, which counts here and "
                + "not the world's: sign anew, with the real time."
        case .issuedInFuture:
            "The signature's time is in the future by the machine's clock, which counts here and "
                + "not the world's: sign with the real time."
        }
    }
}

extension OfferSignatureError {
    /// The separators are invisible: they are written as JSON writes them.
    private static func sentence(on text: String) -> String {
        let shown = text.split(separator: "\u{2063}", omittingEmptySubsequences: false)
            .joined(separator: "\\u2063")
        return "The text to sign is \"\(shown)\", with the character U+2063 for each \\u2063."
    }
}

extension OfferSignatureError.Encoding {
    fileprivate var sentence: String {
        switch self {
        case .base64Twice: "`signature` is Base64 twice."
        case .base64URL: "`signature` is Base64url, not Base64."
        case .unknown: "`signature` is not ECDSA in DER, in Base64."
        }
    }
}

extension OfferSignatureError.Claim {
    fileprivate var word: String {
        switch self {
        case .team: "team"
        case .app: "app"
        case .purpose: "purpose"
        case .product: "product"
        case .offer: "offer"
        }
    }
}

extension RequestTokenVerifier {
    /// Verifies the signature of a promotional offer in the older form.
    ///
    /// - Parameters:
    ///   - appAccountToken: the purchase's, which is signed along; nil where it has none.
    ///   - now: the real time, in seconds since 1970 UTC.
    public func verify(
        _ signature: DetachedOfferSignature, bundleID: String, productID: String, offerID: String,
        appAccountToken: String?, now: Double
    ) throws(OfferSignatureError) -> OfferSignature {
        guard let key = keys[signature.keyID]?.key else { throw .unknownKey }
        let text = OfferSignature.text(
            bundleID: bundleID, keyID: signature.keyID, productID: productID, offerID: offerID,
            appAccountToken: appAccountToken ?? "", nonce: signature.nonce,
            timestamp: signature.timestamp)
        guard let bytes = Data(base64Encoded: signature.signature),
            let value = try? P256.Signing.ECDSASignature(derRepresentation: bytes)
        else { throw .notDER(.init(of: signature.signature), text: text) }
        guard key.isValidSignature(value, for: SHA256.hash(data: Array(text.utf8))) else {
            throw .wrongSignature(text: text)
        }
        try checkAge(signed: Double(signature.timestamp) / 1000, now: now)
        return OfferSignature(
            nonce: signature.nonce, transactionID: nil, allowsIntroductory: nil)
    }

    /// Verifies the signature of an offer as a compact JWS.
    ///
    /// - Parameters:
    ///   - offerID: the promotional offer's; nil for the introductory one.
    ///   - now: the real time, in seconds since 1970 UTC.
    public func verify(
        offerToken token: String, bundleID: String, productID: String, offerID: String?,
        now: Double
    ) throws(OfferSignatureError) -> OfferSignature {
        guard token.utf8.count <= Self.sizeLimit, let jws = try? SignedToken(token) else {
            throw .malformed
        }
        do { _ = try verifySignature(of: jws) } catch {
            throw error == .unknownKey ? .unknownKey : .wrongSignature(text: nil)
        }
        guard let claims = try? JSONValue(parsing: jws.payload), claims.object != nil,
            let issued = claims["iat"]?.number, let nonce = claims["nonce"]?.string,
            let nonce = UUID(uuidString: nonce)
        else { throw .malformed }
        let audience = offerID == nil ? "introductory-offer-eligibility" : "promotional-offer"
        let expected: [(OfferSignatureError.Claim, String?)] = [
            (.team, issuerID), (.app, bundleID), (.purpose, audience), (.product, productID),
            (.offer, offerID),
        ]
        for (claim, value) in expected
        where claims[claim.rawValue] != value.map(JSONValue.string) {
            throw .otherOffer(claim, expected: value ?? "")
        }
        let allows = claims["allowIntroductoryOffer"]?.bool
        let transactionID = claims["transactionId"]?.string
        // Whoever grants the introductory offer once more says to whom.
        guard offerID != nil || (allows != nil && transactionID != nil) else { throw .malformed }
        try checkAge(signed: issued, now: now)
        return OfferSignature(
            nonce: nonce.uuidString.lowercased(), transactionID: transactionID,
            allowsIntroductory: offerID == nil ? allows : nil)
    }

    /// The key that an offer's compact JWS names; nothing of it is verified.
    public static func keyID(ofOfferToken token: String) -> String? {
        guard token.utf8.count <= sizeLimit, let jws = try? SignedToken(token) else { return nil }
        return jws.header["kid"]?.string
    }

    private func checkAge(signed: Double, now: Double) throws(OfferSignatureError) {
        guard signed <= now + Self.clockLeeway else { throw .issuedInFuture }
        guard now < signed + OfferSignature.lifetime else { throw .expired }
    }
}

extension APIKey {
    /// Signs a promotional offer in the older form, as a developer's server does (PRO-1).
    ///
    /// - Parameters:
    ///   - nonce: a UUID in lower case.
    ///   - timestamp: UNIX milliseconds.
    public func sign(
        offer offerID: String, of productID: String, bundleID: String, appAccountToken: String?,
        nonce: String, timestamp: Int64
    ) throws -> DetachedOfferSignature {
        let text = OfferSignature.text(
            bundleID: bundleID, keyID: keyID, productID: productID, offerID: offerID,
            appAccountToken: appAccountToken ?? "", nonce: nonce, timestamp: timestamp)
        let signature = try privateKey.signature(for: SHA256.hash(data: Array(text.utf8)))
        return DetachedOfferSignature(
            keyID: keyID, nonce: nonce, timestamp: timestamp,
            signature: signature.derRepresentation.base64EncodedString())
    }

    /// Signs an offer as a compact JWS, as a developer's server does.
    ///
    /// - Parameters:
    ///   - offerID: the promotional offer's; nil for the developer's word on the introductory one.
    ///   - allowsIntroductory: that word.
    ///   - transactionID: a transaction of the customer's; it may be nil for a promotional offer.
    ///   - nonce: a UUID in lower case.
    ///   - now: the real time, in seconds since 1970 UTC.
    public func sign(
        offerToken offerID: String?, of productID: String, bundleID: String,
        allowsIntroductory: Bool? = nil, transactionID: String? = nil, nonce: String, now: Double
    ) throws -> String {
        try sign { json in
            json.field("iss", issuerID)
            json.field("iat", Int64(now.rounded(.down)))
            json.field(
                "aud", offerID == nil ? "introductory-offer-eligibility" : "promotional-offer")
            json.field("bid", bundleID)
            json.field("nonce", nonce)
            json.field("productId", productID)
            json.field("offerIdentifier", offerID)
            json.field("allowIntroductoryOffer", allowsIntroductory)
            json.field("transactionId", transactionID)
        }
    }
}
