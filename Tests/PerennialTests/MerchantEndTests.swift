import AppStoreWire
import ConnectAnswers
import Testing

@testable import perennial

@Suite("How commands of the merchant end")
struct MerchantEndTests {
    private func look(_ state: String, _ problem: String? = nil) -> Answer {
        var members: [String: JSONValue] = [
            "bundleId": .string("a.b"), "environment": .string("Sandbox"),
            "kind": .string("history"), "state": .string(state),
        ]
        members["problem"] = problem.map { .string($0) }
        return Answer(value: .object(members), source: "test")
    }

    @Test("A look that was interrupted fails, with why and what to do")
    func interrupted() throws {
        do {
            try MerchantGapsCommand.checkEnd(
                of: [look("done"), look("interrupted", "the store did not answer.")])
            Issue.record("it did not fail")
        } catch let failure as Failure {
            #expect(failure.code == .refused)
            #expect(
                failure.message
                    == "A look was interrupted: a.b, Sandbox, history: the store did not answer.")
            #expect(failure.remedy?.contains("`perennial merchant gaps --heal`") == true)
        }
    }

    @Test("Looks that are done or still run do not fail")
    func fine() throws {
        try MerchantGapsCommand.checkEnd(of: [])
        try MerchantGapsCommand.checkEnd(
            of: [look("done", "a notification was not taken"), look("running")])
    }

    @Test("A line that failed is named by its number, its account and its transaction")
    func lines() throws {
        let file = ["7", "# who", "", "\"ada\", \"8\"", "7"].joined(separator: "\n")
        let found = MerchantRebuildCommand.lines(in: file)
        #expect(found.map(\.text) == ["7", "ada,8", "7"])
        #expect(found.map(\.number) == [1, 4, 5])
        var numbers = LineNumbers(found)
        #expect(numbers.take(account: "ada", transaction: "8") == 4)
        #expect(numbers.take(account: nil, transaction: "7") == 1)
        #expect(numbers.take(account: nil, transaction: "7") == 5)
        // An account that was erased meanwhile.
        #expect(numbers.take(account: nil, transaction: "8") == nil)
        let failed = MerchantRebuildCommand.FailedLine(
            number: 4, account: "ada", transactionID: "8", problem: "unknown")
        #expect(failed.words == "line 4, ada, 8: unknown")
        let bare = MerchantRebuildCommand.FailedLine(
            number: nil, account: nil, transactionID: "8", problem: "unknown")
        #expect(bare.words == "8: unknown")
    }

    @Test("A failure in a log reads as its message")
    func words() {
        #expect("\(Failure.refused("The file is gone."))" == "The file is gone.")
        #expect(
            "\(Failure(.refused, "The file is gone.", remedy: "Put it back."))"
                == "The file is gone. Put it back.")
    }
}
