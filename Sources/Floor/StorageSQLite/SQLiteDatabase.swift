public import Storage

/// A database in one file, with any number of readers beside one writer.
public final class SQLiteDatabase: Database {
    /// SQLite's words.
    public let dialect = Dialect.sqlite
    /// The path of the file.
    public let path: String
    private let writer: Writer
    private let readers: ReaderPool
    private let temporaryFolder: String?
    /// Copies of the file, in the folders `snapshots` and `forks` beside it.
    public let copies: any DatabaseCopies

    /// Opens a file, or creates it for its owner's eyes only (mode 0600); its folder must exist.
    /// Throws a `StorageError` if that cannot be done.
    public convenience init(path: String, limits: DatabaseLimits = DatabaseLimits()) throws {
        try self.init(path: path, limits: limits, isDurable: true)
    }

    init(
        path: String, limits: DatabaseLimits, isDurable: Bool, temporaryFolder: String? = nil
    ) throws {
        let options = ConnectionOptions(
            isDurable: isDurable, busyTimeoutMilliseconds: limits.lock.milliseconds)
        try PrivateFiles.createFile(path)
        let writer = Writer(
            try Connection(path: path, readOnly: false, options: options), limits: limits)
        self.path = path
        self.writer = writer
        readers = ReaderPool(path: path, options: options)
        copies = FileCopies(of: path, options: options, limits: limits, writer: writer)
        self.temporaryFolder = temporaryFolder
    }

    deinit {
        if let temporaryFolder { PrivateFiles.removeTemporaryFolder(temporaryFolder) }
    }

    /// Makes a database in a private temporary folder, which is removed on `close` or when the last
    /// reference goes; nothing waits for the disk.
    ///
    /// - Parameter contents: the bytes of a whole database; empty for one that is empty.
    public static func ephemeral(
        limits: DatabaseLimits = DatabaseLimits(), contents: [UInt8] = []
    ) throws -> SQLiteDatabase {
        let folder = try PrivateFiles.makeTemporaryFolder()
        let path = PrivateFiles.databasePath(in: folder)
        do {
            try PrivateFiles.createFile(path, contents: contents)
            return try SQLiteDatabase(
                path: path, limits: limits, isDurable: false, temporaryFolder: folder)
        } catch {
            PrivateFiles.removeTemporaryFolder(folder)
            throw error
        }
    }

    /// The bytes of the whole database as it is now, which `ephemeral` takes.
    public func contents() async throws -> [UInt8] {
        try await writer.performAlone { try $0.contents() }
    }

    /// Runs one transaction on the writer's own thread.
    @discardableResult
    public func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await writer.perform(body)
    }

    /// Runs queries on one snapshot, on the caller's thread.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try readers.perform(body)
    }

    /// Reads something, which waits for no writer.
    public func check() async throws {
        try readers.perform { _ = try $0.row("SELECT COUNT(*) FROM sqlite_schema") }
    }

    /// How busy the writer is; those who only read wait for nobody.
    public var load: DatabaseLoad { writer.load }

    /// Waits for running transactions and closes the file; a temporary one is removed.
    public func close() async {
        await readers.close()
        await writer.close()
        if let temporaryFolder { PrivateFiles.removeTemporaryFolder(temporaryFolder) }
    }
}
