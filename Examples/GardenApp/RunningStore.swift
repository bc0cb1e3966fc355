import AppStoreWire
import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// A store that runs here: where it is, and its operator's controls.
struct RunningStore: Sendable {
    let url: String
    let bundleID: String
    let appAppleID: Int64
    /// The root certificate (DER), which comes with the app.
    let root: [UInt8]
    private let operatorToken: String

    /// What is wrong, in words.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads what `perennial serve` wrote.
    init(readyFile: String) throws {
        let json = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: readyFile))))
        guard let url = json["production"]?["url"]?.string, let bundleID = json["bundleId"]?.string,
            let appAppleID = json["appAppleId"]?.integer,
            let root = json["rootCertificateFile"]?.string,
            let token = json["operatorToken"]?.string
        else { throw Failure(description: "\(readyFile) is no ready file") }
        self.url = url
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.root = Array(try Data(contentsOf: URL(filePath: root)))
        operatorToken = token
    }

    /// Lets time go by: what falls due meanwhile happens, each thing at its own moment.
    func advance(by period: String) async throws {
        var request = HTTPClientRequest(url: url + "/connect/v1/clock/advance")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(operatorToken)")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: #"{"by":"\#(period)"}"#))
        let response = try await HTTPClient.shared.execute(request, timeout: .minutes(5))
        guard response.status == .ok else {
            let body = try await response.body.collect(upTo: 1 << 20)
            throw Failure(description: "the clock did not move: \(String(buffer: body))")
        }
    }
}
