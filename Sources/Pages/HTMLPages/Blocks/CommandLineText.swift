/// A command line as people paste it.
package enum CommandLineText {
    /// - Parameter words: the program and what follows it.
    package static func of(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    /// A word as a shell takes it for one.
    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-_.:/@%+,=".utf8.contains(byte)
                }
            }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
