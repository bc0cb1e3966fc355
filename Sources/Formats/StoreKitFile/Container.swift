import AppStoreWire

/// What holds the configuration: one UTF-8 JSON object. Everything else that goes by the
/// extension is told apart here, so that the finding can say what it is (SKF-1).
enum Container {
    /// The top-level object of a file.
    static func root(of bytes: [UInt8], name: String) throws(StoreKitFileError) -> Node {
        func refuse(_ problem: String, _ remedy: String) -> StoreKitFileError {
            StoreKitFileError(problems: [
                Finding(file: name, path: "$", problem: problem, remedy: remedy)
            ])
        }
        guard bytes.count <= StoreKitFile.largestSize else {
            throw refuse(
                "The file is larger than 16 MiB.", "Give the .storekit file that Xcode wrote.")
        }
        if let (problem, remedy) = foreign(bytes) { throw refuse(problem, remedy) }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: withoutByteOrderMark(bytes))
        } catch {
            throw refuse(
                "The JSON breaks off at \(place(error.offset, in: bytes)): \(error.message)",
                "Correct the text there; merges often leave such faults.")
        }
        let root = Node(value: value, path: "$")
        guard value.object != nil else {
            throw refuse(
                "The file holds \(root.kind), not an object.",
                "Give the .storekit file that Xcode wrote.")
        }
        return root
    }

    /// What a file is that cannot be JSON text, and what to do about it.
    private static func foreign(_ bytes: [UInt8]) -> (String, String)? {
        let text = withoutByteOrderMark(bytes).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if text.isEmpty {
            return (
                "The file is empty.",
                "Open it in Xcode and save it again, or take it back from version control."
            )
        }
        if bytes.starts(with: [0x00, 0x05, 0x16, 0x07]) {
            return (
                "This is an AppleDouble side file, which macOS writes next to the real one.",
                "Give the file of the same name without \"._\" in front."
            )
        }
        if bytes.starts(with: "bplist".utf8) || text.starts(with: "<".utf8) {
            return (
                "This is a property list or other XML, not a StoreKit configuration file.",
                "Make one in Xcode with File, New, StoreKit Configuration File."
            )
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return ("The file is UTF-16 text.", "Save it as UTF-8.")
        }
        return nil
    }

    /// Xcode writes no byte-order mark; editors on other systems may add one, and it says nothing.
    private static func withoutByteOrderMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    }

    /// Line and column of a byte, both from 1. The text there is not quoted: it may be a key.
    private static func place(_ offset: Int, in bytes: [UInt8]) -> String {
        let mark = bytes.count - withoutByteOrderMark(bytes).count
        let before = bytes[..<min(bytes.count, offset + mark)]
        let line = before.count { $0 == 0x0A } + 1
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? mark
        return "line \(line), column \(before.endIndex - lineStart + 1)"
    }
}
