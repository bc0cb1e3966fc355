import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Logging
import Merchant
import MerchantConfiguration
import MerchantRules
import Timeline

/// Plays a price campaign to its end, with answers that are made up.
struct CampaignRehearseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Play a price campaign to its end with made-up answers.",
        discussion: """
            With --fork the store and the merchant are copied, and the campaign runs to its end on \
            the copies: its messages go nowhere, its calls to the fork, whose clock moves from \
            moment to moment. Nothing changes that is live, and the copies are removed. Without \
            it, it is played on the merchant's registers alone, and no store is asked.
            Shares are of 100 subscribers; the rest stays silent. The same --seed gives the same \
            answers. The report has the form of `campaign report`.

              perennial campaign rehearse spring-2027.yaml
              perennial campaign rehearse spring-2027.yaml --agree 60 --decline 10 --cancel 5
              perennial campaign rehearse spring-2027.yaml --fork --csv > rehearsed.csv
              perennial campaign rehearse spring-2027.yaml --fork \\
                  --ready perennial-merchant/ready.json --store perennial-data/ready.json
            """)

    @Argument(help: "The campaign (YAML).", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @Option(
        help: ArgumentHelp("How many of 100 agree. (default: 60)", valueName: "n"),
        transform: Reading.number(0...100))
    var agree = 60

    @Option(
        help: ArgumentHelp("How many of 100 decline. (default: 10)", valueName: "n"),
        transform: Reading.number(0...100))
    var decline = 10

    @Option(
        help: ArgumentHelp("How many of 100 turn renewal off. (default: 5)", valueName: "n"),
        transform: Reading.number(0...100))
    var cancel = 5

    @Option(
        help: ArgumentHelp(
            "How many of 100 stay silent. (default: the rest)", valueName: "n"),
        transform: Reading.number(0...100))
    var silent: Int?

    @Option(help: ArgumentHelp("What the answers are drawn by.", valueName: "word"))
    var seed = "1"

    @Flag(help: "Run it on copies of the store and the merchant.")
    var fork = false

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            "With --fork the store's ready file, where the merchant runs by itself.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var storeFile: String?

    @Flag(help: "With --fork, print the subscriptions as CSV.")
    var csv = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
        let sum = agree + decline + cancel
        guard sum + (silent ?? 0) <= 100, silent == nil || sum + (silent ?? 0) == 100 else {
            throw ValidationError(
                "--agree, --decline, --cancel and --silent are 100 together: they are "
                    + "\(sum + (silent ?? 0)).")
        }
        guard fork || (storeFile == nil && !csv) else {
            throw ValidationError("--store and --csv go with --fork.")
        }
        guard !csv || !store.json else { throw ValidationError("Give --csv or --json.") }
    }

    func run() async throws {
        let campaign = try CampaignFiles.read(file, printingJSON: store.json)
        if fork {
            if let rehearsal = try rehearsal(of: campaign) { return try await play(rehearsal) }
            guard !csv else {
                throw Failure.refused("\(Self.noStore) Leave --csv out for a rehearsal without it.")
            }
            Output.complain("\(Self.noStore) This is the merchant's registers alone.")
        }
        let report = try await store.merchant().rehearse(
            campaign, agree: agree, decline: decline, cancel: cancel, seed: seed)
        let told = report.with(["rehearsedOn": .string("registers")])
        try store.show(told) { style in try PriceTable.lines(of: report, style) }
    }

    // MARK: On a fork

    private static let noStore =
        "No store is known that could be forked: start the merchant with `perennial dev`, or name "
        + "the store's ready file with --store."

    private func play(_ rehearsal: ForkRehearsal) async throws {
        let outcome = try await Elapsed.watch("rehearsing") { try await rehearsal.run() }
        if csv {
            for line in PriceTable.csv(outcome.subscribers) { Output.line(line) }
            return
        }
        try store.show(outcome.report) { style in
            try PriceTable.lines(of: outcome.report, style)
        }
    }

    /// What is to be played; nil where no store is known.
    private func rehearsal(of file: CampaignFile) throws -> ForkRehearsal? {
        guard case .price(let campaign) = file.definition.work else {
            throw Failure.refused(
                "\(file.definition.name) changes no prices: only price campaigns are rehearsed.")
        }
        guard campaign.environments == [.production] else {
            throw Failure.refused(
                "A fork is rehearsed in Production alone: write `environments: [production]`.")
        }
        guard let address = try address() else { return nil }
        guard address.bundleID == campaign.bundleID else {
            throw Failure.refused(
                "The store serves \(address.bundleID ?? "no app") here, and the campaign is about "
                    + "\(campaign.bundleID).")
        }
        guard let merchant = address.merchant else { return nil }
        guard let database = merchant.database else {
            throw Failure.refused(
                "The merchant's database is no file that can be copied here, as in PostgreSQL: "
                    + "leave --fork out to rehearse on its registers.")
        }
        guard
            let answers = RehearsedAnswers(
                seed: seed, agreeing: agree * 10, declining: decline * 10,
                cancelling: cancel * 10)
        else { throw Failure.refused("The shares are more than 100 together.") }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var log = Logger(label: "perennial")
        log.logLevel = .error
        return ForkRehearsal(
            file: file, campaign: campaign, answers: answers, store: StoreClient(address),
            database: database, log: log)
    }

    /// The store, with the merchant that is to be copied; nil where no store is known.
    private func address() throws -> StoreAddress? {
        guard store.url == nil else { return nil }
        guard let alone = MerchantReady.alone(store.ready) else {
            guard storeFile == nil else {
                throw Failure.refused(
                    "--store goes with a merchant that runs by itself: name its ready file with "
                        + "--ready.")
            }
            return try store.client().address
        }
        guard let storeFile else { return nil }
        var address = try StoreAddress.find(
            StoreAddress.Wanted(readyFile: storeFile), environment: [:])
        address.merchant = alone
        return address
    }
}
