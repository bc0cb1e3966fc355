import AppStoreSigning
import Synchronization

/// Signs and verifies the store's receipts. What it needs is made or read when it is first asked,
/// since most worlds never show a receipt.
final class ReceiptAuthority: Sendable {
    /// What goes with one chain.
    struct Seal: Sendable {
        let signer: ReceiptSigner
        let verifier: ReceiptVerifier
        /// The certificate between that of transaction receipts and the root, which they do not
        /// bring along.
        let intermediateDER: [UInt8]
    }

    private let makeChain: @Sendable () throws -> ReceiptChain
    private let seal = Mutex<Seal?>(nil)

    init(chain: @escaping @Sendable () throws -> ReceiptChain) { makeChain = chain }

    /// - Throws: what making the chain throws.
    func load() throws -> Seal {
        try seal.withLock { seal in
            if let seal { return seal }
            let chain = try makeChain()
            let made = Seal(
                signer: try ReceiptSigner(chain: chain),
                verifier: try ReceiptVerifier(rootDER: [chain.rootDER]),
                intermediateDER: chain.intermediateDER)
            seal = made
            return made
        }
    }
}
