import AppStoreWire
import FoundationEssentials
import MerchantPages
import SubscriptionRules

/// What a running merchant tells those who use it: the contract for automation.
struct MerchantReady: Hashable, Sendable {
    var url: String
    var operatorToken: String
    /// The path of its database, for a copy on the same machine; nil where it is no file.
    var database: String?
    var apps: [App]

    /// One app that it serves.
    struct App: Hashable, Sendable {
        var bundleID: String
        var appToken: String
        var serverToken: String
    }

    /// Where the store is to send notifications of an app, of both environments.
    func notificationURL(of bundleID: String) -> String { "\(url)/apple/v2/\(bundleID)" }

    /// A link that opens the merchant's console, once.
    ///
    /// - Parameter now: the machine's clock.
    func consoleLink(now: Instant) -> String {
        url + MerchantAccess.link(operatorToken: operatorToken, now: now)
    }

    /// Writes it as the ready file of a merchant alone, for its owner's eyes only.
    func write(to path: String) throws {
        var json = JSONWriter()
        json.object { write(to: &$0) }
        try ReadyFile.write(json.bytes, to: path)
    }

    func write(to json: inout JSONWriter) {
        json.field("url", url)
        json.field("operatorToken", operatorToken)
        json.field("database", database)
        json.array("apps") { json in
            for app in apps {
                json.elementObject { json in
                    json.field("bundleId", app.bundleID)
                    json.field("appToken", app.appToken)
                    json.field("serverToken", app.serverToken)
                    json.object("notificationUrls") { json in
                        json.field("production", notificationURL(of: app.bundleID))
                        json.field("sandbox", notificationURL(of: app.bundleID))
                    }
                }
            }
        }
    }
}

extension MerchantReady {
    /// Where `merchant serve` leaves the ready file unless it is told another data directory.
    static let usualReadyFile = "\(MerchantServePlan.usualHome)/ready.json"

    /// The merchant that runs alone: the one of the ready file that was named, else the one of the
    /// usual place; nil where there is none, or the file that was named is of a store.
    static func alone(_ named: String?) -> MerchantReady? {
        let file = StoreAddress.readyFile(named)
        let usual = file == StoreAddress.usualReadyFile ? [usualReadyFile] : []
        for path in [file] + usual {
            guard let data = FileManager.default.contents(atPath: path),
                let value = try? JSONValue(parsing: Array(data))
            else { continue }
            if value["merchant"] != nil { return nil }
            if let ready = MerchantReady(value) { return ready }
        }
        return nil
    }

    init?(_ value: JSONValue) {
        guard let url = value["url"]?.string, let operatorToken = value["operatorToken"]?.string,
            let apps = value["apps"]?.array
        else { return nil }
        self.init(
            url: url, operatorToken: operatorToken, database: value["database"]?.string,
            apps: apps.compactMap { app in
                guard let bundleID = app["bundleId"]?.string,
                    let appToken = app["appToken"]?.string,
                    let serverToken = app["serverToken"]?.string
                else { return nil }
                return App(bundleID: bundleID, appToken: appToken, serverToken: serverToken)
            })
    }
}
