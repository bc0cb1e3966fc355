import ArgumentParser
import Foundation
import Store

/// Measures the store against the limits of this machine, found in the same run.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures the store against the limits of this machine, in the same run.",
        discussion: "Prints medians; the ratio to the limit says more than the figure alone.")

    @Option(help: "How many subscribers the store has.")
    var subscribers = 100_000

    @Option(help: "How often each measurement is repeated; the median counts.")
    var rounds = 3

    @Option(help: "How many subscriptions one mass request extends.")
    var extended = 1_000_000

    @Option(help: "How many subscriptions an outage campaign of a merchant extends.")
    var outage = 20_000

    @Option(help: "How many subscriptions are repriced and extended while customers buy.")
    var crowd = 120_000

    @Option(help: "How many notifications go out in each round.")
    var notifications = 5_000

    @Option(
        help: ArgumentHelp(
            "Which measurements run: "
                + Measurement.allCases.map(\.rawValue).joined(separator: ", ")
                + ". pages are those of the console, of customers and of a merchant, and fail "
                + "where one has more than 100,000 bytes."))
    var only: [Measurement] = Measurement.allCases

    @Option(
        help: ArgumentHelp(
            "Which requests are measured: "
                + RequestBenchmark.Question.allCases.map(\.rawValue).joined(separator: ", ")
                + "."))
    var requests: [RequestBenchmark.Question] = RequestBenchmark.Question.allCases

    @Option(help: "How many requests of a kind are made in each round; a tenth of them of pages.")
    var calls = 20_000

    @Option(
        help: """
            How many subscribers store and merchant have whose pages are looked at; as many as \
            --subscribers unless given.
            """)
    var pageSubscribers: Int?

    @Option(
        help: """
            The URL of a PostgreSQL database in which several processes are measured, and \
            requests, pages and copies as well as on SQLite, in a schema `bench` that is made \
            anew; without it they are not.
            """)
    var databaseURL: String?

    @Option(
        help: """
            The program that verifies with Apple's library, to be timed beside ours; \
            `make bench APPLE_LIBRARY=…` builds it.
            """)
    var appleLibrary: String?

    @Option(
        help: ArgumentHelp("What a process does that was started by this one.", visibility: .hidden)
    )
    var worker: ProcessWorker.Work?

    @Option(help: ArgumentHelp("Which one it is.", visibility: .hidden))
    var number = 0

    @Option(help: ArgumentHelp("How many buy in it.", visibility: .hidden))
    var buyers = 0

    @Flag(help: "Print JSON.")
    var json = false

    enum Measurement: String, CaseIterable, ExpressibleByArgument {
        case signatures, renewals, extensions, waits, requests, pages, deliveries, processes,
            copies, codes, prices, receipts, merchant, campaigns
    }

    func run() async throws {
        if let worker, let databaseURL {
            return try await ProcessWorker(task: worker, number: number, buyers: buyers)
                .run(on: databaseURL)
        }
        var figures: [any Figure] = []
        for measurement in Measurement.allCases where only.contains(measurement) {
            progress("measuring \(measurement.rawValue) …")
            switch measurement {
            case .signatures: figures += try SignatureBenchmark(rounds: rounds).run()
            case .renewals:
                figures += try await RenewalBenchmark(subscribers: subscribers, rounds: rounds)
                    .run()
            case .extensions:
                figures += try await MassExtensionBenchmark(subscribers: extended).run()
            case .waits: figures += try await WaitBenchmark(subscribers: crowd).run()
            case .requests:
                figures += try await RequestBenchmark(
                    subscribers: subscribers, rounds: rounds, questions: requests,
                    calls: calls, databaseURL: databaseURL
                ).run()
            case .pages:
                figures += try await pages()
            case .deliveries:
                figures += try await DeliveryBenchmark(
                    notifications: notifications, rounds: rounds
                ).run()
            case .processes:
                guard let databaseURL else { continue }
                figures += try await ProcessBenchmark(
                    url: databaseURL, subscribers: subscribers, rounds: rounds
                ).run()
            case .codes:
                figures += try await CodeBenchmark(
                    customers: 10_000, rounds: rounds, databaseURL: databaseURL
                ).run()
            case .prices:
                figures += try await MerchantPriceBenchmark(
                    subscribers: subscribers, rounds: rounds, calls: calls,
                    databaseURL: databaseURL
                ).run()
            case .receipts: figures += try await ReceiptBenchmark(rounds: rounds).run()
            case .merchant:
                figures += try await MerchantBenchmark(
                    customers: subscribers, notifications: notifications, rounds: rounds,
                    calls: calls, databaseURL: databaseURL, appleLibrary: appleLibrary
                ).run()
            case .campaigns:
                figures += try await CampaignBenchmark(subscribers: outage).run()
            case .copies:
                figures += try await CopyBenchmark(
                    url: databaseURL, subscribers: subscribers, rounds: rounds
                ).run()
            }
        }
        print(
            json
                ? "[" + figures.map(\.json).joined(separator: ",") + "]"
                : figures.map(\.line).joined(separator: "\n"))
        let failures = figures.compactMap(\.failure)
        for failure in failures { progress(failure) }
        if !failures.isEmpty { throw ExitCode.failure }
    }

    /// Pages of a store, and of a merchant.
    private func pages() async throws -> [any Figure] {
        let count = pageSubscribers ?? subscribers
        var figures = try await PageBenchmark(
            subscribers: count, rounds: rounds, calls: calls / 10, databaseURL: databaseURL
        ).run()
        figures += try await MerchantPageBenchmark(
            customers: count, rounds: rounds, calls: calls / 10, databaseURL: databaseURL
        ).run()
        return figures
    }
}

/// What was measured, for people and for programs.
protocol Figure: Sendable {
    var line: String { get }
    var json: String { get }
    /// Why the run fails because of it; nil where it does not.
    var failure: String? { get }
}

extension Figure {
    var failure: String? { nil }
}

/// One measured figure and the limit that it is held against.
struct Result: Figure {
    var name: String
    /// Per second, median over the rounds.
    var rate: Double
    var limitName: String
    /// Per second, median over the rounds.
    var limit: Double

    private var percent: Int { Int((rate / limit * 100).rounded()) }

    var line: String {
        "\(name): \(Int(rate)) a second, \(percent) % of \(limitName) (\(Int(limit)) a second)"
    }

    var json: String {
        "{\"name\":\"\(name)\",\"perSecond\":\(Int(rate)),\"limit\":\"\(limitName)\","
            + "\"limitPerSecond\":\(Int(limit)),\"percent\":\(percent)}"
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
}

/// How many seconds a body takes.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return start.duration(to: .now) / .seconds(1)
}

func progress(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}
