import AppStoreWire
import Merchant
import SubscriptionRules

/// What a configuration says of what comes in beside signed data of today, and what becomes of it.
enum IntakeWords {
    /// As members of JSON; the secret itself is never said.
    static func members(of setup: AppSetup) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "versionOne": .bool(setup.sharedSecret != nil),
            "forward": .array(setup.forward.map { .string($0) }),
        ]
        if let urls = setup.receiptService {
            var named: [String: JSONValue] = [:]
            for (environment, url) in urls { named[environment.name] = .string(url) }
            members["verifyReceipt"] = .object(named)
        }
        if let retention = setup.retention {
            members["retentionSeconds"] = .integer(retention.milliseconds / 1000)
        }
        return members
    }

    /// One text a line.
    static func lines(of setup: AppSetup) -> [String] {
        var lines: [String] = []
        if setup.sharedSecret != nil { lines.append("  takes notifications of version 1") }
        let urls = (setup.receiptService ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
        lines += urls.map { "  asks \($0.value) about receipts of \($0.key.name)" }
        lines += setup.forward.map { "  forwards notifications to \($0)" }
        if let retention = setup.retention {
            lines.append(
                "  keeps bodies of notifications for \(retention.milliseconds / 3_600_000) hours")
        }
        return lines
    }
}
