import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file that a session keeps its state in, held by one session at a time.
///
/// The hold is the system's lock on a file beside it, which goes with the process however that
/// ends. The state itself is written beside and moved into place, so a crash leaves the old state
/// or the new.
final class StateFile: Sendable {
    private let path: String
    /// The descriptor of the lock's file, until it is let go of.
    private let lock: Mutex<Int32?>

    /// Takes the file. It may not be there yet, nor its folder, which is made for its owner alone.
    init(path: String) throws(StoreKitError) {
        self.path = path
        let folder = URL(filePath: path).deletingLastPathComponent().path
        do {
            if !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw .systemError("The folder \(folder) cannot be made: \(error)")
        }
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw .systemError("\(path).lock cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw .systemError(
                "\(path) is in use by another session: give each session a file of its own")
        }
        self.lock = Mutex(lock)
    }

    deinit { release() }

    /// Lets another session have the file.
    func release() {
        lock.withLock { lock in
            if let descriptor = lock {
                // Not by closing alone: a program that is being started has it too, until it
                // becomes itself.
                flock(descriptor, LOCK_UN)
                close(descriptor)
            }
            lock = nil
        }
    }

    /// What was kept; nothing where there is no file yet.
    func read() throws(StoreKitError) -> SavedState {
        guard FileManager.default.fileExists(atPath: path) else { return SavedState() }
        do {
            return try SavedState(Array(Data(contentsOf: URL(filePath: path))))
        } catch let damage as SavedState.Damage {
            throw .systemError(
                "\(path) cannot be read: \(damage.reason). Remove it to begin as a new device; "
                    + "purchases are with the store.")
        } catch {
            throw .systemError("\(path) cannot be read: \(error)")
        }
    }

    func write(_ state: SavedState) throws(StoreKitError) {
        do {
            try AtomicFile.write(state.jsonBytes(), to: path, mode: 0o600)
        } catch {
            throw .systemError("What must be kept cannot be written: \(error)")
        }
    }
}
