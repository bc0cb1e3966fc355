import Simulation
import Store
import TimeAndChance

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is shown while worlds are played and afterwards.
struct Progress {
    let total: Int
    let isQuiet: Bool
    private let begun = SystemTime.uptime()
    private let isTerminal = isatty(2) == 1
    private var shown = 0
    private var known = 0

    init(total: Int, isQuiet: Bool) {
        self.total = total
        self.isQuiet = isQuiet
    }

    /// Says which worlds are played, so that they can be played again however this run ends.
    func begin(first: UInt64) {
        guard !isQuiet else { return }
        write("\(total) seeds from \(first)\n", to: 2)
    }

    private var seconds: Int { max(1, Int((SystemTime.uptime() - begun).components.seconds)) }

    /// On a terminal a line that changes; elsewhere a line for every tenth part. A finding is named
    /// at once; its story comes when it has been made small.
    mutating func show(done: Int, found: [Finding]) {
        guard !isQuiet else { return }
        let clear = isTerminal ? "\r\u{1B}[K" : ""
        for finding in found.dropFirst(known) {
            write("\(clear)seed \(finding.scenario.seed) breaks the store\n", to: 2)
        }
        known = found.count
        let line =
            "\(done) of \(total) seeds, \(done * 60 / seconds) a minute, "
            + "\(found.count) findings"
        if isTerminal {
            write("\r\(line)\u{1B}[K", to: 2)
        } else if done * 10 / total > shown {
            shown = done * 10 / total
            write(line + "\n", to: 2)
        }
    }

    func end() {
        if isTerminal, !isQuiet { write("\n", to: 2) }
    }

    func report(_ finding: Finding, _ theme: Theme?) {
        guard !isQuiet else { return }
        write(finding.text + "\n\n", to: 1)
        let about = theme.map { " --about \($0.rawValue)" } ?? ""
        write("again: simulate --seed \(finding.scenario.seed)\(about)\n\n", to: 1)
    }

    /// How often each thing happened, and in how many seeds.
    func reportTally(_ outlook: Outlook) {
        guard !isQuiet else { return }
        for (what, count) in outlook.tally.sorted(by: { $0.key < $1.key }) {
            write("\(count)\t\(outlook.worlds[what] ?? 0)\t\(what)\n", to: 1)
        }
    }

    /// Which few of the seeds reach all corners, and which corners none does.
    func reportCover(_ outlook: Outlook) {
        guard !isQuiet else { return }
        write("cover: \(outlook.cover.map(String.init).joined(separator: ", "))\n", to: 1)
        for corner in outlook.unreached { write("no seed reaches: \(corner)\n", to: 1) }
    }

    func summary(first: UInt64, _ outlook: Outlook) {
        let rate = outlook.done * 60 / seconds
        if isQuiet {
            let seeds = outlook.findings.map { "\($0.scenario.seed)" }.joined(separator: ",")
            write(
                #"{"from":\#(first),"seeds":\#(outlook.done),"seconds":\#(seconds),"#
                    + #""perMinute":\#(rate),"findings":[\#(seeds)]}"# + "\n", to: 1)
        } else {
            write(
                "\(outlook.done) seeds from \(first) in \(seconds) s, \(rate) a minute: "
                    + "\(outlook.findings.count) findings\n", to: 1)
        }
    }

    /// Writes to a file descriptor; what cannot be written is lost, as with `print`.
    private func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Self.write(descriptor, $0) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
