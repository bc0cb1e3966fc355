import AppStoreSigning
import AppStoreWire
import Crypto

/// Headers by which whoever sends a text would choose how it is verified.
extension ForgeryKind {
    static func headers(of about: ForgerySubject) -> [ForgeryKind] {
        algorithms(of: about) + keys(of: about) + [
            ForgeryKind(
                about, "header-critical",
                "`crit` demands an extension that no verifier knows: who does not know it has to "
                    + "refuse.", about.malformed
            ) { bench in
                try bench.text { draft in
                    draft.header.add("crit", raw: #"["exp-of-mine"]"#)
                    draft.header.add("exp-of-mine", raw: "true")
                }
            },
            ForgeryKind(
                about, "header-duplicated-member",
                "The header names two algorithms, `none` and ES256: readers differ in which they "
                    + "take.", about.malformed, apple: .ok,
                difference: "Python keeps the last of two members of a name without a word."
            ) { bench in
                try bench.text { draft in
                    draft.header.members.insert(("alg", Array(#""none""#.utf8)), at: 0)
                }
            },
            ForgeryKind(
                about, "header-not-json", "The header is no JSON object.", about.malformed
            ) { bench in
                let sealed = try bench.genuine.sealed()
                let header = Base64URL.encode(Array("ES256".utf8))
                return ForgedText("\(header).\(sealed.payload).\(sealed.signatureText)")
            },
        ]
    }

    private static func algorithms(of about: ForgerySubject) -> [ForgeryKind] {
        let answer = about.wrongAlgorithm
        return [
            ForgeryKind(
                about, "algorithm-none", "`alg` is none and nobody has signed.", answer
            ) { bench in
                try bench.text { draft in
                    draft.header.set("alg", "none")
                    draft.key = .nobody
                }
            },
            ForgeryKind(
                about, "algorithm-hs256",
                "`alg` is HS256 with the public key as its secret: who lets the text choose the "
                    + "algorithm takes it for a signature.", answer
            ) { bench in
                try bench.text { draft in
                    draft.header.set("alg", "HS256")
                    draft.key = .secret(Array(bench.publicKeyPEM.utf8))
                }
            },
            ForgeryKind(
                about, "algorithm-es384",
                about.isVerifiedByApple
                    ? "`alg` is ES384, rightly signed under the chain: the App Store has ES256."
                    : "`alg` is ES384: request tokens are signed with ES256 only.", answer
            ) { bench in
                let key = P384.Signing.PrivateKey()
                return try bench.text { draft in
                    draft.header.set("alg", "ES384")
                    draft.key = .p384(key)
                    guard bench.subject.isVerifiedByApple else { return }
                    let leaf = try bench.certificates.leaf(for: key)
                    draft.certify([leaf, bench.chain.intermediateDER, bench.chain.rootDER])
                }
            },
            ForgeryKind(
                about, "algorithm-missing", "The header names no algorithm.", answer
            ) { bench in try bench.text { $0.header.remove("alg") } },
            ForgeryKind(
                about, "algorithm-lower-case", "`alg` is es256: names of algorithms have a case.",
                answer
            ) { bench in try bench.text { $0.header.set("alg", "es256") } },
        ]
    }

    private static func keys(of about: ForgerySubject) -> [ForgeryKind] {
        let ownKey = ForgeryKind(
            about, "header-own-key",
            "`jwk` in the header brings the key that fits the signature: a stranger's.",
            about.wrongSignature
        ) { bench in
            try bench.text { draft in
                draft.header.add("jwk", raw: JWK.text(bench.stranger.publicKey))
                draft.key = .p256(bench.stranger)
            }
        }
        return [ownKey] + (about.isVerifiedByApple ? keysOfStore(about) : keysOfTeam(about))
    }

    private static func keysOfStore(_ about: ForgerySubject) -> [ForgeryKind] {
        [
            ForgeryKind(
                about, "header-key-elsewhere",
                "No certificates, but `jku`, `x5u` and `kid` that say where to find a key.",
                .signedData(.wrongChainLength)
            ) { bench in
                try bench.text { draft in
                    draft.header.remove("x5c")
                    draft.header.add("kid", "stranger")
                    draft.leadElsewhere()
                    draft.key = .p256(bench.stranger)
                }
            }
        ]
    }

    private static func keysOfTeam(_ about: ForgerySubject) -> [ForgeryKind] {
        func unknown(_ fault: String, _ why: String, _ kid: String?) -> ForgeryKind {
            ForgeryKind(
                about, fault, why,
                about == .requestToken
                    ? .requestToken(.unknownKey) : .inAppRequest(.unknownKey)
            ) { bench in
                try bench.text { draft in
                    if let kid { draft.header.set("kid", kid) } else { draft.header.remove("kid") }
                }
            }
        }
        return [
            ForgeryKind(
                about, "header-key-elsewhere",
                "`jku` and `x5u` lead to a stranger's key; `kid` is the right one.",
                about.wrongSignature
            ) { bench in
                try bench.text { draft in
                    draft.leadElsewhere()
                    draft.key = .p256(bench.stranger)
                }
            },
            unknown("key-missing", "The header has no `kid`.", nil),
            unknown("key-unknown", "`kid` names a key that nobody has.", "0000000000"),
            unknown(
                "key-elsewhere", "`kid` is a path, by which a careless server finds another file.",
                "../../../../dev/null"),
            ForgeryKind(
                about, "type-other", "`typ` says that this is another sort of token.",
                about == .requestToken ? .requestToken(.wrongType) : .inAppRequest(.wrongSignature)
            ) { bench in try bench.text { $0.header.set("typ", "at+jwt") } },
        ]
    }
}

extension JWSDraft {
    /// Says where a key can be had, for who believes it; nothing listens there.
    fileprivate mutating func leadElsewhere() {
        header.add("jku", "http://127.0.0.1:9/keys.json")
        header.add("x5u", "http://127.0.0.1:9/certificates.pem")
    }
}

/// A public key as JSON (RFC 7517).
enum JWK {
    static func text(_ key: P256.Signing.PublicKey) -> String {
        let bytes = Array(key.rawRepresentation)
        var jwk = RawObject()
        jwk.add("kty", "EC")
        jwk.add("crv", "P-256")
        jwk.add("x", Base64URL.encode(Array(bytes.prefix(32))))
        jwk.add("y", Base64URL.encode(Array(bytes.suffix(32))))
        return String(decoding: jwk.bytes, as: UTF8.self)
    }
}
