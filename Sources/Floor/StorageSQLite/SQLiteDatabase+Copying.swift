internal import Dispatch
public import Storage

extension SQLiteDatabase {
    /// Makes a copy of a file, as it is at one moment, in a private temporary folder, which is
    /// removed on `close`; nothing waits for the disk. Another process may write to the file
    /// meanwhile, and does not wait either.
    ///
    /// - Throws: `StorageError`, for one where the file cannot be read.
    public static func ephemeral(
        copying file: String, limits: DatabaseLimits = DatabaseLimits()
    ) async throws -> SQLiteDatabase {
        let folder = try PrivateFiles.makeTemporaryFolder()
        let path = PrivateFiles.databasePath(in: folder)
        let options = ConnectionOptions(
            isDurable: false, busyTimeoutMilliseconds: limits.lock.milliseconds)
        do {
            // Copying blocks its thread for seconds, which would be missing among those for tasks.
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                DispatchQueue.global().async {
                    continuation.resume(
                        with: Result {
                            try PageCopy.make(of: file, at: path, options: options) { _ in }
                        })
                }
            }
            return try SQLiteDatabase(
                path: path, limits: limits, isDurable: false, temporaryFolder: folder)
        } catch {
            PrivateFiles.removeTemporaryFolder(folder)
            throw error
        }
    }
}
