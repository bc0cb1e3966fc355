import AppStoreWire
import ArgumentParser
import ConnectAnswers
import FoundationEssentials
import TimeAndChance
import Timeline

/// Rebuilds what the merchant keeps from what the store says.
struct MerchantRebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Rebuild what the merchant keeps from what the App Store says.",
        discussion: """
            --from FILE asks for the whole history and the statuses of each transaction's \
            customer. The file has a transaction a line, or the account and the transaction with a \
            comma between them: what an export of another service gives. Lines that are empty or \
            begin with # are passed over. Asked again, only what is newer is read. Production is \
            asked, or Sandbox with --sandbox. Exit code 1 when lines failed.

            --from-history reads all notifications that the App Store keeps: 180 days, in Sandbox \
            30. Progress goes to standard error; a rebuild goes on when this command is stopped.

              perennial merchant rebuild --from transactions.csv
              perennial merchant rebuild --from-history
            """)

    @Flag(help: "Read the whole history of notifications again.")
    var fromHistory = false

    @Option(
        help: ArgumentHelp("A transaction, or account,transaction, a line.", valueName: "file"),
        completion: .file())
    var from: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    /// How many lines go in one request, and how many bytes of them: a body has a MiB at most.
    private static let mostLines = 10_000
    private static let mostBytes = 900_000

    func validate() throws {
        guard fromHistory != (from != nil) else {
            throw ValidationError("Say from what: --from FILE, or --from-history.")
        }
        guard !fromHistory || !store.sandbox else {
            throw ValidationError("--from-history reads both environments: leave --sandbox out.")
        }
    }

    func run() async throws {
        let merchant = try store.merchant(of: which, takesSandbox: true)
        if let from {
            try await rebuild(from: try Self.lines(of: from), in: from, merchant)
        } else {
            try await rebuildFromHistory(merchant)
        }
    }

    // MARK: From a file

    private func rebuild(
        from lines: [FileLine], in file: String, _ merchant: MerchantClient
    ) async throws {
        var reports: [Answer] = []
        var (done, taken, failed): (Int64, Int64, Int64) = (0, 0, 0)
        var problems: [FailedLine] = []
        var numbers = LineNumbers(lines)
        for chunk in Self.chunks(of: lines.map(\.text)) {
            var report = try await merchant.rebuild(chunk, inSandbox: store.sandbox)
            let number = try report.integer("id")
            while report.optionalMoment("ended") == nil {
                if let problem = report.optionalText("problem") {
                    throw Failure.refused(
                        "Rebuild \(number) stands still: \(problem) It goes on within the hour.")
                }
                let read = try report.integer("read") + done
                say("\(read) of \(lines.count) lines read", report)
                await SystemTime.wait(.seconds(1))
                report = try await merchant.rebuild(number)
            }
            done += try report.integer("read")
            taken += try report.integer("taken")
            failed += try report.integer("failed")
            reports.append(report)
            guard problems.count < Self.mostFailures, try report.integer("failed") > 0 else {
                continue
            }
            for one in try await merchant.failedLines(of: number).list("failures") {
                problems.append(try FailedLine(one, &numbers))
            }
        }
        problems = Array(problems.prefix(Self.mostFailures))
        let all = JSONValue.object([
            "lines": .integer(Int64(lines.count)), "read": .integer(done),
            "taken": .integer(taken), "failed": .integer(failed),
            "failures": .array(problems.map(\.value)),
            "rebuilds": .array(reports.map(\.value)),
        ])
        let words = [
            "\(counted(Int(done), "line")) read, \(taken) news taken, \(failed) failed"
        ]
        try store.show(Answer(value: all, source: "rebuild"), of: which) { _ in
            words + problems.map(\.words)
        }
        guard failed == 0 else {
            throw Failure(
                .refused, "\(counted(Int(failed), "line")) of \(file) failed.",
                remedy: "Correct them, and run the command again: it reads only what is newer.")
        }
    }

    /// How many failed lines are listed.
    private static let mostFailures = 200

    /// The lines of a file that say something.
    private static func lines(of path: String) throws -> [FileLine] {
        guard let data = FileManager.default.contents(atPath: path),
            let text = String(validating: data, as: UTF8.self)
        else {
            throw Failure.refused(
                "\(path) cannot be read as text: correct the path, or save it as UTF-8.")
        }
        let lines = lines(in: text)
        guard !lines.isEmpty else {
            throw Failure.refused("\(path) has no line: write a transaction on each.")
        }
        return lines
    }

    /// The lines of a text that say something.
    static func lines(in text: String) -> [FileLine] {
        var lines: [FileLine] = []
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in all.enumerated() {
            let bare = Self.bare(line)
            if !bare.isEmpty, !bare.hasPrefix("#") {
                lines.append(FileLine(number: index + 1, text: bare))
            }
        }
        return lines
    }

    /// A line without what a spreadsheet writes around its fields. What is within an account's name
    /// stays: without it the name is another account's.
    static func bare(_ line: Substring) -> String {
        guard let comma = line.lastIndex(of: ",") else { return field(line) }
        return field(line[..<comma]) + "," + field(line[line.index(after: comma)...])
    }

    private static func field(_ text: Substring) -> String {
        var field = text
        while field.first?.isWhitespace == true { field.removeFirst() }
        while field.last?.isWhitespace == true { field.removeLast() }
        guard field.count > 1, field.first == "\"", field.last == "\"" else { return String(field) }
        // A quotation mark within quotation marks is written twice.
        return field.dropFirst().dropLast().split(
            separator: "\"\"", omittingEmptySubsequences: false
        )
        .joined(separator: "\"")
    }

    private static func chunks(of lines: [String]) -> [[String]] {
        var chunks: [[String]] = []
        var chunk: [String] = []
        var bytes = 0
        for line in lines {
            let size = line.utf8.count + 4
            if chunk.count == mostLines || bytes + size > mostBytes {
                chunks.append(chunk)
                (chunk, bytes) = ([], 0)
            }
            chunk.append(line)
            bytes += size
        }
        return chunk.isEmpty ? chunks : chunks + [chunk]
    }

    // MARK: From the history

    private func rebuildFromHistory(_ merchant: MerchantClient) async throws {
        let begun = try await merchant.rereadHistory().integer("begun")
        guard begun > 0 else {
            throw Failure.refused(
                "Nothing has begun: no app says where the App Store Server API is (`api` in the "
                    + "file), or somebody looks now: `perennial merchant gaps` says so.")
        }
        while true {
            let answer = try await merchant.gaps(healing: false, since: nil)
            let looks = try answer.list("gaps").filter { try $0.text("kind") == "history" }
            let running = try looks.filter { try $0.text("state") != "done" }
            guard let first = running.first, looks.allSatisfy({ Self.isGoing($0) }) else {
                try store.show(answer, of: which) { _ in try looks.map(Self.words) }
                return try MerchantGapsCommand.checkEnd(of: looks)
            }
            say("\(try first.integer("read")) notifications read", first)
            await SystemTime.wait(.seconds(1))
        }
    }

    /// Whether nothing keeps it from its end.
    private static func isGoing(_ look: Answer) -> Bool {
        look.optionalMoment("ended") != nil || look.optionalText("problem") == nil
    }

    private static func words(_ look: Answer) throws -> String {
        let problem = look.optionalText("problem").map { ": \($0)" } ?? ""
        return "\(try look.text("bundleId")), \(try look.text("environment")): "
            + "\(try look.text("state")), \(try look.integer("read")) notifications read, "
            + "\(try look.integer("healed")) news taken\(problem)"
    }

    /// Says how far it is, unless only JSON is wanted.
    private func say(_ words: String, _ report: Answer) {
        guard !store.json else { return }
        let problem = report.optionalText("problem").map { " (\($0))" } ?? ""
        Output.complain(words + problem)
    }
}
