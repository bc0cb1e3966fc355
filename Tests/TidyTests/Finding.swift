import Foundation
import Testing

/// A place that breaks a rule.
struct Finding {
    /// Relative to the root.
    let path: String
    /// From 1.
    let line: Int
    let reason: String
}

/// Fails the test once for each finding, and points to its place.
func expectNone(_ findings: [Finding]) {
    for finding in findings {
        let name = finding.path.split(separator: "/").last.map(String.init) ?? finding.path
        Issue.record(
            "\(finding.path):\(finding.line): \(finding.reason)",
            sourceLocation: SourceLocation(
                fileID: "TidyTests/\(name)",
                filePath: SourceTree.root.appendingPathComponent(finding.path).path,
                line: finding.line, column: 1))
    }
}
