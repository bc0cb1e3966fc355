import FoundationEssentials
import Storage

/// The files that campaigns keep, which may name accounts: those whom an outage has hit.
enum CampaignFiles {
    /// What stands in place of a name that was erased: no account may be called so.
    private static let erased = "<null>"

    /// Takes names of erased accounts out of the lists of a file for one a line.
    static func forget(
        _ names: [String], of app: Int64, _ session: any Session
    ) throws(StorageError) {
        let names = Set(names)
        for table in ["campaign", "campaign_plan"] {
            // One at a time: a list may be a megabyte.
            let numbers = try session.rows(
                """
                SELECT id FROM \(raw: table)
                WHERE app = \(app) AND attachments <> '{}' ORDER BY id
                """
            ).map { row throws(StorageError) in try row.integer(0) }
            for number in numbers {
                try forget(names, in: table, number, session)
            }
        }
    }

    private static func forget(
        _ names: Set<String>, in table: String, _ number: Int64, _ session: any Session
    ) throws(StorageError) {
        let row = try session.row(
            "SELECT attachments FROM \(raw: table) WHERE id = \(number)")
        guard let row else { return }
        let files = try CampaignRow.files(try row.text(0))
        let others = files.mapValues { without(names, $0) }
        guard others != files else { return }
        let text = try CampaignRow.text(others)
        try session.execute(
            "UPDATE \(raw: table) SET attachments = \(text) WHERE id = \(number)")
    }

    /// A text without the lines that are one of the names.
    private static func without(_ names: Set<String>, _ text: String) -> String {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var hasChanged = false
        let kept = lines.map { line -> Substring in
            guard names.contains(trimmed(line)) else { return line }
            hasChanged = true
            return Substring(erased)
        }
        return hasChanged ? kept.joined(separator: "\n") : text
    }

    /// As whoever reads the list takes a line.
    private static func trimmed(_ line: Substring) -> String {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace == true { line.removeLast() }
        return String(line)
    }
}

extension CampaignRow {
    /// The files that a campaign names, as a text: the same of the same files.
    static func text(_ files: [String: String]) throws(StorageError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(files) else {
            throw StorageError(.other, "the files of a campaign cannot be written")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
