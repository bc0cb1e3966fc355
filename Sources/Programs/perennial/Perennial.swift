import ArgumentParser
import Timeline

/// The command line. What is wrong is said in one line on standard error.
@main
struct Perennial: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "perennial",
        abstract: "The App Store's subscription system, on your own machine.",
        discussion: """
            Start a store with the products of an Xcode project, buy, and move the clock:

              perennial serve Garden.storekit
              perennial buy com.example.garden.estate.monthly --account anna
              perennial advance P1Y
              perennial timeline anna

            Apple's own server libraries work against it: `serve` prints what to paste into them.
            All commands but `catalog check`, `campaign check` and `world check`, which read \
            files, and `play`, which starts a store of its own, talk to the \
            store of ./perennial-data, or to the one that you name with --ready, or with --url and --token (PERENNIAL_READY, PERENNIAL_URL and \
            PERENNIAL_TOKEN in the environment).

            Exit codes: 0 done, 1 refused, 2 wrong usage, 3 no store answers. With --json errors \
            are JSON on standard error: {"error", "message", "exitCode"}, and sometimes "remedy" \
            and "field".
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Every day",
                subcommands: [
                    ServeCommand.self, DevCommand.self, ConsoleCommand.self, BuyCommand.self,
                    RedeemCommand.self,
                    PlanCommand.self, RenewalCommand.self, ConsentCommand.self, PayCommand.self,
                    AdvanceCommand.self, StatusCommand.self, TimelineCommand.self,
                    NotificationsCommand.self, MailboxCommand.self, NotifyCommand.self,
                    ForgeCommand.self, PlayCommand.self,
                ]),
            CommandGroup(
                name: "What you sell",
                subcommands: [
                    AppCommand.self, CatalogCommand.self, ProductCommand.self, PriceCommand.self,
                    OfferCommand.self, AdvancedCommerceCommand.self,
                ]),
            CommandGroup(
                name: "Customers and money",
                subcommands: [
                    CustomerCommand.self, FamilyCommand.self, SubscriptionCommand.self,
                    BillsCommand.self, RequestsCommand.self, RefundsCommand.self,
                    ExtensionsCommand.self, MoneyCommand.self,
                ]),
            CommandGroup(
                name: "The developer's side",
                subcommands: [MerchantCommand.self, CampaignCommand.self]),
            CommandGroup(
                name: "The world",
                subcommands: [ClockCommand.self, WorldCommand.self, FaultCommand.self]),
        ])

    static func main() async {
        Output.exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what a command line says, or says why not.
    ///
    /// - Parameter arguments: without the program.
    /// - Returns: the exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        do {
            try await perform(arguments)
            return 0
        } catch {
            let ending = Ending(
                error, of: arguments, style: Output.style(),
                complaintWidth: Output.complaintWidth)
            if !ending.output.isEmpty { Output.line(ending.output) }
            if !ending.complaint.isEmpty { Output.complain(ending.complaint) }
            return ending.code
        }
    }

    /// Does what a command line says.
    ///
    /// - Parameter arguments: without the program.
    static func perform(_ arguments: [String]) async throws {
        var command = try parseAsRoot(arguments)
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }
}

/// How the process ends after an error, or after help was asked for.
struct Ending: Hashable {
    var code: Int32
    /// For standard output.
    var output = ""
    /// For standard error.
    var complaint = ""
}

extension Ending {
    /// - Parameters:
    ///   - arguments: the command line that it came of.
    ///   - style: how wide help may be.
    ///   - complaintWidth: how many characters a line of standard error may have.
    init(
        _ error: any Error, of arguments: [String] = [], style: Style = Style(),
        complaintWidth: Int = .max
    ) {
        self.init(error, of: arguments, style)
        complaint = complaint.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { Folding.sentence(String($0), width: complaintWidth) }
            .joined(separator: "\n")
    }

    private init(_ error: any Error, of arguments: [String], _ style: Style) {
        let wantsJSON = arguments.prefix { $0 != "--" }.contains("--json")
        if let failure = error as? Failure {
            self.init(failure.answering(arguments), wantsJSON: wantsJSON)
            return
        }
        switch Perennial.exitCode(for: error) {
        case .success:
            // The parser explains everything to whoever asks for help with a verb that is not.
            if arguments.first == "help",
                let complaint = Vocabulary.shared.complaint(about: Array(arguments.dropFirst()))
            {
                self.init(
                    Failure(
                        .usage, complaint,
                        remedy: "See 'perennial --help' for more information."),
                    wantsJSON: wantsJSON)
            } else if HelpText.isForPrograms(arguments) {
                self.init(code: 0, output: Perennial.fullMessage(for: error))
            } else {
                let text = HelpText.withCommonOptions(
                    Perennial.fullMessage(for: error, columns: 10_000),
                    of: arguments.first == "help" ? Array(arguments.dropFirst()) : arguments)
                self.init(code: 0, output: HelpText.folded(text, width: style.columns))
            }
        case .validationFailure:
            self.init(Ending.usage(error, arguments), wantsJSON: wantsJSON)
        default:
            self.init(.refused("\(error)"), wantsJSON: wantsJSON)
        }
    }

    private init(_ failure: Failure, wantsJSON: Bool) {
        self.init(
            code: failure.code.rawValue, complaint: wantsJSON ? failure.json : failure.line)
    }

    private static func negative(at place: Int, of arguments: [String]) -> String {
        let option = arguments[..<place].last.flatMap { $0.hasPrefix("--") ? $0 : nil }
        return "'\(arguments[place])'\(option.map { " for '\($0)'" } ?? "") is negative: prices, "
            + "steps and other numbers here are not"
    }

    /// The parser's complaint, with the command that explains.
    private static func usage(_ error: any Error, _ arguments: [String]) -> Failure {
        let full = Perennial.fullMessage(for: error)
        let hint = full.split(separator: "\n").last { $0.contains("--help") }
            .map { $0.drop { $0 == " " } }
        // The parser takes a number with a sign for an option, and misses an argument.
        let negative = arguments.firstIndex {
            $0.wholeMatch(of: /-[0-9]+([.,][0-9]*)?|-P[0-9A-Z]+/) != nil
        }
        let message =
            negative.map { Ending.negative(at: $0, of: arguments) }
            ?? Vocabulary.shared.complaint(about: arguments)
            ?? Vocabulary.named(Perennial.message(for: error))
        let end = message.last.map { ".:!?".contains($0) } == true ? "" : "."
        return Failure(.usage, message + end, remedy: hint.map(String.init))
    }
}
