import AppStoreWire
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A request of Advanced Commerce as it travels: JSON in UTF-8, be it right or wrong.
struct RequestText: Hashable, Sendable {
    let bytes: [UInt8]

    var json: JSONValue? { try? JSONValue(parsing: bytes) }

    /// A request that was made of options.
    init(_ request: some WireEncodable) { bytes = request.jsonBytes() }

    /// A request that was written by hand, word for word but for what is filled in.
    ///
    /// - Parameters:
    ///   - members: what is filled in where it is absent.
    ///   - requestID: takes the place of the request's own number; nil leaves it, and fills a new
    ///     one in where there is none.
    init(written: [UInt8], filling members: [String: String] = [:], requestID: String?) {
        guard case .object(var object)? = try? JSONValue(parsing: written) else {
            bytes = written
            return
        }
        for (name, text) in members where object[name] == nil { object[name] = .string(text) }
        let info = object["requestInfo"] ?? .object([:])
        if case .object(var info) = info, requestID != nil || info["requestReferenceId"] == nil {
            info["requestReferenceId"] = .string(requestID ?? FreshUUID.text())
            object["requestInfo"] = .object(info)
        }
        let filled = JSONValue.object(object)
        bytes =
            filled == (try? JSONValue(parsing: written))
            ? written : Array(PrettyJSON.text(of: filled).utf8)
    }

    /// The same from a file; `-` is standard input.
    init(file: String, filling members: [String: String] = [:], requestID: String?) throws {
        let written: [UInt8]
        if file == "-" {
            written = Self.standardInput()
        } else {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw Failure.refused("\(file) cannot be read.")
            }
            written = Array(data)
        }
        self.init(written: written, filling: members, requestID: requestID)
    }

    private static func standardInput() -> [UInt8] {
        var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = buffer.withUnsafeMutableBytes {
                read(STDIN_FILENO, $0.baseAddress, $0.count)
            }
            if count > 0 {
                all += buffer.prefix(count)
            } else if count == 0 || errno != EINTR {
                return all
            }
        }
    }
}
