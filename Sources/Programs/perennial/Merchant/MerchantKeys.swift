import MerchantHTTP
import Synchronization

/// The tokens of a merchant that runs: those of its file, which may change meanwhile.
final class MerchantKeys: Sendable {
    let file: MerchantTokenFile
    /// What its server goes by.
    let book: TokenBook
    private let state: Mutex<State>

    private struct State: Sendable {
        var tokens: MerchantServer.Tokens
        /// Those that were replaced, and are not yet in the audit log.
        var rotations: [TokenRotation] = []
    }

    /// - Throws: `Failure` where the file is damaged, open to others or cannot be written.
    init(in directory: DataDirectory, of bundleIDs: [String]) throws {
        file = MerchantTokenFile(path: directory.file(MerchantTokenFile.name))
        try directory.checkAccess(of: file.path, isSecret: true)
        let tokens = try file.ensure(bundleIDs)
        book = TokenBook(tokens)
        state = Mutex(State(tokens: tokens))
    }

    var tokens: MerchantServer.Tokens { state.withLock { $0.tokens } }

    /// Goes by what the file says now; apps that have no tokens get them.
    ///
    /// - Returns: whether the tokens have changed.
    @discardableResult
    func refresh(for bundleIDs: [String]) throws -> Bool {
        let tokens = try file.ensure(bundleIDs)
        let isNews = state.withLock { state in
            guard state.tokens != tokens else { return false }
            state.rotations += TokenRotation.all(from: state.tokens, to: tokens)
            state.tokens = tokens
            return true
        }
        if isNews { book.replace(by: tokens) }
        return isNews
    }

    /// A replaced token that is not yet in the audit log; whoever takes it writes it there.
    func takeRotation() -> TokenRotation? {
        state.withLock { $0.rotations.isEmpty ? nil : $0.rotations.removeFirst() }
    }

    /// It could not be written.
    func putBack(_ rotation: TokenRotation) {
        state.withLock { $0.rotations.insert(rotation, at: 0) }
    }
}

/// That a token was replaced by another one.
struct TokenRotation: Hashable, Sendable {
    let scope: TokenScope
    /// Whose it is; nil for the operator's.
    let bundleID: String?

    /// What was replaced. An app that is new has no token that was.
    static func all(
        from old: MerchantServer.Tokens, to new: MerchantServer.Tokens
    ) -> [TokenRotation] {
        var found: [TokenRotation] = []
        if old.theOperator != new.theOperator {
            found.append(TokenRotation(scope: .theOperator, bundleID: nil))
        }
        for (bundleID, app) in new.apps.sorted(by: { $0.key < $1.key }) {
            guard let before = old.apps[bundleID] else { continue }
            if before.app != app.app {
                found.append(TokenRotation(scope: .app, bundleID: bundleID))
            }
            if before.server != app.server {
                found.append(TokenRotation(scope: .server, bundleID: bundleID))
            }
        }
        return found
    }
}
