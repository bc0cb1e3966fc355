internal import Dispatch
internal import Storage

/// Copies of a database's file: `snapshots/NAME.sqlite` and `forks/NAME/store.sqlite` beside it.
///
/// They are made page by page through SQLite's backup interface, from a connection that holds one
/// snapshot: nobody waits for it, and it is as fast as the disk. A copy has another name until it
/// is complete.
struct FileCopies: DatabaseCopies {
    private let path: String
    private let folder: String
    private let options: ConnectionOptions
    private let limits: DatabaseLimits
    private let writer: Writer

    init(of path: String, options: ConnectionOptions, limits: DatabaseLimits, writer: Writer) {
        self.path = path
        folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        self.options = options
        self.limits = limits
        self.writer = writer
        removeDrafts()
    }

    func make(
        _ place: CopyPlace, progress: @escaping @Sendable (CopyProgress) -> Void,
        preparing prepare: @escaping @Sendable (any Session) throws -> Void
    ) async throws {
        try await onThread {
            let name = file(place)
            guard !PrivateFiles.exists(name) else {
                throw StorageError(.uniqueViolation, "there is a copy \(place.name) already")
            }
            let isNewFolder = try makeFolder(of: place)
            let draft = name + Self.draftSuffix
            do {
                PrivateFiles.removeDatabase(draft)
                try PageCopy.make(of: path, at: draft, options: options, progress)
                try change(draft, prepare)
                try PrivateFiles.rename(draft, to: name, in: folder(of: place))
            } catch {
                PrivateFiles.removeDatabase(draft)
                if isNewFolder { PrivateFiles.removeFolder(folder(of: place)) }
                throw error
            }
        }
    }

    func all(_ kind: CopyPlace.Kind) async throws -> [StoredCopy] {
        let copies = PrivateFiles.names(in: folder(of: kind)).compactMap { entry -> StoredCopy? in
            let name =
                switch kind {
                case .fork: entry
                case .snapshot:
                    entry.hasSuffix(Self.suffix) ? String(entry.dropLast(Self.suffix.count)) : ""
                }
            guard let place = CopyPlace(kind, name), PrivateFiles.exists(file(place)) else {
                return nil
            }
            return StoredCopy(
                place: place,
                size: PrivateFiles.size(of: file(place))
                    + PrivateFiles.size(of: file(place) + "-wal"))
        }
        // The ends of their files' names put them in another order.
        return copies.sorted { $0.place.name < $1.place.name }
    }

    func read<T: Sendable>(
        _ place: CopyPlace, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        let readers = ReaderPool(path: try existing(place), options: options)
        let result = Result { try readers.perform(body) }
        await readers.close()
        return try result.get()
    }

    func open(_ place: CopyPlace) async throws -> any Database {
        try SQLiteDatabase(
            path: existing(place), limits: limits, isDurable: options.isDurable)
    }

    func remove(_ place: CopyPlace) async throws -> Bool {
        guard PrivateFiles.exists(file(place)) else { return false }
        PrivateFiles.removeDatabase(file(place))
        if place.kind == .fork { PrivateFiles.removeFolder(folder(of: place)) }
        return true
    }

    /// The pages are written over the database's in one transaction of SQLite's own, so readers see
    /// the old ones until it is committed, and whoever dies on the way finds the old ones again.
    func putBack<Kept: Sendable>(
        _ place: CopyPlace, progress: @escaping @Sendable (CopyProgress) -> Void,
        keeping keep: @escaping @Sendable (any Session) throws -> Kept,
        preparing prepare: @escaping @Sendable (Kept, any Session) throws -> Void
    ) async throws {
        let draft = "\(folder)/\(Self.comingBack)"
        do {
            let source = try existing(place)
            try await onThread {
                PrivateFiles.removeDatabase(draft)
                try PageCopy.make(of: source, at: draft, options: options) {
                    progress(CopyProgress(done: $0.done, total: 2 * $0.total))
                }
            }
            try await writer.performAlone { live in
                let kept = try transaction(on: live, keep)
                try change(draft) { try prepare(kept, $0) }
                let source = try Connection(path: draft, readOnly: true, options: options)
                defer { source.close() }
                // In one step, since it is one transaction.
                try PageCopy(from: source.handle, to: live.handle).run(pagesAtOnce: -1) {
                    progress(CopyProgress(done: $0.total + $0.done, total: 2 * $0.total))
                }
            }
        } catch {
            PrivateFiles.removeDatabase(draft)
            throw error
        }
        PrivateFiles.removeDatabase(draft)
    }

    // MARK: Files

    private static let suffix = ".sqlite"
    private static let draftSuffix = ".new"
    private static let comingBack = "rewinding.sqlite"

    private func folder(of kind: CopyPlace.Kind) -> String { "\(folder)/\(kind.rawValue)s" }

    private func folder(of place: CopyPlace) -> String {
        switch place.kind {
        case .snapshot: folder(of: place.kind)
        case .fork: "\(folder(of: place.kind))/\(place.name)"
        }
    }

    private func file(_ place: CopyPlace) -> String {
        switch place.kind {
        case .snapshot: "\(folder(of: place))/\(place.name)\(Self.suffix)"
        case .fork: "\(folder(of: place))/store\(Self.suffix)"
        }
    }

    /// The file of a copy that there is.
    private func existing(_ place: CopyPlace) throws(StorageError) -> String {
        let file = file(place)
        guard PrivateFiles.exists(file) else {
            throw StorageError(.other, "there is no copy \(place.name)")
        }
        return file
    }

    /// - Returns: whether the copy has a folder of its own that was not there yet.
    private func makeFolder(of place: CopyPlace) throws(StorageError) -> Bool {
        try PrivateFiles.makeFolder(folder(of: place.kind))
        guard place.kind == .fork else { return false }
        let isNew = !PrivateFiles.exists(folder(of: place))
        try PrivateFiles.makeFolder(folder(of: place))
        return isNew
    }

    /// Removes what a process left that was killed while it made a copy, by its own names. Nobody
    /// else makes any, since a file has one process.
    private func removeDrafts() {
        PrivateFiles.removeDatabase("\(folder)/\(Self.comingBack)")
        for entry in PrivateFiles.names(in: folder(of: .snapshot))
        where entry.contains(Self.suffix + Self.draftSuffix) {
            PrivateFiles.removeDatabase("\(folder(of: .snapshot))/\(entry)")
        }
        for fork in PrivateFiles.names(in: folder(of: .fork)) {
            PrivateFiles.removeDatabase(
                "\(folder(of: .fork))/\(fork)/store\(Self.suffix)\(Self.draftSuffix)")
        }
    }

    // MARK: Pages

    /// Changes a draft, and brings all of it to the disk.
    private func change(_ draft: String, _ body: (any Session) throws -> Void) throws {
        let connection = try Connection(path: draft, readOnly: false, options: options)
        defer { connection.close() }
        try transaction(on: connection, body)
        // Who reads it leaves no companions then; who serves it changes that again.
        try connection.step("PRAGMA journal_mode = DELETE")
    }

    @discardableResult
    private func transaction<T>(
        on connection: Connection, _ body: (any Session) throws -> T
    ) throws -> T {
        try connection.step("BEGIN IMMEDIATE")
        let session = SQLiteSession(connection)
        do {
            let result = try body(session)
            if let failure = session.failure { throw failure }
            try connection.step("COMMIT")
            return result
        } catch {
            if connection.isInTransaction { try? connection.step("ROLLBACK") }
            throw error
        }
    }

    /// Copying blocks its thread for seconds, which would be missing among those for tasks.
    private func onThread<T: Sendable>(
        _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }
}
