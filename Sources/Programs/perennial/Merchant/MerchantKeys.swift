import MerchantHTTP
import Synchronization

/// The tokens of a merchant that runs: those of its file, which may change meanwhile.
final class MerchantKeys: Sendable {
    let file: MerchantTokenFile
    /// What its server goes by.
    let book: TokenBook
    private let known: Mutex<MerchantServer.Tokens>

    /// - Throws: `Failure` where the file is damaged, open to others or cannot be written.
    init(in directory: DataDirectory, of bundleIDs: [String]) throws {
        file = MerchantTokenFile(path: directory.file(MerchantTokenFile.name))
        try directory.checkAccess(of: file.path, isSecret: true)
        let tokens = try file.ensure(bundleIDs)
        book = TokenBook(tokens)
        known = Mutex(tokens)
    }

    var tokens: MerchantServer.Tokens { known.withLock { $0 } }

    /// Goes by what the file says now; apps that have no tokens get them.
    func refresh(for bundleIDs: [String]) throws {
        let tokens = try file.ensure(bundleIDs)
        known.withLock { $0 = tokens }
        book.replace(by: tokens)
    }
}
