/// One thing that is wrong, or was assumed, in a `.storekit` file.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The file's own name, without the folders that lead to it.
    public let file: String
    /// Where in the file, such as `$.subscriptionGroups[0].subscriptions[1].displayPrice`; empty
    /// where the file itself is meant.
    public let path: String
    /// What is wrong, or what was assumed, in one sentence.
    public let problem: String
    /// What to do about it, in one sentence.
    public let remedy: String

    /// Makes a finding. Control characters are taken out of all texts, since they come from a
    /// file and go to a terminal.
    public init(file: String, path: String, problem: String, remedy: String) {
        self.file = printable(file)
        self.path = printable(path)
        self.problem = printable(problem)
        self.remedy = printable(remedy)
    }

    /// File, path, problem and remedy in one line.
    public var description: String {
        "\(path.isEmpty ? file : "\(file) \(path)"): \(problem) \(remedy)"
    }
}

/// The problems for which nothing of a `.storekit` file was imported: all of them, not the first.
public struct StoreKitFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What stands in the way; never empty.
    public let problems: [Finding]
    /// What was assumed elsewhere in the file.
    public let warnings: [Finding]

    /// Makes an error of at least one problem.
    public init(problems: [Finding], warnings: [Finding] = []) {
        precondition(!problems.isEmpty, "an error has at least one problem")
        self.problems = problems
        self.warnings = warnings
    }

    /// One line a problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

/// The findings of one reading, in the order in which they were met.
struct Findings {
    let file: String
    private(set) var problems: [Finding] = []
    private(set) var warnings: [Finding] = []

    init(file: String) { self.file = file }

    /// Notes something that cannot be read: the file will not be imported.
    mutating func fail(_ path: String, _ problem: String, remedy: String) {
        problems.append(Finding(file: file, path: path, problem: problem, remedy: remedy))
    }

    /// Notes something that is tolerated, and what was assumed.
    mutating func warn(_ path: String, _ assumption: String, remedy: String) {
        warnings.append(Finding(file: file, path: path, problem: assumption, remedy: remedy))
    }
}

/// A text without control characters or marks that reorder a line: these could forge lines of a
/// report or drive a terminal.
func printable(_ text: String) -> String {
    let isHarmless: (Unicode.Scalar) -> Bool = {
        switch $0.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
    guard !text.unicodeScalars.allSatisfy(isHarmless) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        safe.append(isHarmless(scalar) ? scalar : "\u{FFFD}")
    }
    return String(safe)
}

/// A value of the file as findings quote it: in quotes, and cut where it is long.
func quoted(_ text: String) -> String {
    text.count <= 60 ? "\"\(text)\"" : "\"\(text.prefix(60))…\""
}
