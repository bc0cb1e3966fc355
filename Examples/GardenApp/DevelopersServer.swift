import AppStoreWire
import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import PerennialKit

/// The developer's server, which an app proves its purchases to.
protocol DevelopersServer: Sendable {
    /// Shows it a transaction; the app finishes the transaction only once the server has it.
    ///
    /// - Parameter session: of the device that has the transaction.
    /// - Returns: how many issues the customer has been given by now.
    func unlock(_ transaction: Transaction, of session: StoreSession) async throws -> Int
}

/// A server of 2012, `Examples/python/legacy_server.py`: it takes the whole receipt and has the
/// store check it.
struct LegacyServer: DevelopersServer {
    /// Why an app gets nothing.
    struct NotKept: Error, CustomStringConvertible {
        let description: String
    }

    let url: String
    /// What the customer is called there.
    let account: String

    func unlock(_ transaction: Transaction, of session: StoreSession) async throws -> Int {
        let receipt = try await AppStore.receipt(in: session).base64EncodedString()
        var json = JSONWriter()
        json.object { json in
            json.field("account", account)
            json.field("receipt", receipt)
        }
        var request = HTTPClientRequest(url: url + "/receipts")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: json.bytes))
        let response = try await HTTPClient.shared.execute(request, timeout: .minutes(1))
        let body = Array(try await response.body.collect(upTo: 1 << 24).readableBytesView)
        guard response.status == .ok, let kept = try JSONValue(parsing: body)["kept"]?.array,
            kept.contains(.string(String(transaction.id)))
        else {
            throw NotKept(
                description: "The server has not kept \(transaction.id): "
                    + String(decoding: body, as: UTF8.self))
        }
        return kept.count
    }
}
