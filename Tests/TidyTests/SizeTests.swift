import Testing

/// Small files, small functions, short lines.
struct SizeTests {
    @Test("A file has 400 lines at most")
    func files() {
        expectNone(
            SourceTree.all.compactMap { file in
                let count = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
                guard count > 400 else { return nil }
                return Finding(path: file.path, line: 401, reason: "\(count) lines: split the file")
            })
    }

    @Test("A function has 60 lines at most")
    func functions() {
        expectNone(
            SourceTree.all.flatMap { file in
                Function.all(in: file.code).filter { $0.length > 60 }.map {
                    Finding(
                        path: file.path, line: $0.line,
                        reason: "a function of \($0.length) lines: give its parts names")
                }
            })
    }

    @Test("A line has 100 columns at most, except inside a literal of several lines")
    func lines() {
        expectNone(
            SourceTree.all.flatMap { file in
                // A line of 100 bytes has no more than 100 columns: count only the others.
                zip(1..., file.lines).filter { $1.utf8.count > 100 && $1.count > 100 }
                    .filter { !file.isLiteral(line: $0.0) }
                    .map { Finding(path: file.path, line: $0, reason: "\($1.count) columns") }
            })
    }
}
