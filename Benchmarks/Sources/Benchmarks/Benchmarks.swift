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

    @Option(help: "Which measurements run: renewals, extensions, requests, signatures.")
    var only: [Measurement] = Measurement.allCases

    @Flag(help: "Print JSON.")
    var json = false

    enum Measurement: String, CaseIterable, ExpressibleByArgument {
        case signatures, renewals, extensions, requests
    }

    func run() async throws {
        var results: [Result] = []
        for measurement in Measurement.allCases where only.contains(measurement) {
            progress("measuring \(measurement.rawValue) …")
            switch measurement {
            case .signatures: results += try SignatureBenchmark(rounds: rounds).run()
            case .renewals:
                results += try await RenewalBenchmark(subscribers: subscribers, rounds: rounds)
                    .run()
            case .extensions:
                results += try await MassExtensionBenchmark(subscribers: extended).run()
            case .requests:
                results += try await RequestBenchmark(subscribers: subscribers, rounds: rounds)
                    .run()
            }
        }
        print(json ? Result.json(results) : Result.table(results))
    }
}

/// One measured figure and the limit that it is held against.
struct Result {
    var name: String
    /// Per second, median over the rounds.
    var rate: Double
    var limitName: String
    /// Per second, median over the rounds.
    var limit: Double

    static func table(_ results: [Result]) -> String {
        results.map { result in
            let ratio = Int((result.rate / result.limit * 100).rounded())
            return "\(result.name): \(Int(result.rate)) a second, \(ratio) % of "
                + "\(result.limitName) (\(Int(result.limit)) a second)"
        }.joined(separator: "\n")
    }

    static func json(_ results: [Result]) -> String {
        let rows = results.map { result in
            "{\"name\":\"\(result.name)\",\"perSecond\":\(Int(result.rate)),"
                + "\"limit\":\"\(result.limitName)\",\"limitPerSecond\":\(Int(result.limit)),"
                + "\"percent\":\(Int((result.rate / result.limit * 100).rounded()))}"
        }
        return "[" + rows.joined(separator: ",") + "]"
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
