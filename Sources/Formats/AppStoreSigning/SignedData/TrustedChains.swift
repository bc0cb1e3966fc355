import Crypto
import Synchronization

/// Remembers chains that were verified: one signer signs everything, and its chain costs ten times
/// what a signature does.
///
/// The verdict depends on time only through the certificates' validity, so it is kept with the
/// instants at which all three are valid, and holds for any date among them. Nothing else of a text
/// is remembered (ING-2).
final class TrustedChains: Sendable {
    struct Verdict {
        let key: P256.Signing.PublicKey
        /// In milliseconds since 1970 UTC.
        let validity: ClosedRange<Int64>
    }

    /// Apple's libraries remember as many (JWS-2).
    static let capacity = 32

    private let verdicts = Mutex<[[String]: Verdict]>([:])

    /// The leaf's key, if exactly these entries of `x5c` are known to be good at `date`.
    func key(of entries: [String], at date: Int64) -> P256.Signing.PublicKey? {
        guard let verdict = verdicts.withLock({ $0[entries] }), verdict.validity.contains(date)
        else { return nil }
        return verdict.key
    }

    func remember(_ verdict: Verdict, for entries: [String]) {
        verdicts.withLock { verdicts in
            if verdicts.count >= Self.capacity { verdicts.removeAll() }
            verdicts[entries] = verdict
        }
    }
}
