public import AppStoreSigning
public import FoundationEssentials

/// What was signed, and whether it is to be trusted: the signature, its certificates up to a root
/// that came with the app, the app and the environment were checked on this device.
public enum VerificationResult<SignedType: Sendable>: Sendable {
    /// It is not what it says, or not from this store: give nothing for it.
    case unverified(SignedType, VerificationError)
    /// It is from the store and for this app.
    case verified(SignedType)

    /// Why it is not to be trusted: a code, and a sentence.
    public typealias VerificationError = JWSVerificationError

    /// What was signed, if it is to be trusted.
    ///
    /// - Throws: ``VerificationError``.
    public var payloadValue: SignedType {
        get throws(VerificationError) {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// What was signed, whether or not it is to be trusted.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}

/// Something that came as a compact JWS.
public protocol SignedValue: Sendable {
    /// As it was signed: what a server verifies.
    var jwsRepresentation: String { get }
}

extension SignedValue {
    /// What was signed, as JSON: times in UNIX milliseconds, money in milliunits.
    public var jsonRepresentation: Data { signedPart { try $0.payload() } }

    /// A part of it; empty where there is none, but nothing becomes such a value undecoded.
    fileprivate func signedPart(_ part: (CompactJWS) throws -> [UInt8]) -> Data {
        Data((try? part(CompactJWS(jwsRepresentation))) ?? [])
    }
}

extension VerificationResult where SignedType: SignedValue {
    /// As it was signed: what a server verifies.
    public var jwsRepresentation: String { unsafePayloadValue.jwsRepresentation }
    /// What was signed, as JSON.
    public var payloadData: Data { unsafePayloadValue.jsonRepresentation }
    /// The header of the JWS, as JSON.
    public var headerData: Data { unsafePayloadValue.signedPart { try $0.headerBytes() } }
    /// The signature: R and S, 64 bytes.
    public var signatureData: Data { unsafePayloadValue.signedPart { try $0.signature() } }
}
