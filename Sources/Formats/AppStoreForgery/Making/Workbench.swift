import AppStoreSigning
import AppStoreWire
import Crypto
import FoundationEssentials
import X509

/// What a kind works with: the genuine text of its subject before it is signed, and all keys.
struct Workbench {
    let forger: Forger
    let material: ForgeryMaterial
    let subject: ForgerySubject
    /// The genuine text.
    let genuine: JWSDraft
    /// UUIDs in lower case that no other text has.
    let nonces: Nonces
    /// A key that nobody has certified.
    let stranger = P256.Signing.PrivateKey()

    init(
        _ forger: Forger, _ material: ForgeryMaterial, _ subject: ForgerySubject, _ nonces: Nonces
    ) throws {
        self.forger = forger
        self.material = material
        self.subject = subject
        self.nonces = nonces
        let payload = try Self.payload(of: subject, material, forger, nonces)
        if subject.isVerifiedByApple {
            genuine = Self.draft(payload, by: forger.chain)
        } else {
            var header = RawObject()
            header.set("alg", "ES256")
            header.set("kid", forger.key.keyID)
            header.set("typ", "JWT")
            genuine = JWSDraft(
                header: header, payload: payload, key: .p256(forger.key.privateKey))
        }
    }

    /// A text as the store signs it.
    static func draft(_ payload: [UInt8], by chain: CertificateChain) -> JWSDraft {
        var header = RawObject()
        header.set("alg", "ES256")
        var draft = JWSDraft(header: header, payload: payload, key: .p256(chain.leafKey))
        draft.certify([chain.leafDER, chain.intermediateDER, chain.rootDER])
        return draft
    }

    var chain: CertificateChain { forger.chain }
    var certificates: CertificateForge { CertificateForge(chain: chain) }

    /// The store's certificates as they stand in `x5c`.
    var ownCertificates: [[UInt8]] { [chain.leafDER, chain.intermediateDER, chain.rootDER] }

    /// The public key that a verifier checks with, in PEM.
    var publicKeyPEM: String {
        subject.isVerifiedByApple
            ? chain.leafKey.publicKey.pemRepresentation : forger.key.publicKeyPEM
    }

    /// The genuine text with something changed before it is signed.
    func text(_ change: (inout JWSDraft) throws -> Void) throws -> ForgedText {
        ForgedText(try genuine.with(change).text())
    }

    /// The genuine text with members changed before it is signed.
    func members(_ change: (inout RawObject) -> Void) throws -> ForgedText {
        try text { change(&$0.members) }
    }

    /// The genuine text under other certificates.
    func certified(
        by certificates: [[UInt8]], key: P256.Signing.PrivateKey? = nil
    ) throws -> ForgedText {
        try text { draft in
            draft.certify(certificates)
            if let key { draft.key = .p256(key) }
        }
    }

    /// The member that says when the text was signed.
    var dateMember: String {
        switch subject {
        case .transaction, .renewalInfo, .notification: "signedDate"
        case .appTransaction, .receipt: "receiptCreationDate"
        case .requestToken, .inAppRequest: "iat"
        }
    }

    /// When the genuine text was signed, in milliseconds since 1970 UTC.
    var signedDate: Int64 { material.transaction.signedDate }

    /// Seconds since 1970 UTC by the real clock, for claims.
    func seconds(_ later: Int64 = 0) -> String {
        String(Int64(material.now.rounded(.down)) + later)
    }

    /// A member that means something, and another value of it that somebody would like.
    var tempting: (name: String, value: String) {
        switch subject {
        case .transaction: ("quantity", "1000")
        case .renewalInfo: ("autoRenewProductId", "\"com.example.everything\"")
        case .notification: ("notificationType", "\"REFUND\"")
        case .appTransaction: ("originalApplicationVersion", "\"0.1\"")
        case .requestToken: ("bid", "\"\(Self.otherBundleID)\"")
        case .inAppRequest: ("request", "\"e30=\"")
        case .receipt: preconditionFailure("receipts are made on a bench of their own")
        }
    }

    static let otherBundleID = "com.example.somebody-else"
}

/// UUIDs in lower case for one text.
struct Nonces {
    /// The text's own: its nonce, or its notification's UUID.
    let own: String
    /// Of a second text.
    let second: String
    /// What a request calls itself.
    let reference: String

    init(using generator: inout some RandomNumberGenerator) {
        own = Self.next(&generator)
        second = Self.next(&generator)
        reference = Self.next(&generator)
    }

    private static func next(_ generator: inout some RandomNumberGenerator) -> String {
        var bytes: [UInt8] = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef")
        var text = ""
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text.append("-") }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }
}
