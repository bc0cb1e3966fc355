import AppStoreWire
import ConnectAnswers

extension MerchantRebuildCommand {
    /// A line of the file that says something.
    struct FileLine: Hashable, Sendable {
        /// From 1, as editors count.
        let number: Int
        /// `transactionId`, or `account,transactionId`.
        let text: String
    }

    /// A line that brought nothing.
    struct FailedLine: Hashable, Sendable {
        /// Nil where the merchant does not name the line's account any more.
        let number: Int?
        let account: String?
        let transactionID: String
        let problem: String

        var words: String {
            let names = [number.map { "line \($0)" }, account, transactionID].compactMap(\.self)
            return "\(names.joined(separator: ", ")): \(problem)"
        }

        var value: JSONValue {
            var members: [String: JSONValue] = [
                "transactionId": .string(transactionID), "problem": .string(problem),
            ]
            members["line"] = number.map { .integer(Int64($0)) }
            members["account"] = account.map { .string($0) }
            return .object(members)
        }
    }
}

extension MerchantRebuildCommand.FailedLine {
    /// What the merchant answers of it.
    init(_ answer: Answer, _ numbers: inout LineNumbers) throws {
        account = answer.optionalText("account")
        transactionID = try answer.text("transactionId")
        problem = try answer.text("problem")
        number = numbers.take(account: account, transaction: transactionID)
    }
}

/// Finds the numbers of lines by what is in them.
struct LineNumbers {
    private var waiting: [String: [Int]] = [:]

    init(_ lines: [MerchantRebuildCommand.FileLine]) {
        // The last one is taken first.
        for line in lines.reversed() { waiting[line.text, default: []].append(line.number) }
    }

    /// The first such line that was not taken yet.
    mutating func take(account: String?, transaction: String) -> Int? {
        waiting[account.map { "\($0),\(transaction)" } ?? transaction]?.popLast()
    }
}
