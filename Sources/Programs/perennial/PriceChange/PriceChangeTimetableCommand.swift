import AppStoreWire
import ArgumentParser
import StoreHTTP
import SubscriptionRules
import Timeline
import Wording

/// Says what is sent before prices rise, for whoever plans a campaign.
struct PriceChangeTimetableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timetable",
        abstract: "Say what is sent before prices rise, when, and how often; without a store.",
        discussion: """
            Of each occasion and of plans of each length: the channels, the days before the \
            renewal, how often, and what takes a message back.

              perennial price timetable
              perennial price timetable --json
            """)

    @Flag(help: "Print JSON.")
    var json = false

    static let all = CommunicationTimetables()

    func run() async throws {
        guard !json else {
            return Output.line(try PrettyJSON.text(of: Self.all.jsonBytes()))
        }
        let style = Output.style()
        for line in Self.table(style) { Output.line(line) }
    }

    static func table(_ style: Style) -> [String] {
        var table = Columns([
            ("occasion", .left), ("plan", .left), ("days before", .left), ("channel", .left),
            ("", .left),
        ])
        for timetable in CommunicationTimetable.all {
            for row in timetable.rows {
                table.add([
                    timetable.occasion.rawValue, timetable.period.iso8601,
                    String(row.daysBefore), row.channel.rawValue, Wording.english.words(row),
                ])
            }
        }
        let withdrawals = MessageWithdrawal.allCases.map(\.rawValue).joined(separator: ", ")
        return table.lines(style) + ["", "Taken back where it applies by: \(withdrawals)."]
    }
}
