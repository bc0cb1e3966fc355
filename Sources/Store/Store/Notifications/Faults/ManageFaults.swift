import AppStoreWire
import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Puts a rule into force.
    ///
    /// - Throws: `StoreError.unknown(.app)`, and `.setting(.invalid)` for a share, a number, a
    ///   length of time or a subtype that cannot be.
    public func addFault(
        _ rule: FaultRule, in environment: StoreEnvironment
    ) async throws -> FaultStatus {
        try rule.check()
        let status = try await write { work in
            let app = try rule.bundleID.map { try work.apps.find(bundleID: $0).id }
            let id = work.nextNumber()
            let record = FaultRecord(
                id: id, environment: environment, app: app, rule: rule,
                seed: rule.seed ?? work.derivedUUID("fault"), created: work.now)
            try record.insert(in: work.session)
            work.record(.addedFault) { $0.app = app }
            return try record.status(work.apps)
        }
        callFaults.change()
        try await refreshCallFaults()
        return status
    }

    /// The rules of an environment in the order in which they were made, also those that are
    /// spent.
    public func faults(in environment: StoreEnvironment) async throws -> [FaultStatus] {
        try await read { [setAside] reader in
            try FaultRecord.all(in: environment, passingOver: setAside, reader.session)
                .map { try $0.status(reader.apps) }
        }
    }

    /// Takes a rule back. What it has done stays in the log.
    ///
    /// - Throws: `StoreError.unknown(.fault)`.
    public func removeFault(_ id: Int64, in environment: StoreEnvironment) async throws {
        try await write { work in
            let count = try FaultRecord.remove(id, in: environment, work.session)
            guard count == 1 else { throw StoreError.unknown(.fault, String(id)) }
            work.record(.removedFault) { _ in }
        }
        callFaults.change()
        try await refreshCallFaults()
    }

    /// Takes all rules of an environment back.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func clearFaults(in environment: StoreEnvironment) async throws -> Int {
        let count = try await write { work in
            let count = try FaultRecord.remove(in: environment, work.session)
            if count > 0 { work.record(.clearedFaults) { _ in } }
            return count
        }
        callFaults.change()
        try await refreshCallFaults()
        return count
    }
}

extension FaultRecord {
    fileprivate func status(_ apps: Apps) throws -> FaultStatus {
        FaultStatus(
            id: id,
            rule: FaultRule(
                effect, bundleID: try app.map { try apps[$0].bundleID }, percent: percent,
                seed: seed, most: most),
            candidates: candidates, applied: applied, isSpent: isSpent, created: created)
    }
}

extension FaultRule {
    /// Refuses what could not be.
    fileprivate func check() throws(StoreError) {
        guard (1...100).contains(percent) else {
            throw .setting(.invalid("percent", reason: "it must be 1 to 100"))
        }
        guard most.map({ $0 >= 1 }) ?? true else {
            throw .setting(.invalid("count", reason: "it must be 1 or more"))
        }
        switch effect {
        case .notifications(let fault, let type, let subtype):
            if let type, subtype != nil, !type.allows(subtype) { throw type.refusal(of: subtype) }
            switch fault {
            case .drop, .lose: break
            case .repeats(let times):
                guard (1...100).contains(times) else {
                    throw .setting(.invalid("times", reason: "it must be 1 to 100"))
                }
            case .delay(let span), .reorder(let span): try FaultRule.check(span)
            }
        case .calls(let fault, let operation):
            switch fault {
            case .fail(let error):
                if operation == CallFault.verifyReceipt, error.receiptStatus != nil { break }
                guard let known = APIError.all[error.code], known != .rateLimitExceeded else {
                    throw .setting(
                        .invalid(
                            "errorCode",
                            reason:
                                "it must be a code of the App Store Server API, or a status such "
                                + "as 21005 for the operation verifyReceipt; for 4290000 the kind "
                                + "is limitCalls"))
                }
            case .limit(let pause): if let pause { try FaultRule.check(pause) }
            case .slow(let span): try FaultRule.check(span, longest: CallFault.longestWait)
            }
        }
    }

    private static func check(
        _ span: Span, longest: Span = .days(30)
    ) throws(StoreError) {
        guard span >= .seconds(1), span <= longest else {
            throw .setting(
                .invalid(
                    "by", reason: "it must be 1 to \(longest.milliseconds / 1000) seconds"))
        }
    }
}
