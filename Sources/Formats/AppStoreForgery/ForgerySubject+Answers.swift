import AppStoreSigning

/// What kinds that every subject has are refused as: each verifier has its own codes.
extension ForgerySubject {
    /// No compact JWS.
    var malformed: ForgeryAnswer {
        switch self {
        case .requestToken: .requestToken(.malformed)
        case .inAppRequest: .inAppRequest(.malformed)
        default: .signedData(.malformed)
        }
    }

    /// Another algorithm. Verifiers of in-app requests call everything wrong about a signature so.
    var wrongAlgorithm: ForgeryAnswer {
        switch self {
        case .requestToken: .requestToken(.wrongAlgorithm)
        case .inAppRequest: .inAppRequest(.wrongSignature)
        default: .signedData(.wrongAlgorithm)
        }
    }

    /// Not the key's signature over this text.
    var wrongSignature: ForgeryAnswer {
        switch self {
        case .requestToken: .requestToken(.wrongSignature)
        case .inAppRequest: .inAppRequest(.wrongSignature)
        default: .signedData(.wrongSignature)
        }
    }

    /// Rightly signed, and not what it should say.
    var wrongPayload: ForgeryAnswer {
        switch self {
        case .requestToken: .requestToken(.malformed)
        case .inAppRequest: .inAppRequest(.malformed)
        default: .signedData(.malformedPayload)
        }
    }

    /// More than is read.
    var tooLarge: ForgeryAnswer {
        switch self {
        case .requestToken: .requestToken(.tooLarge)
        case .inAppRequest: .inAppRequest(.tooLarge)
        default: .signedData(.tooLarge)
        }
    }

    /// How many bytes are read at most.
    var sizeLimit: Int {
        switch self {
        case .requestToken: RequestTokenVerifier.sizeLimit
        case .inAppRequest: InAppRequestToken.sizeLimit
        default: JWSVerifier.sizeLimit
        }
    }
}
