/// Why a command ends without having done what was asked: a sentence for the person at the
/// terminal, and the exit code for the script.
struct Failure: Error, Hashable, Sendable {
    /// What the process ends with.
    enum Code: Int32, Hashable, Sendable {
        /// The store, a file or the system refused.
        case refused = 1
        /// The command line makes no sense.
        case usage = 2
        /// No store answers.
        case unreachable = 3
    }

    var code: Code
    /// What is wrong, where, and what to do about it, in one line; empty where all was said.
    var message: String
    /// What programs branch on where the store refused, such as `unknownApp`.
    var refusal: String?

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func refused(_ message: String) -> Failure { Failure(.refused, message) }
    static func usage(_ message: String) -> Failure { Failure(.usage, message) }
    static func unreachable(_ message: String) -> Failure { Failure(.unreachable, message) }
}
