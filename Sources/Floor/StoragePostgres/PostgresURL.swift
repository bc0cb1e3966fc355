internal import CPostgres
internal import Storage

/// Where and as whom to connect; its password never shows in an error.
struct PostgresURL: Sendable {
    private let url: String
    private let password: String?
    /// What the URL or the environment asks of the server's settings.
    private var options: String

    /// Throws `invalidStatement` if libpq cannot read it.
    init(_ url: String) throws(StorageError) {
        self.url = url
        var complaint: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(url, &complaint)
        // libpq's complaint quotes the URL, so it is not passed on.
        PQfreemem(complaint)
        guard let options else {
            throw StorageError(.invalidStatement, "not a URL of a PostgreSQL database")
        }
        defer { PQconninfoFree(options) }
        password = Self.value("password", options)
        self.options = Self.value("options", options) ?? Self.usual("options") ?? ""
        // An @ that is not written as %40 ends the password too early, and libpq would then show
        // the rest of it as a host.
        guard Self.value("host", options)?.contains("@") != true else {
            throw StorageError(.invalidStatement, "a password's @ must be written as %40")
        }
    }

    /// The same with another schema in place of the one that the URL means.
    func inSchema(_ schema: String) -> PostgresURL {
        var url = self
        // Where an option comes twice the last one counts; a space would end it.
        let escaped = PostgresCopies.quoted(schema).replacing("\\", with: "\\\\")
            .replacing(" ", with: "\\ ")
        url.options += " -c search_path=\(escaped)"
        return url
    }

    /// Connects, which may take seconds for each address of the server; throws `connectionLost`.
    func connect(_ limits: DatabaseLimits) throws(StorageError) -> OpaquePointer {
        // What comes after the URL overrides it.
        let parameters = [
            ("connect_timeout", "\(limits.connecting.components.seconds)"),
            // Of a connection that broke without a word the kernel tells within half a minute.
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"), ("application_name", "perennial"), ("dbname", url),
            ("client_encoding", "UTF8"), ("options", settings(limits)),
        ]
        let handle = withCStrings(parameters.map(\.0)) { names in
            withCStrings(parameters.map(\.1)) { values in
                PQconnectdbParams(names, values, 1)
            }
        }
        guard let handle, PQstatus(handle) == CONNECTION_OK else {
            let reason = handle.map { String(cString: PQerrorMessage($0)) } ?? "out of memory"
            PQfinish(handle)
            throw StorageError(.connectionLost, "cannot connect to PostgreSQL: \(redact(reason))")
        }
        // Notices, such as that a table exists already, would be printed.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        // Nothing may wait in libpq, which has no limit for it.
        PQsetnonblocking(handle, 1)
        return handle
    }

    /// The server's own limits, and then what the URL says, which counts.
    private func settings(_ limits: DatabaseLimits) -> String {
        let statement = limits.statement.map(\.milliseconds) ?? 0
        return "-c statement_timeout=\(statement) -c lock_timeout=\(limits.lock.milliseconds) "
            + "-c idle_in_transaction_session_timeout=\(limits.idle.milliseconds) " + options
    }

    /// What libpq goes by where nothing is said.
    private static func usual(_ keyword: String) -> String? {
        guard let options = PQconndefaults() else { return nil }
        defer { PQconninfoFree(options) }
        return value(keyword, options)
    }

    private func redact(_ message: String) -> String {
        var end = message[...]
        while end.last?.isWhitespace == true { end = end.dropLast() }
        guard let password, !password.isEmpty else { return String(end) }
        return end.split(separator: password, omittingEmptySubsequences: false)
            .joined(separator: "…")
    }

    private static func value(
        _ keyword: String, _ options: UnsafeMutablePointer<PQconninfoOption>
    ) -> String? {
        var option = options
        while let name = option.pointee.keyword {
            if String(cString: name) == keyword {
                return option.pointee.val.map { String(cString: $0) }
            }
            option += 1
        }
        return nil
    }
}

/// Lends texts as a list of C strings that ends with null.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let joined = texts.flatMap { Array($0.utf8CString) }
    return joined.withUnsafeBufferPointer { characters in
        var next = characters.baseAddress
        var pointers: [UnsafePointer<CChar>?] = []
        for text in texts {
            pointers.append(next)
            next = next?.advanced(by: text.utf8.count + 1)
        }
        pointers.append(nil)
        return body(pointers)
    }
}
