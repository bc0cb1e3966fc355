public import AppStoreWire

/// Verifies and decodes what one app receives from the store, as Apple's class of the same name
/// does offline: signature, chain at the signing date, then identity (JWS-2).
public struct SignedDataVerifier: Sendable {
    private let verifier: JWSVerifier
    private let bundleID: String
    private let environment: Environment
    private let appAppleID: Int64?

    /// A verifier for one app in one environment.
    ///
    /// - Parameter appAppleID: The app's Apple id: compared in production only, and there always.
    public init(
        verifier: JWSVerifier, bundleID: String, environment: Environment, appAppleID: Int64?
    ) {
        self.verifier = verifier
        self.bundleID = bundleID
        self.environment = environment
        self.appAppleID = appAppleID
    }

    /// A signed transaction; compares bundle and environment.
    public func verifyTransaction(
        _ jws: String
    ) async throws(JWSVerificationError) -> JWSTransactionDecodedPayload {
        let payload = try await verified(JWSTransactionDecodedPayload.self, jws, \.signedDate)
        try check(bundleID: payload.bundleId)
        try check(environment: payload.environment)
        return payload
    }

    /// Signed renewal information; compares the environment, for it names no bundle.
    public func verifyRenewalInfo(
        _ jws: String
    ) async throws(JWSVerificationError) -> JWSRenewalInfoDecodedPayload {
        let payload = try await verified(JWSRenewalInfoDecodedPayload.self, jws, \.signedDate)
        try check(environment: payload.environment)
        return payload
    }

    /// A signed app transaction; compares bundle, environment and in production the Apple id.
    public func verifyAppTransaction(
        _ jws: String
    ) async throws(JWSVerificationError) -> AppTransaction {
        let payload = try await verified(AppTransaction.self, jws, \.receiptCreationDate)
        try check(bundleID: payload.bundleId)
        try check(environment: payload.receiptType)
        try check(appAppleID: payload.appAppleId)
        return payload
    }

    /// A notification's `signedPayload`; compares bundle, environment and in production the Apple
    /// id, taken from whichever of its four objects it carries. The signed strings inside are not
    /// verified here.
    public func verifyNotification(
        _ jws: String
    ) async throws(JWSVerificationError) -> ResponseBodyV2DecodedPayload {
        let payload = try await verified(ResponseBodyV2DecodedPayload.self, jws, \.signedDate)
        if let data = payload.data {
            try check(data.bundleId, data.environment, data.appAppleId)
        } else if let summary = payload.summary {
            try check(summary.bundleId, summary.environment, summary.appAppleId)
        } else if let token = payload.externalPurchaseToken {
            // It names no environment; its id tells (JWS-2).
            let isSandbox = token.externalPurchaseId.hasPrefix("SANDBOX")
            try check(token.bundleId, isSandbox ? .sandbox : .production, token.appAppleId)
        } else if let data = payload.appData {
            try check(data.bundleId, data.environment, data.appAppleId)
        } else {
            throw JWSVerificationError(.malformedPayload, "The notification carries nothing.")
        }
        return payload
    }

    /// Decodes first, for the signing date is in the payload, and trusts nothing before the
    /// signature is verified at that date.
    private func verified<Payload: Decodable>(
        _ type: Payload.Type, _ text: String, _ signedDate: (Payload) -> Int64
    ) async throws(JWSVerificationError) -> Payload {
        let jws = try verifier.parse(text)
        // Foundation's decoder keeps one of two members of a name without a word, which may be
        // another one than whoever reads the text next keeps.
        guard let value = try? JSONValue(parsing: jws.payload) else {
            throw JWSVerificationError(
                .malformedPayload, "The payload is not JSON with each member once.")
        }
        guard let decoded = try? value.decoded(as: type) else {
            throw JWSVerificationError(.malformedPayload, "The payload is not a \(type).")
        }
        _ = try await verifier.verify(jws, at: signedDate(decoded))
        return decoded
    }

    private func check(
        _ bundleID: String, _ environment: Environment, _ appAppleID: Int64?
    ) throws(JWSVerificationError) {
        try check(bundleID: bundleID)
        try check(environment: environment)
        try check(appAppleID: appAppleID)
    }

    private func check(bundleID: String) throws(JWSVerificationError) {
        guard bundleID == self.bundleID else {
            throw JWSVerificationError(.wrongBundle, "The payload is of another app.")
        }
    }

    private func check(environment: Environment) throws(JWSVerificationError) {
        guard environment == self.environment else {
            throw JWSVerificationError(
                .wrongEnvironment, "The payload is of another environment.")
        }
    }

    private func check(appAppleID: Int64?) throws(JWSVerificationError) {
        guard environment == .production else { return }
        guard let expected = self.appAppleID, appAppleID == expected else {
            throw JWSVerificationError(
                .wrongAppAppleID, "The payload is of an app with another Apple id.")
        }
    }
}
