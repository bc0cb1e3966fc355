import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

/// A call of `/connect`, and the command line that does the same: what a page says of each thing
/// that it shows or does.
struct SameCall: Sendable {
    let about: String
    let call: String
    /// The words behind `perennial`; nil where there is no command for it.
    let command: [String]?

    /// - Parameter body: what the call carries, as JSON.
    init(
        _ about: String, _ method: HTTPRequest.Method, _ path: StorePath, body: String? = nil,
        command: [String]?
    ) {
        self.about = about
        call = "\(method.rawValue) \(path.text)" + (body.map { " \($0)" } ?? "")
        self.command = command
    }
}

extension SameElsewhere {
    /// - Parameter isSandbox: which store's commands are meant.
    init(isSandbox: Bool, _ calls: [SameCall]) {
        self.init(
            ConsoleWords.same,
            calls.map { call in
                let words = call.command.map {
                    $0 + (isSandbox && !Self.holdsForBoth($0) ? ["--sandbox"] : [])
                }
                return Item(
                    call.about, call: call.call,
                    command: words.map { CommandLineText.of(["perennial"] + $0) })
            })
    }

    /// Commands of what is the same in both environments: they take no `--sandbox`.
    private static let wholeApp = [
        ["app", "list"], ["app", "set"], ["offer", "list"], ["product", "discontinue"],
        ["price", "schedule"],
        ["price", "withdraw"], ["world", "snapshots", "create"], ["world", "snapshots"],
        ["world", "rewind"], ["world", "forks", "create"],
        ["world", "forks"], ["world", "deliveries"], ["world", "processes"],
    ]

    private static func holdsForBoth(_ command: [String]) -> Bool {
        wholeApp.contains { command.starts(with: $0) }
    }
}

extension Visit {
    var isSandbox: Bool { call.site.isSandbox }

    /// The calls and command lines by which the same is had.
    func same(_ calls: SameCall...) -> SameElsewhere {
        SameElsewhere(isSandbox: isSandbox, calls)
    }
}
