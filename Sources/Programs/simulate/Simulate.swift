public import ArgumentParser
public import Simulation
import StorageSQLite
import Store
import TestFloor
import TimeAndChance

/// Plays random worlds against the store until one breaks it.
@main
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Tries to break the store with random worlds.",
        discussion: """
            Each seed is a world: customers, a catalogue, and everything that is done in it, with \
            bank failures, crashes, lost connections and repeated commands. A second, naive store \
            says what must come of it. The same seed is the same world for ever.

              simulate --seeds 1000        that many fresh seeds
              simulate --seed 42           one world, again

            Exit codes: 0 nothing found, 1 a seed breaks the store, 64 wrong usage.
            """)

    @Option(help: "How many worlds to play.")
    var seeds = 100

    @Option(help: "The first seed; a random one if none is given.")
    var from: UInt64?

    @Option(help: "Play this one seed only.")
    var seed: UInt64?

    @Option(help: "How many steps are done in each world.")
    var steps = 60

    @Option(
        help: """
            What all worlds are about, and nearly nothing else: \
            \(Theme.allCases.map(\.rawValue).joined(separator: ", ")). Without it, what their \
            seeds say.
            """)
    var about: Theme?

    @Option(help: "How many worlds to play at the same time.")
    var workers = 2

    @Flag(
        help: """
            Play the worlds on the PostgreSQL server that PERENNIAL_TEST_POSTGRES names, with a \
            second process beside that is killed again and again.
            """)
    var withCompanion = false

    @Flag(help: "Print the outcome as one line of JSON.")
    var json = false

    @Flag(help: "Go on after a finding.")
    var keepGoing = false

    @Flag(help: "Print how often each kind of thing happened, and in how many worlds.")
    var tally = false

    @Flag(help: "Print a few seeds that together reach every corner that all of them do.")
    var cover = false

    func validate() throws {
        guard seeds > 0, steps > 0, workers > 0 else {
            throw ValidationError("seeds, steps and workers must be at least 1")
        }
        guard !withCompanion || Backend.available.contains(.postgres) else {
            throw ValidationError(
                "--with-companion needs a server: set PERENNIAL_TEST_POSTGRES to its URL, or run "
                    + "this with scripts/test-postgres run")
        }
    }

    func run() async throws {
        let simulation =
            withCompanion
            ? Simulation(steps: steps, about: about) { try await Backend.makeShared(2) }
            : Simulation(steps: steps, about: about) { try SQLiteDatabase.ephemeral() }
        let first = seed ?? from ?? Randomness.number()
        let count = seed == nil ? seeds : 1
        var progress = Progress(total: count, isQuiet: json)
        progress.begin(first: first)
        let outlook = try await simulation.run(
            seeds: (0..<UInt64(count)).map { first &+ $0 }, workers: workers,
            stopsAtFinding: !keepGoing
        ) { done, found in progress.show(done: done, found: found) }
        progress.end()
        for finding in outlook.findings { progress.report(finding, about) }
        if tally { progress.reportTally(outlook) }
        if cover { progress.reportCover(outlook) }
        progress.summary(first: first, outlook)
        if !outlook.findings.isEmpty { throw ExitCode(1) }
    }
}

extension Theme: ExpressibleByArgument {}
