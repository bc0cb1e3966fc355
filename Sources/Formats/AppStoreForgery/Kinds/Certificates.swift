import AppStoreSigning
import AppStoreWire
import Crypto
import FoundationEssentials
import X509

/// Certificates in `x5c` that do not make the signer the store (JWS-2, steps 3 to 7).
extension ForgeryKind {
    static func certificates(of about: ForgerySubject) -> [ForgeryKind] {
        guard about.isVerifiedByApple else { return [] }
        return lengths(of: about) + entries(of: about) + paths(of: about) + shortPaths(of: about)
            + leaves(of: about)
    }

    private static func lengths(of about: ForgerySubject) -> [ForgeryKind] {
        func kind(
            _ fault: String, _ why: String, apple: AppleStatus,
            _ choose: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
        ) -> ForgeryKind {
            ForgeryKind(about, fault, why, .signedData(.wrongChainLength), apple: apple) { bench in
                try bench.certified(by: choose(bench.ownCertificates))
            }
        }
        return [
            ForgeryKind(
                about, "certificates-missing", "The header has no `x5c`.",
                .signedData(.wrongChainLength)
            ) { bench in try bench.text { $0.header.remove("x5c") } },
            kind(
                "certificates-empty", "`x5c` is there and has no entry.",
                apple: .verificationFailure
            ) { _ in [] },
            kind(
                "certificates-one", "Only the leaf is in `x5c`, as Xcode sends it.",
                apple: .invalidChainLength
            ) { Array($0.prefix(1)) },
            kind(
                "certificates-two", "The root is missing in `x5c`.", apple: .invalidChainLength
            ) { Array($0.prefix(2)) },
            kind(
                "certificates-four", "The root is in `x5c` twice.", apple: .invalidChainLength
            ) { $0 + [$0[2]] },
        ]
    }

    private static func entries(of about: ForgerySubject) -> [ForgeryKind] {
        [
            ForgeryKind(
                about, "certificates-reordered", "Root, intermediate, leaf: the wrong way round.",
                .signedData(.malformedCertificate)
            ) { try $0.certified(by: $0.ownCertificates.reversed()) },
            ForgeryKind(
                about, "certificates-garbage-leaf", "The first entry of `x5c` is no certificate.",
                .signedData(.malformedCertificate), apple: .invalidCertificate
            ) { bench in
                try bench.certified(
                    by: [Array("leaf".utf8), bench.chain.intermediateDER, bench.chain.rootDER])
            },
            ForgeryKind(
                about, "certificates-garbage-root", "The third entry of `x5c` is no certificate.",
                .signedData(.malformedCertificate), apple: .ok,
                difference: "Apple's verifiers for Python, Node and Swift never look at the third "
                    + "entry; the one for Java reads it, and so does ours. No trust comes from it "
                    + "either way."
            ) { bench in
                try bench.certified(
                    by: [bench.chain.leafDER, bench.chain.intermediateDER, Array("root".utf8)])
            },
            ForgeryKind(
                about, "certificates-line-breaks",
                "The certificates are Base64 with line breaks, as in PEM files.",
                .signedData(.malformedCertificate), apple: .invalidCertificate
            ) { bench in
                try bench.text { draft in
                    let texts = bench.ownCertificates.map {
                        String(
                            decoding: Data($0).base64EncodedData(
                                options: [.lineLength64Characters, .endLineWithLineFeed]),
                            as: UTF8.self)
                    }
                    draft.header.set("x5c", raw: texts.jsonText())
                }
            },
        ]
    }

    private static func paths(of about: ForgerySubject) -> [ForgeryKind] {
        let answer = ForgeryAnswer.signedData(.untrustedChain)
        return [
            ForgeryKind(
                about, "certificates-other-chain",
                "Another chain of the same names and markers: right in itself, and nobody's whom "
                    + "the verifier trusts.", answer
            ) { bench in
                let other = try bench.foreignChain()
                return try bench.certified(
                    by: [other.leafDER, other.intermediateDER, other.rootDER], key: other.leafKey)
            },
            ForgeryKind(
                about, "certificates-other-chain-with-our-root",
                "Another chain that shows the trusted root as its third entry.", answer
            ) { bench in
                let other = try bench.foreignChain()
                return try bench.certified(
                    by: [other.leafDER, other.intermediateDER, bench.chain.rootDER],
                    key: other.leafKey)
            },
            ForgeryKind(
                about, "certificates-other-leaf",
                "A leaf of another chain, under the store's own intermediate and root.", answer
            ) { bench in
                let other = try bench.foreignChain()
                return try bench.certified(
                    by: [other.leafDER, bench.chain.intermediateDER, bench.chain.rootDER],
                    key: other.leafKey)
            },
        ]
    }

    private static func shortPaths(of about: ForgerySubject) -> [ForgeryKind] {
        let answer = ForgeryAnswer.signedData(.untrustedChain)
        return [
            ForgeryKind(
                about, "certificates-self-signed",
                "A certificate with both markers that has signed itself, three times.", answer
            ) { bench in
                let own = try bench.certificates.selfSigned(bench.stranger)
                return try bench.certified(by: [own, own, own], key: bench.stranger)
            },
            ForgeryKind(
                about, "leaf-by-root",
                "The root has issued the leaf itself: the path misses the intermediate.", answer
            ) { bench in
                let forge = bench.certificates
                let leaf = try forge.byRoot(
                    forge.leafOrder(for: .init(bench.stranger.publicKey)))
                return try bench.certified(
                    by: [leaf, bench.chain.intermediateDER, bench.chain.rootDER],
                    key: bench.stranger)
            },
            ForgeryKind(
                about, "leaf-by-leaf",
                "The store's leaf has issued another one, which no leaf may.",
                .signedData(.missingMarker)
            ) { bench in
                let forge = bench.certificates
                let leaf = try CertificateForge.issue(
                    forge.leafOrder(for: .init(bench.stranger.publicKey)),
                    by: .init(bench.chain.leafKey), named: bench.chain.leaf.subject)
                return try bench.certified(
                    by: [leaf, bench.chain.leafDER, bench.chain.rootDER], key: bench.stranger)
            },
        ]
    }

    private static func leaves(of about: ForgerySubject) -> [ForgeryKind] {
        func leaf(
            _ fault: String, _ why: String, _ code: JWSVerificationError.Code,
            apple: AppleStatus? = nil, difference: String? = nil,
            _ change: @escaping @Sendable (inout CertificateForge.Order, Workbench) -> Void
        ) -> ForgeryKind {
            ForgeryKind(about, fault, why, .signedData(code), apple: apple, difference: difference)
            {
                bench in
                let forge = bench.certificates
                var order = forge.leafOrder(for: .init(bench.stranger.publicKey))
                change(&order, bench)
                return try bench.certified(
                    by: [try forge.leaf(order), bench.chain.intermediateDER, bench.chain.rootDER],
                    key: bench.stranger)
            }
        }
        return [
            leaf(
                "leaf-expired", "The leaf's time was over when the text was signed.",
                .certificateNotValidAtDate
            ) { $0.notAfter = $1.date(days: -1) },
            leaf(
                "leaf-not-yet-valid", "The leaf's time had not begun when the text was signed.",
                .certificateNotValidAtDate
            ) { $0.notBefore = $1.date(days: 1) },
            leaf(
                "leaf-without-marker",
                "The leaf lacks the extension that says it signs App Store data.", .missingMarker
            ) { order, _ in order.marker = nil },
            leaf(
                "leaf-is-authority",
                "The leaf is an authority itself: whoever holds its key could issue more.",
                .untrustedChain, apple: .ok,
                difference: "Apple's verifiers do not look whether the leaf is an authority; "
                    + "Apple's own leaves are none, so nothing is lost by refusing it."
            ) { order, _ in order.isAuthority = true },
            ForgeryKind(
                about, "intermediate-without-marker",
                "The intermediate lacks the extension of Worldwide Developer Relations.",
                .signedData(.missingMarker)
            ) { bench in
                try bench.certified(
                    by: [
                        bench.chain.leafDER, bench.certificates.intermediateWithoutMarker(),
                        bench.chain.rootDER,
                    ])
            },
        ]
    }
}
