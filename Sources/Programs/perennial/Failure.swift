import AppStoreWire

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
    /// What to do besides, as a sentence of its own.
    var remedy: String?
    /// What programs branch on where the store refused, such as `unknownApp`.
    var refusal: String?
    /// Apple's error, where the refusal is one of Advanced Commerce.
    var appleError: APIError?
    /// The member of the store's API that is wrong, such as `quantity`.
    var field: String?
    /// What is typed for that member, where the message does not say it.
    var option: String?
    /// What could have been meant, where a name means several subscriptions.
    var choices: Choices?

    /// Subscriptions of which one has to be named.
    struct Choices: Hashable, Sendable {
        /// What was typed.
        var name: String
        var all: [Choice]
    }

    /// A subscription that could have been meant.
    struct Choice: Hashable, Sendable {
        var id: String
        var productID: String
        var bundleID: String
    }

    init(_ code: Code, _ message: String, remedy: String? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    static func refused(_ message: String) -> Failure { Failure(.refused, message) }
    static func usage(_ message: String) -> Failure { Failure(.usage, message) }
    static func unreachable(_ message: String) -> Failure { Failure(.unreachable, message) }
}

extension Failure {
    /// The same, as an answer to a command line.
    func answering(_ arguments: [String]) -> Failure {
        let remedies = Remedies(to: arguments)
        var failure = self
        if let choices {
            let ways = choices.all.map { choice in
                "\(choice.id) is \(choice.productID) of \(choice.bundleID), "
                    + Remedies.again(arguments, naming: choice.id, for: choices.name)
            }
            failure.remedy = ways.joined(separator: "; ") + "."
        }
        failure.message = remedies.meant(message)
        failure.remedy = failure.remedy.map(remedies.meant)
        return failure
    }

    /// The line for standard error; empty where all was said.
    var line: String {
        guard !message.isEmpty else { return "" }
        let number = appleError.map { "\($0.code) \($0.name)" }
        let place = [refusal, option, number].compactMap(\.self).joined(separator: ", ")
        return (["perennial: " + message] + [remedy].compactMap(\.self)).joined(separator: " ")
            + (place.isEmpty ? "" : " [\(place)]")
    }

    /// The same as JSON, with the names that the store's API has for its errors; empty where all
    /// was said.
    var json: String {
        guard !message.isEmpty else { return "" }
        var members: [String: JSONValue] = [
            "error": .string(refusal ?? "\(code)"), "message": .string(message),
            "exitCode": .integer(Int64(code.rawValue)),
        ]
        if let remedy { members["remedy"] = .string(remedy) }
        if let field { members["field"] = .string(field) }
        if let appleError {
            members["errorCode"] = .integer(appleError.code)
            members["errorName"] = .string(appleError.name)
        }
        return PrettyJSON.text(of: .object(members))
    }
}

/// Logs show what a person is to read, and not the members.
extension Failure: CustomStringConvertible {
    var description: String { [message, remedy].compactMap(\.self).joined(separator: " ") }
}
