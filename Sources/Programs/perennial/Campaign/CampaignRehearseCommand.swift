import ArgumentParser
import ConnectAnswers
import Timeline

/// Plays a price campaign to its end, with answers that are made up.
struct CampaignRehearseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Play a price campaign to its end with made-up answers.",
        discussion: """
            On the merchant's registers alone: no store is forked, asked or changed, nothing is \
            sent or kept. Shares are of 100 subscribers; the rest stays silent. The same --seed \
            gives the same answers. The report has the form of `campaign report`.

              perennial campaign rehearse spring-2027.yaml
              perennial campaign rehearse spring-2027.yaml --agree 60 --decline 10 --cancel 5
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

    @OptionGroup var store: StoreOptions

    func validate() throws {
        let sum = agree + decline + cancel
        guard sum + (silent ?? 0) <= 100, silent == nil || sum + (silent ?? 0) == 100 else {
            throw ValidationError(
                "--agree, --decline, --cancel and --silent are 100 together: they are "
                    + "\(sum + (silent ?? 0)).")
        }
    }

    func run() async throws {
        let campaign = try CampaignFiles.read(file, printingJSON: store.json)
        let report = try await store.merchant().rehearse(
            campaign, agree: agree, decline: decline, cancel: cancel, seed: seed)
        try store.show(report) { style in try PriceTable.lines(of: report, style) }
    }
}
