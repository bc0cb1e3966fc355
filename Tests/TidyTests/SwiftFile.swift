import Foundation

/// A Swift file, with views of it that leave out what a rule does not mean.
struct SwiftFile {
    /// Relative to the root.
    let path: String
    let text: String
    /// Neither comments nor what stands in string literals; everything else in its place.
    let code: String
    /// No comments; everything else in its place.
    let codeAndLiterals: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        var scanner = CodeScanner(text)
        (code, codeAndLiterals) = scanner.views()
    }

    /// The folder of the targets that tests share.
    static let support = "Tests/Support"

    /// The target that the file belongs to: the folder in one of `Sources`, in `Tests/Support`, or
    /// in `Tests`.
    var target: String {
        let parts = path.split(separator: "/")
        let isSupport = path.hasPrefix(Self.support + "/")
        let place = parts.first == "Sources" || isSupport ? 2 : 1
        return parts.count > place ? String(parts[place]) : ""
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Whether a line, counted from 1, is all text of a literal, which cannot be broken.
    func isLiteral(line: Int) -> Bool {
        func isBlank(_ view: String) -> Bool {
            let lines = view.split(separator: "\n", omittingEmptySubsequences: false)
            return lines[line - 1].allSatisfy { $0 == " " }
        }
        return isBlank(code) && !isBlank(codeAndLiterals)
    }

    /// Where a pattern matches the code.
    func findings(_ pattern: Pattern, _ reason: String) -> [Finding] {
        pattern.lines(in: code).map { Finding(path: path, line: $0, reason: reason) }
    }
}

/// A regular expression that says on which lines it matches. `^` and `$` are ends of lines.
struct Pattern {
    private let expression: NSRegularExpression

    init(_ text: String) {
        do {
            expression = try NSRegularExpression(pattern: text, options: .anchorsMatchLines)
        } catch {
            preconditionFailure("no regular expression: \(text)")
        }
    }

    /// The numbers of the lines on which matches begin, from 1.
    func lines(in text: String) -> [Int] {
        matches(in: text).map(\.line)
    }

    /// Each match: the line that it begins on, and its groups (the whole match first; a group that
    /// took no part is empty).
    func matches(in text: String) -> [(line: Int, groups: [String])] {
        let whole = text as NSString
        var line = 1
        var counted = 0
        return expression.matches(in: text, range: NSRange(location: 0, length: whole.length)).map {
            match in
            let before = NSRange(location: counted, length: match.range.location - counted)
            line += whole.substring(with: before).utf8.count { $0 == UInt8(ascii: "\n") }
            counted = match.range.location
            let groups = (0..<match.numberOfRanges).map { number in
                let range = match.range(at: number)
                return range.location == NSNotFound ? "" : whole.substring(with: range)
            }
            return (line, groups)
        }
    }
}
