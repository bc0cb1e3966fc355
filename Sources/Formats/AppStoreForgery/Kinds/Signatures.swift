import AppStoreSigning
import AppStoreWire
import Crypto

/// Signatures that are none of this text by this key.
extension ForgeryKind {
    static func signatures(of about: ForgerySubject) -> [ForgeryKind] {
        let answer = about.wrongSignature
        func kind(
            _ fault: String, _ why: String,
            _ forge: @escaping @Sendable (SealedJWS) throws -> [UInt8]
        ) -> ForgeryKind {
            ForgeryKind(about, fault, why, answer) { bench in
                let sealed = try bench.genuine.sealed()
                return ForgedText(sealed.text(signature: try forge(sealed)))
            }
        }
        return [
            kind("signature-flipped", "One bit of the signature is another one.") {
                var signature = $0.signature
                signature[40] ^= 0x10
                return signature
            },
            kind("signature-truncated", "The last byte of the signature is missing.") {
                Array($0.signature.dropLast())
            },
            kind("signature-extended", "The signature has a byte more.") { $0.signature + [0] },
            kind("signature-empty", "There is no signature behind the second dot.") { _ in [] },
            kind("signature-zero", "R and S are zero, which fits everything where nobody checks.") {
                [UInt8](repeating: 0, count: $0.signature.count)
            },
            kind("signature-der", "The right signature in DER, where JWS has R and S as they are.")
            {
                let signature = try P256.Signing.ECDSASignature(rawRepresentation: $0.signature)
                return Array(signature.derRepresentation)
            },
            ForgeryKind(
                about, "signature-of-another-text",
                "The signature is the right key's, of another text.", answer
            ) { bench in
                let other = try bench.genuine.with { $0.members.add("another", raw: "1") }.sealed()
                return ForgedText(try bench.genuine.sealed().text(signature: other.signature))
            },
            ForgeryKind(
                about, "signature-by-stranger",
                "Everything is right but the key: somebody else has signed.", answer
            ) { bench in try bench.text { $0.key = .p256(bench.stranger) } },
            ForgeryKind(
                about, "payload-changed",
                "The payload says something better than what was signed.", answer
            ) { bench in
                let sealed = try bench.genuine.sealed()
                var changed = bench.genuine.members
                changed.set(bench.tempting.name, raw: bench.tempting.value)
                return ForgedText(
                    "\(sealed.header).\(Base64URL.encode(changed.bytes)).\(sealed.signatureText)")
            },
        ]
    }
}
