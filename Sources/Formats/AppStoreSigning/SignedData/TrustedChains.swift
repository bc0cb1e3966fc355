import Crypto
import FoundationEssentials
import Synchronization

/// Remembers headers whose chain was verified: one signer writes the same header into everything,
/// and its chain costs ten times what a signature does.
///
/// The verdict depends on time only through the certificates' validity, so it is kept with the
/// instants at which all three are valid, and holds for any date among them. Nothing else of a text
/// is remembered (ING-2).
final class TrustedChains: Sendable {
    struct Verdict {
        let key: P256.Signing.PublicKey
        /// In milliseconds since 1970 UTC.
        let validity: ClosedRange<Int64>
        /// Has taken in the header: all that is signed begins with it.
        let headerHash: SHA256
    }

    /// Apple's libraries remember as many (JWS-2).
    static let capacity = 32

    // `Data` is hashed by its beginning alone and compared in one piece, an array byte by byte.
    private let verdicts = Mutex<[Data: Verdict]>([:])

    /// What is known of exactly this header, as base64url.
    func verdict(on header: ArraySlice<UInt8>) -> Verdict? {
        let header = Data(header)
        return verdicts.withLock { $0[header] }
    }

    func remember(_ verdict: Verdict, on header: ArraySlice<UInt8>) {
        let header = Data(header)
        verdicts.withLock { verdicts in
            if verdicts.count >= Self.capacity { verdicts.removeAll() }
            verdicts[header] = verdict
        }
    }
}
