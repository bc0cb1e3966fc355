import CTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension StringProtocol {
    /// How many columns of a terminal the text takes up: a Chinese character and most pictures two,
    /// an accent that follows its letter none.
    ///
    /// The C library knows the widths. Pictures that are joined to one are drawn as one, so that no
    /// character is wider than two columns; what the library does not know counts as one.
    package var terminalWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        // Only this thread's locale changes, and only until here.
        let before = uselocale(Unicode.characterTypes)
        defer { uselocale(before) }
        return reduce(0) { width, character in
            width + Swift.min(2, character.unicodeScalars.reduce(0) { $0 + $1.terminalWidth })
        }
    }
}

extension Unicode {
    /// The locale in which the C library knows characters beyond ASCII, made once and never
    /// changed; nil where there is none.
    fileprivate nonisolated(unsafe) static let characterTypes = newlocale(
        LC_CTYPE_MASK, "C.UTF-8", nil)
}

extension Unicode.Scalar {
    fileprivate var terminalWidth: Int {
        let width = Int(wcwidth(wchar_t(bitPattern: value)))
        return width < 0 ? 1 : width
    }
}
