internal import CPostgres
internal import Storage

/// Translates PostgreSQL's SQLSTATE into the codes that both databases share.
enum PostgresErrors {
    // The letters by which libpq tells the parts of an error; macros in C.
    private static let sqlState = CInt(UInt8(ascii: "C"))
    private static let primaryMessage = CInt(UInt8(ascii: "M"))
    private static let constraintName = CInt(UInt8(ascii: "n"))

    /// The error that a failed result tells; its detail is left out, for it quotes values.
    static func make(_ result: OpaquePointer?, _ statement: String) -> StorageError {
        let state = field(result, sqlState) ?? ""
        let code = code(state)
        let message = field(result, primaryMessage) ?? "no reason given"
        return StorageError(
            code,
            // Messages of the class "data exception" quote the value that was wrong.
            state.hasPrefix("22") ? "a value does not fit (SQLSTATE \(state))" : message,
            constraint: field(result, constraintName), statement: statement)
    }

    /// The index of the bind whose type the server could not determine, if that is the error.
    static func undetermined(_ error: StorageError) -> Int? {
        // Whatever the language of the message, it names the placeholder, and nothing else of it
        // starts with a dollar.
        guard error.code == .invalidStatement,
            let placeholder = error.message.split(separator: " ").last(where: { $0.first == "$" }),
            let number = Int(placeholder.dropFirst())
        else { return nil }
        return number - 1
    }

    private static func field(_ result: OpaquePointer?, _ part: CInt) -> String? {
        PQresultErrorField(result, part).map { String(cString: $0) }
    }

    private static func code(_ state: String) -> StorageError.Code {
        switch state {
        case "23505": .uniqueViolation
        case "23503", "23001": .foreignKeyViolation
        case "23514": .checkViolation
        case "23502": .notNullViolation
        case "40001", "40P01": .serializationFailure
        case "55P03", "57014", "53300": .busy
        case "53100": .diskFull
        case "22003": .overflow
        case "25006": .readOnly
        case "57P01", "57P02", "57P03", "57P05", "25P03": .connectionLost
        default: codeOfClass(state.prefix(2))
        }
    }

    private static func codeOfClass(_ state: Substring) -> StorageError.Code {
        switch state {
        case "08": .connectionLost
        case "XX": .corrupt
        case "0A", "22", "25", "26", "42": .invalidStatement
        default: .other
        }
    }
}
