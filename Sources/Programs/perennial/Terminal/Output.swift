import FoundationEssentials
import Timeline

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the program's words go.
enum Output {
    /// Takes the words that would go to standard output; nil for nobody.
    @TaskLocal static var recorder: Recorder?
    /// Takes the words that would go to standard error; then neither stream is a terminal.
    @TaskLocal static var complaints: Recorder?

    /// Writes to standard output, at once: whoever reads a pipe must not wait for a full buffer.
    static func write(_ text: String) {
        guard let recorder else { return write(text, to: STDOUT_FILENO) }
        recorder.take(text)
    }

    /// Writes to standard output with a line's end.
    static func line(_ text: String) { write(text + "\n") }

    /// Writes to standard error with a line's end.
    static func complain(_ text: String) { hint(text + "\n") }

    /// Writes to standard error without a line's end.
    static func hint(_ text: String) {
        guard let complaints else { return write(text, to: STDERR_FILENO) }
        complaints.take(text)
    }

    /// Ends the process.
    static func exit(_ code: Int32) -> Never {
        #if canImport(Glibc)
            Glibc.exit(code)
        #elseif canImport(Musl)
            Musl.exit(code)
        #else
            Darwin.exit(code)
        #endif
    }

    /// Whether somebody watches standard error.
    static var isWatched: Bool { isTerminal(STDERR_FILENO) }

    /// How standard output is to look.
    static func style(wantsASCII: Bool = false) -> Style {
        Style(
            environment: Variables.current, terminal: width(of: STDOUT_FILENO),
            wantsASCII: wantsASCII)
    }

    /// How many characters a line of standard error may have; as many as it needs in a file.
    static var complaintWidth: Int {
        let width = width(of: STDERR_FILENO)
        guard width != nil else { return .max }
        return Style(environment: Variables.current, terminal: width).lineWidth
    }

    private static func isTerminal(_ file: Int32) -> Bool {
        complaints == nil && isatty(file) == 1
    }

    /// The width of the terminal that a file is; nil where it is none.
    private static func width(of file: Int32) -> Int? {
        guard isTerminal(file) else { return nil }
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// A reader that went away is no error of ours: the rest is dropped.
    private static func write(_ text: String, to file: Int32) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                #if canImport(Glibc)
                    return Glibc.write(file, rest.baseAddress, rest.count)
                #elseif canImport(Musl)
                    return Musl.write(file, rest.baseAddress, rest.count)
                #else
                    return Darwin.write(file, rest.baseAddress, rest.count)
                #endif
            }
            if count > 0 { written += count } else if errno != EINTR { return }
        }
    }
}
