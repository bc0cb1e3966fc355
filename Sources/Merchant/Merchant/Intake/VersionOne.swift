public import AppStoreWire
import Crypto
import FoundationEssentials
import SubscriptionRules
import TimeAndChance

extension Merchant {
    /// Keeps a notification of version 1, once, without its password. Nobody has signed it: the
    /// app's shared secret proves it, and only the receipt in it changes anything. It is processed
    /// later, as one of version 2 is (ING-1).
    ///
    /// - Parameters:
    ///   - notification: the body as JSON.
    ///   - body: the same as it came: it goes on to the app's other servers.
    /// - Throws: `MerchantError`, and `StorageError` where it is not kept.
    public func receive(
        versionOne notification: JSONValue, as body: [UInt8], for bundleID: String
    ) async throws -> Reception {
        let app = try app(bundleID)
        guard let secret = app.setup.sharedSecret else {
            throw MerchantError.intake(.noSharedSecret(bundleID))
        }
        guard let password = notification["password"]?.string, secret.matches(password) else {
            throw MerchantError.intake(.wrongPassword)
        }
        let letter = Letter(VersionOne(notification), of: app, at: try await now())
        return try await keep(letter, of: app, forwarding: body)
    }
}

/// A notification of version 1, as far as a merchant reads it.
struct VersionOne: Sendable {
    private let members: [String: JSONValue]

    init(_ notification: JSONValue) {
        members = (notification.object ?? [:]).filter { $0.key != "password" }
    }

    /// Nil where it was none.
    init?(kept text: String) {
        guard let value = try? JSONValue(parsing: text.utf8) else { return nil }
        self.init(value)
    }

    /// Whether what is kept is of version 1: version 2 is a JWS, which begins otherwise.
    static func isKept(in body: String) -> Bool { body.utf8.first == UInt8(ascii: "{") }

    /// What is kept.
    var body: String { JSONValue.object(members).jsonText() }

    /// By which a repetition is known: version 1 has no identifier.
    var uuid: String {
        let digest = SHA256.hash(data: Array(body.utf8)).hexadecimal
        return DerivedUUID.text(seed: digest, purpose: "notification of version 1", number: 0)
    }

    /// Apple's word for its type; `unknown` where it is no word.
    var type: String {
        let word = members["notification_type"]?.string ?? ""
        let isWord =
            (1...64).contains(word.utf8.count)
            && word.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") }
        return isWord ? word : "unknown"
    }

    /// Nil for one that there is not.
    var environment: MerchantEnvironment? {
        switch members["environment"]?.string ?? unified?["environment"]?.string ?? "" {
        case "PROD", "Production": .production
        case "Sandbox": .sandbox
        default: nil
        }
    }

    var bundleID: String? { members["bid"]?.string }

    private var unified: JSONValue? { members["unified_receipt"] }

    /// The receipt in it, in Base64.
    var receipt: String? { unified?["latest_receipt"]?.string }

    /// What it says of renewals, which is signed by nobody.
    ///
    /// - Throws: `DecodingError`.
    func pendingRenewals() throws -> [PendingRenewalInfo] {
        guard let list = unified?["pending_renewal_info"], !list.isNull else { return [] }
        return try list.decoded(as: [PendingRenewalInfo].self)
    }
}

/// A notification of version 1 has no receipt in it that could prove anything.
private struct NoReceiptInside: Error, CustomStringConvertible {
    var description: String {
        "a notification of version 1 proves nothing without `unified_receipt.latest_receipt`"
    }
}

extension Letter {
    init(_ notification: VersionOne, of app: Merchant.ServedApp, at received: Instant) {
        let problem: String?
        if let environment = notification.environment {
            let isTaken = app.setup.environments.contains(environment)
            problem = isTaken ? nil : "it is of \(environment.name), of which nothing is taken"
        } else {
            problem = "it is of no environment that is known"
        }
        let isOther = notification.bundleID != app.setup.bundleID
        self.init(
            notification, of: app.id, isOther ? "it is of another app" : problem, at: received)
    }

    private init(
        _ notification: VersionOne, of app: Int64, _ problem: String?, at received: Instant
    ) {
        if let problem {
            self.init(setAside: notification.body, of: app, problem, at: received)
        } else {
            self.init(
                app: app, environment: notification.environment, uuid: notification.uuid,
                type: notification.type, received: received, body: notification.body)
        }
    }
}

extension Evidence {
    /// What a letter proves, of either version.
    ///
    /// - Throws: whatever is wrong with the letter: it would be wrong again.
    static func all(
        in letter: WaitingLetter, at now: Instant, verifiedBy setup: AppSetup
    ) async throws -> [Evidence] {
        guard VersionOne.isKept(in: letter.body) else {
            return [try await Evidence(letter, verifiedBy: setup)]
        }
        guard let notification = VersionOne(kept: letter.body), let receipt = notification.receipt
        else { throw NoReceiptInside() }
        var setup = setup
        setup.environments = [letter.environment]
        return try await all(
            receipt: receipt, pending: try notification.pendingRenewals(), from: letter.uuid,
            at: now, verifiedBy: setup)
    }
}
