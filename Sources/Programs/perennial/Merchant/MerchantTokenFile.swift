import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import MerchantHTTP
import TimeAndChance

/// A merchant's secrets: a file of its data directory, for its owner's eyes only.
struct MerchantTokenFile: Sendable {
    typealias Tokens = MerchantServer.Tokens

    static let name = "merchant.json"

    let path: String

    /// What the file says; nil where there is none.
    ///
    /// - Throws: `Failure` where it is damaged.
    func read() throws -> Tokens? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path),
            let value = try? JSONValue(parsing: Array(data)),
            let theOperator = value["operatorToken"]?.string, !theOperator.isEmpty
        else { throw damaged }
        var tokens = Tokens(theOperator: theOperator, apps: [:])
        for (bundleID, app) in value["apps"]?.object ?? [:] {
            guard let appToken = app["appToken"]?.string, !appToken.isEmpty,
                let serverToken = app["serverToken"]?.string, !serverToken.isEmpty
            else { throw damaged }
            tokens.apps[bundleID] = .init(app: appToken, server: serverToken)
        }
        return tokens
    }

    /// What the file says, once these apps have tokens: those that have none get them.
    func ensure(_ bundleIDs: [String]) throws -> Tokens {
        let saved = try read()
        var tokens = saved ?? Tokens(theOperator: Self.make(.theOperator), apps: [:])
        for bundleID in bundleIDs where tokens.apps[bundleID] == nil {
            tokens.apps[bundleID] = .init(app: Self.make(.app), server: Self.make(.server))
        }
        if tokens != saved { try write(tokens) }
        return tokens
    }

    /// Puts a new token in the place of one.
    ///
    /// - Parameter bundleID: whose; the operator's opens all apps.
    /// - Returns: the new one.
    func rotate(_ scope: TokenScope, of bundleID: String?) throws -> String {
        guard var tokens = try read() else {
            throw Failure.refused(
                "There is no \(path): name the merchant's data directory with --data.")
        }
        let token = Self.make(scope)
        if scope == .theOperator {
            tokens.theOperator = token
        } else {
            guard let bundleID, var app = tokens.apps[bundleID] else {
                throw Failure.refused(
                    "No app \(bundleID ?? "") has tokens here; those that have: "
                        + tokens.apps.keys.sorted().joined(separator: ", ") + ".")
            }
            switch scope {
            case .app: app.app = token
            case .server: app.server = token
            case .theOperator: break
            }
            tokens.apps[bundleID] = app
        }
        try write(tokens)
        return token
    }

    private static func make(_ scope: TokenScope) -> String {
        Randomness.token("\(scope.rawValue)_")
    }

    private func write(_ tokens: Tokens) throws {
        var json = JSONWriter()
        json.object { json in
            json.field("operatorToken", tokens.theOperator)
            json.object("apps") { json in
                for (bundleID, app) in tokens.apps.sorted(by: { $0.key < $1.key }) {
                    json.field(named: bundleID, Entry(app: app))
                }
            }
        }
        do {
            try AtomicFile.write(json.bytes + [UInt8(ascii: "\n")], to: path, mode: 0o600)
        } catch {
            throw Failure.refused("The merchant's tokens cannot be written: \(error).")
        }
    }

    private var damaged: Failure {
        Failure.refused(
            "\(path) is damaged; put it back from a backup, or remove it to get new tokens.")
    }

    /// The tokens of one app.
    private struct Entry: WireEncodable {
        let app: Tokens.OfApp

        func encode(to json: inout JSONWriter) {
            json.object { json in
                json.field("appToken", app.app)
                json.field("serverToken", app.server)
            }
        }
    }
}
