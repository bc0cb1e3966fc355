import AppStoreSigning
import AppStoreWire

/// Claims of developers' tokens that do not open anything (API-2).
extension ForgeryKind {
    static func claims(of about: ForgerySubject) -> [ForgeryKind] {
        switch about {
        case .requestToken: requestTokens
        case .inAppRequest: inAppRequests
        default: []
        }
    }

    private static func token(
        _ fault: String, _ why: String, _ error: RequestTokenError,
        _ change: @escaping @Sendable (inout RawObject, Workbench) -> Void
    ) -> ForgeryKind {
        ForgeryKind(.requestToken, fault, why, .requestToken(error)) { bench in
            try bench.members { change(&$0, bench) }
        }
    }

    private static let requestTokens = [
        token("expired", "`exp` has passed.", .expired) { claims, bench in
            claims.set("iat", raw: bench.seconds(-600))
            claims.set("exp", raw: bench.seconds(-300))
        },
        token(
            "lives-too-long", "`exp` is two hours after `iat`: an hour is allowed.", .livesTooLong
        ) { $0.set("exp", raw: $1.seconds(7200)) },
        token(
            "lives-too-long-without-issued", "No `iat`, and `exp` is in two hours.", .livesTooLong
        ) { claims, bench in
            claims.remove("iat")
            claims.set("exp", raw: bench.seconds(7200))
        },
        token("issued-ahead", "`iat` is an hour ahead.", .issuedInFuture) { claims, bench in
            claims.set("iat", raw: bench.seconds(3600))
            claims.set("exp", raw: bench.seconds(3900))
        },
        token("not-yet-valid", "`nbf` is an hour ahead.", .notYetValid) {
            $0.set("nbf", raw: $1.seconds(3600))
        },
        token("expiry-missing", "There is no `exp`: it would live for ever.", .malformedTime) {
            claims, _ in claims.remove("exp")
        },
        token("expiry-text", "`exp` is a text.", .malformedTime) {
            $0.set("exp", $1.seconds(300))
        },
        token("audience-other", "`aud` is another service.", .wrongAudience) { claims, _ in
            claims.set("aud", InAppRequestToken.audience)
        },
        token("audience-missing", "There is no `aud`.", .wrongAudience) { claims, _ in
            claims.remove("aud")
        },
        token("issuer-other", "`iss` is another team.", .wrongIssuer) {
            $0.set("iss", $1.nonces.second)
        },
        token("issuer-missing", "There is no `iss`.", .wrongIssuer) { claims, _ in
            claims.remove("iss")
        },
        token("bundle-missing", "There is no `bid`.", .missingBundle) { claims, _ in
            claims.remove("bid")
        },
        ForgeryKind(
            .requestToken, "of-another-app",
            "Rightly signed by the team's key, for an app that the store does not have.", .accepted,
            lookAt: "`bid` is the app of the whole request: there is none, so nothing is found."
        ) { try $0.members { $0.set("bid", Workbench.otherBundleID) } },
    ]

    private static func request(
        _ fault: String, _ why: String, _ error: InAppRequestTokenError,
        _ change: @escaping @Sendable (inout RawObject, Workbench) -> Void
    ) -> ForgeryKind {
        ForgeryKind(.inAppRequest, fault, why, .inAppRequest(error)) { bench in
            try bench.members { change(&$0, bench) }
        }
    }

    private static let inAppRequests = [
        request("expired", "It was signed an hour ago: each purchase is signed anew.", .expired) {
            $0.set("iat", raw: $1.seconds(-3600))
        },
        request("issued-ahead", "`iat` is an hour ahead.", .issuedInFuture) {
            $0.set("iat", raw: $1.seconds(3600))
        },
        request("issued-missing", "There is no `iat`: it would live for ever.", .malformed) {
            claims, _ in claims.remove("iat")
        },
        request(
            "names-its-end", "It has `exp`: the store says how long it is good for.", .namesItsEnd
        ) { $0.set("exp", raw: $1.seconds(300)) },
        request("audience-other", "`aud` is that of request tokens.", .otherApp) { claims, _ in
            claims.set("aud", RequestToken.audience)
        },
        request("issuer-other", "`iss` is another team.", .otherApp) {
            $0.set("iss", $1.nonces.second)
        },
        request("of-another-app", "`bid` is another app.", .otherApp) { claims, _ in
            claims.set("bid", Workbench.otherBundleID)
        },
        request("nonce-missing", "There is no `nonce`: it could be used twice.", .malformed) {
            claims, _ in claims.remove("nonce")
        },
        request("nonce-not-a-uuid", "`nonce` is no UUID.", .malformed) { claims, _ in
            claims.set("nonce", "1")
        },
        request("request-missing", "It asks for nothing.", .malformed) { claims, _ in
            claims.remove("request")
        },
        request(
            "request-not-base64", "`request` is JSON as it is, not in Base64.", .malformedRequest
        ) {
            claims, _ in claims.set("request", "{}")
        },
        request("request-not-json", "`request` is Base64 of something else.", .malformedRequest) {
            claims, _ in claims.set("request", "YWxsIGlzIHdlbGw=")
        },
        ForgeryKind(
            .inAppRequest, "nonce-used",
            "Right in itself, with the nonce of a request that was shown before.", .accepted,
            lookAt: "`nonce` was used: each is good once, also for another request."
        ) { bench in
            let first = try bench.genuine.text()
            return ForgedText(try bench.members { $0.set("request", "e30=") }.text, after: first)
        },
    ]
}
