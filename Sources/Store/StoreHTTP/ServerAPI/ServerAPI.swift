import AppStoreSigning
import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Logging
import Store
import SubscriptionRules

/// The App Store Server API (API-4). Endpoints that the store does
/// not have yet are not routed at all: a client sees the bare 404 of an unknown path.
enum ServerAPI {
    static let endpoints: [Endpoint] = [
        getTransactionInfo, getTransactionHistory, getTransactionHistoryV1,
        getAllSubscriptionStatuses, getAppTransactionInfo, setAppAccountToken, finishTransaction,
        lookUpOrderID, requestTestNotification, getTestNotificationStatus, getNotificationHistory,
        extendRenewalDate, massExtendRenewalDates, getMassExtensionStatus, sendConsumption,
        sendConsumptionV1, getRefundHistory, getRefundHistoryV1,
    ]
}

extension Endpoint {
    /// An endpoint of the App Store Server API: open to whoever shows a request token, for the app
    /// that the token names, as often as the app may call it.
    ///
    /// - Parameters:
    ///   - perSecond: Apple's rate limit in Production; nil where Apple publishes none.
    ///   - isBrief: whether it looks up a few rows of one customer and nothing else.
    static func serverAPI(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, perSecond: Int?,
        in environments: Set<StoreEnvironment> = Set(StoreEnvironment.allCases),
        isBrief: Bool = false, _ description: OperationDescription,
        handle: @escaping @Sendable (Call, Caller, APIInput) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, path, name, on: .serverAPI, at: Set(environments.map(\.wire.rawValue)),
            isBrief: isBrief, description: description
        ) { call in
            let caller = try await call.caller()
            try call.admit(caller, to: name, perSecond: perSecond)
            try await call.applyFaults(to: caller, at: name)
            return try await handle(call, caller, try await APIInput(call, description))
        }
    }
}

extension Call {
    /// Who calls, by the request token. Judged by the machine's clock: the token is made by a
    /// client that knows nothing of the store's.
    func caller() async throws -> Caller {
        do {
            let token = try bearerToken()
            return Caller(
                bundleID: try await site.server.gate.bundleID(
                    ofToken: token, machineTime: site.server.machineTime(),
                    finding: { [store] in try await store.goodKey($0, bundleID: $1) }),
                environment: environment)
        } catch let error as RequestTokenError {
            throw refused(error.reason)
        } catch let error as Unauthenticated {
            _ = refused("there is no `Authorization: Bearer` header with a token")
            throw error
        }
    }

    /// The answer never says why, as Apple's does not; the log does.
    private func refused(_ reason: String) -> Unauthenticated {
        site.server.log.warning(
            "Answered 401: \(reason).", metadata: ["path": "\(request.uri.path)"])
        return Unauthenticated()
    }

    /// Counts the call against the app's rate limit.
    func admit(
        _ caller: Caller, to endpoint: String, perSecond: Int?
    ) throws(RateLimitExceeded) {
        let limits = site.server.options.rateLimits(in: environment)
        guard let perSecond, let limit = limits.perHour(perSecond, in: environment) else { return }
        let key = RateLimiter.Key(
            caller: caller.bundleID, endpoint: endpoint, server: environment.wire.rawValue)
        let now = site.server.machineTime()
        if let next = site.server.traffic.take(key, limit: limit, at: now) {
            throw RateLimitExceeded(nextAllowed: next, now: now)
        }
    }

    /// Lets the operator's fault rules hold the call up, or answer it.
    func applyFaults(to caller: Caller, at endpoint: String) async throws {
        let verdict = try await store.judgeCall(to: endpoint, by: caller)
        if verdict.wait.milliseconds > 0 {
            await site.server.wait(.milliseconds(verdict.wait.milliseconds))
        }
        switch verdict.refusal {
        case .error(let error): throw error
        case .limit(let pause):
            let now = site.server.machineTime()
            throw RateLimitExceeded(
                nextAllowed: pause.map { now + $0 } ?? RateLimiter.nextHour(after: now), now: now)
        case nil: break
        }
    }

    /// The JSON object in the body.
    ///
    /// - Throws: 4000000 for everything else. Apple may answer a bare 400 there (API-3); official
    ///   clients can say more of an error that has a code.
    func jsonObject() async throws -> JSONValue {
        let body = try await body()
        guard let value = try? JSONValue(parsing: body.readableBytesView), value.object != nil
        else {
            throw APIError.generalBadRequest.saying(
                "The body is not a JSON object: send the members as JSON, in UTF-8.")
        }
        return value
    }

    /// Runs a look-up of a transaction, and says it better when the identifier given was an app
    /// transaction's, on the endpoints that do not take one (API-4).
    func refusingAppTransactions<T>(
        _ id: Int64, _ caller: Caller, _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch let error as StoreError {
            switch error {
            case .unknown(.transaction, _), .unknown(.originalTransaction, _):
                guard try await store.isAppTransaction(id, for: caller) else { throw error }
                throw APIError.appTransactionIdNotSupported
            default:
                throw error
            }
        }
    }
}

extension RequestTokenError {
    /// What is wrong with the token, as the log says it, without what the token holds (API-2).
    var reason: String {
        switch self {
        case .tooLarge: "the token is too long"
        case .malformed: "the token is not a JWT"
        case .wrongAlgorithm: "`alg` is not ES256"
        case .wrongType: "`typ` is not JWT"
        case .unknownKey: "`kid` names no key of the app in `bid`"
        case .wrongSignature: "the signature is not the one of the key in `kid`"
        case .wrongIssuer: "`iss` is not the issuer id of this store"
        case .wrongAudience: "`aud` is not appstoreconnect-v1"
        case .missingBundle: "`bid` is missing"
        case .malformedTime: "`exp` is missing, or a time is not a number of seconds"
        case .expired: "`exp` has passed by this machine's clock"
        case .livesTooLong: "`exp` is more than 60 minutes after `iat`"
        case .issuedInFuture: "`iat` is in the future by this machine's clock"
        case .notYetValid: "`nbf` is in the future by this machine's clock"
        }
    }
}
