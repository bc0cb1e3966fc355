import Synchronization

/// Takes what a command prints, where something else does it.
final class Recorder: Sendable {
    private let written = Mutex("")

    /// Everything so far.
    var text: String { written.withLock { $0 } }

    func take(_ text: String) { written.withLock { $0 += text } }
}
