import AppStoreSigning
import AppStoreWire

/// Signing dates that cannot be: by them a verifier judges the certificates (JWS-2, step 6).
extension ForgeryKind {
    static func dates(of about: ForgerySubject) -> [ForgeryKind] {
        guard about.isVerifiedByApple else { return [] }
        return [
            ForgeryKind(
                about, "signed-date-missing", "It does not say when it was signed.",
                about.wrongPayload, apple: .ok,
                difference: "Apple's verifiers judge the certificates by the present time where "
                    + "there is no date; the App Store always writes one, so ours needs it."
            ) { bench in try bench.members { $0.remove(bench.dateMember) } },
            ForgeryKind(
                about, "signed-date-text", "It says in words when it was signed.",
                about.wrongPayload
            ) { bench in
                try bench.members { $0.set(bench.dateMember, "2026-01-31T00:00:00Z") }
            },
            ForgeryKind(
                about, "signed-date-ahead", "It says that it was signed in ten years.", .accepted,
                lookAt: "The signing date is ahead of every clock: no verifier compares it with "
                    + "one. A server that keeps what was signed last would keep this for ten years."
            ) { bench in
                let later = bench.signedDate + 10 * 365 * 86_400_000
                return try bench.members { $0.set(bench.dateMember, raw: "\(later)") }
            },
            ForgeryKind(
                about, "signed-date-after-certificates",
                "It says that it was signed after all certificates are over.",
                .signedData(.certificateNotValidAtDate)
            ) { bench in
                let later = bench.chain.validity.upperBound + 86_400_000
                return try bench.members { $0.set(bench.dateMember, raw: "\(later)") }
            },
            ForgeryKind(
                about, "signed-date-before-certificates",
                "It says that it was signed before there were its certificates.",
                .signedData(.certificateNotValidAtDate)
            ) { bench in
                let earlier = bench.chain.validity.lowerBound - 86_400_000
                return try bench.members { $0.set(bench.dateMember, raw: "\(earlier)") }
            },
        ]
    }
}
