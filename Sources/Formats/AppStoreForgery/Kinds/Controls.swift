import AppStoreSigning
import AppStoreWire

/// Texts that a verifier must accept: one that refuses everything is no better than one that
/// refuses nothing.
extension ForgeryKind {
    static func controls(of about: ForgerySubject) -> [ForgeryKind] {
        let kinds = [
            ForgeryKind(
                about, "genuine", "Nothing is wrong: it is as whoever signs such texts sends it.",
                .accepted
            ) { ForgedText(try $0.genuine.text()) },
            ForgeryKind(
                about, "signature-mirrored",
                "R and n − S in place of R and S: the same key's signature of the same text, "
                    + "which anybody can make of the first.", .accepted,
                lookAt: "Two texts may say the same: know what was told again by its identifier, "
                    + "never by the text, its signature or a hash of either."
            ) { bench in
                let sealed = try bench.genuine.sealed()
                return ForgedText(
                    sealed.text(signature: sealed.mirroredSignature), after: sealed.text)
            },
            ForgeryKind(
                about, "member-unknown",
                "A member that nobody knows: Apple adds such without a new version.", .accepted
            ) { bench in
                try bench.members { $0.add("addedLater", raw: #"{"since":[2030]}"#) }
            },
        ]
        return kinds + oddities(of: about)
    }

    /// What looks wrong and is not.
    private static func oddities(of about: ForgerySubject) -> [ForgeryKind] {
        switch about {
        case .transaction, .renewalInfo, .notification, .appTransaction:
            return [
                ForgeryKind(
                    about, "header-kid-and-type",
                    "`kid` and `typ` in the header, as the App Store once sent and Xcode sends.",
                    .accepted
                ) { bench in
                    try bench.text { draft in
                        draft.header.add("kid", "Apple_Xcode_Key")
                        draft.header.add("typ", "JWT")
                    }
                },
                ForgeryKind(
                    about, "certificates-other-root",
                    "The third certificate is the root of somebody else: it lends no trust and "
                        + "takes none, the path leads to the verifier's own root.", .accepted
                ) { bench in
                    let other = try bench.foreignChain()
                    return try bench.certified(
                        by: [bench.chain.leafDER, bench.chain.intermediateDER, other.rootDER])
                },
            ]
        case .requestToken:
            return [
                ForgeryKind(
                    about, "without-issued",
                    "No `iat`: Apple's clients for Python and Java send none.", .accepted
                ) { try $0.members { $0.remove("iat") } },
                ForgeryKind(
                    about, "fractional-times",
                    "`iat` and `exp` with fractions, as Apple's client for Swift sends them.",
                    .accepted
                ) { bench in
                    try bench.members { claims in
                        claims.set("iat", raw: bench.seconds() + ".25")
                        claims.set("exp", raw: bench.seconds(300) + ".25")
                    }
                },
            ]
        case .inAppRequest, .receipt: return []
        }
    }
}
