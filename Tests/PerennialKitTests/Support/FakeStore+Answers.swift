import AppStoreWire
import Foundation

@testable import PerennialKit

/// What the fake store answers, path by path.
extension FakeStore {
    private struct Caller {
        let account: String
        let device: String
        var key: String { "\(account)/\(device)" }
    }

    func answer(_ request: StoreRequest) async throws -> StoreResponse {
        let parts = request.path.split(separator: "?", maxSplits: 1).map(String.init)
        let path = String(parts[0].dropFirst("/storefront/v1".count))
        let query = FakeStore.query(parts.count > 1 ? parts[1] : "")
        if path == "/sign-in", request.method == "POST" { return signIn(request) }
        if path == "/products", query["bundleId"] == FakeStore.bundleID {
            return products(query, nil)
        }
        guard let caller = caller(request) else { return .refusal(401, "unauthenticated") }
        switch (request.method, path) {
        case ("DELETE", "/sign-in"):
            change { $0.signIns[FakeStore.token(request)] = nil }
            return StoreResponse(status: 204)
        case ("POST", "/purchases"): return purchase(request, caller)
        case ("GET", "/updates"): return try await updates(query, caller)
        case ("GET", "/transactions"): return transactions(query, caller)
        case ("POST", "/restore"): return restore(caller)
        case ("GET", "/products"): return products(query, true)
        case ("GET", "/entitlements"):
            let found = look { core in core.sales.filter { $0.account == caller.account } }
            return .json { $0.list("entitlements", found.map { self.entry($0, [], false) }) }
        case ("GET", "/subscriptions"):
            let found = look { $0.subscriptions }
            return .json { json in
                json.list("subscriptions", found.sorted { $0.key < $1.key }.map(\.value))
            }
        case ("POST", let path) where path.hasSuffix("/finish"):
            return finish(String(path.split(separator: "/")[1]), caller)
        default: return .refusal(404, "unknownPath")
        }
    }

    private static func token(_ request: StoreRequest) -> String {
        String(request.headers["Authorization", default: ""].dropFirst("Bearer ".count))
    }

    private func caller(_ request: StoreRequest) -> Caller? {
        look { $0.signIns[FakeStore.token(request)] }.map {
            Caller(account: $0.account, device: $0.device)
        }
    }

    static func query(_ text: String) -> [String: String] {
        text.split(separator: "&").reduce(into: [:]) { query, pair in
            let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
            query[sides[0]] = sides.count > 1 ? sides[1].removingPercentEncoding : ""
        }
    }

    private func signIn(_ request: StoreRequest) -> StoreResponse {
        guard let body = try? JSONValue(parsing: request.body ?? []),
            let account = body["account"]?.string, let device = body["device"]?.string
        else { return .refusal(400, "malformed") }
        let (token, environment, bundleID, now) = change { core in
            core.lastToken += 1
            let token = "token-\(core.lastToken)"
            core.signIns[token] = (account, device)
            return (token, core.environment, core.bundleID, core.now)
        }
        let copy = AppStoreWire.AppTransaction(
            receiptType: environment, bundleId: bundleID, receiptCreationDate: now,
            originalPurchaseDate: now, originalApplicationVersion: "1.0")
        let signed = sign(copy)
        return .json { json in
            json.field("token", token)
            json.field("account", account)
            json.field("storefront", "USA")
            json.field("canMakePayments", true)
            json.field("environment", environment)
            json.field("appTransaction", signed)
        }
    }

    private func purchase(_ request: StoreRequest, _ caller: Caller) -> StoreResponse {
        let key = request.headers["Idempotency-Key"]
        guard let key, let body = try? JSONValue(parsing: request.body ?? []),
            let product = body["productId"]?.string
        else { return .refusal(400, "malformed") }
        let (outcome, deliversAgain) = change { core in
            if let known = core.keys[key] { return (known, false) }
            if core.purchaseResult != "success" { return ((nil, core.purchaseResult), false) }
            if core.deliversAgain,
                let sale = core.sales.first(where: { $0.payload.productId == product })
            {
                return ((sale.payload.transactionId, "success"), true)
            }
            core.charges += 1
            let id = core.sell(
                product, to: caller.account,
                type: product == "monthly" ? .autoRenewableSubscription : .consumable)
            core.keys[key] = (id, "success")
            return ((id, "success"), false)
        }
        if outcome.result == "declined" { return .refusal(402, "paymentDeclined") }
        let sale = look { core in
            core.sales.first { $0.payload.transactionId == outcome.id }
        }
        let signed = sale.map { self.sign($0.payload) }
        return .json { json in
            json.field("result", outcome.result == "scheduled" ? "success" : outcome.result)
            json.field("signedTransactionInfo", signed)
            if deliversAgain { json.field("deliveredAgain", true) }
        }
    }

    private func updates(
        _ query: [String: String], _ caller: Caller
    ) async throws -> StoreResponse {
        let after = query["after"].map { Int($0) ?? -1 }
        if let after, after < 0 { return .refusal(400, "invalidParameter", field: "after") }
        while true {
            let rung = bell.count
            let (changes, sales, restored) = look { core in
                // Without a cursor: from before the first that waits, and all that came after it.
                let first = core.queue(caller.account, caller.device).map(\.changed).min()
                let after = after ?? first.map { $0 - 1 } ?? core.changes
                let sales = core.sales.filter {
                    $0.account == caller.account && $0.changed > after
                }
                return (core.changes, sales, core.restored[caller.key] ?? [])
            }
            if !sales.isEmpty || query["wait"] == "0" || after == nil {
                return .json { json in
                    json.field("cursor", String(changes))
                    json.field("hasMore", false)
                    json.list(
                        "transactions",
                        sales.map { sale in
                            // What was restored waits again, whether or not it was finished before.
                            let id = sale.payload.transactionId
                            let waits = restored.contains(id) || !isFinished(id, caller)
                            return self.entry(sale, restored, !waits)
                        })
                    json.list("subscriptions", [])
                }
            }
            await bell.next(after: rung)
            try Task.checkCancellation()
        }
    }

    private func isFinished(_ id: String, _ caller: Caller) -> Bool {
        look { $0.finished[caller.key]?.contains(id) ?? false }
    }

    private func transactions(_ query: [String: String], _ caller: Caller) -> StoreResponse {
        let (sales, restored) = look { core in
            (
                query["unfinished"] == "true"
                    ? core.queue(caller.account, caller.device)
                    : core.sales.filter { $0.account == caller.account },
                core.restored[caller.key] ?? []
            )
        }
        let after = query["after"].flatMap { Int($0) } ?? 0
        let rest = sales.filter { (Int($0.payload.transactionId) ?? 0) > after }
        return .json { json in
            json.list("transactions", rest.prefix(3).map { self.entry($0, restored, false) })
            json.field("hasMore", rest.count > 3)
        }
    }

    private func entry(_ sale: Sale, _ restored: Set<String>, _ isFinished: Bool) -> JSONValue {
        let id = sale.payload.transactionId
        var payload = sale.payload
        payload.signedDate = look { core in
            core.now += 1
            return core.now
        }
        var members: [String: JSONValue] = [
            "transactionId": .string(id), "productId": .string(sale.payload.productId),
            "orderId": .string("M\(id)"), "finished": .bool(isFinished),
            "signedTransactionInfo": .string(sign(payload)),
        ]
        if restored.contains(id) { members["restored"] = .bool(true) }
        return .object(members)
    }

    private func restore(_ caller: Caller) -> StoreResponse {
        let count = change { core in
            let ids = core.sales.filter {
                $0.account == caller.account && $0.payload.type != .consumable
            }.map(\.payload.transactionId)
            core.restored[caller.key, default: []].formUnion(ids)
            return ids.count
        }
        return .json { $0.field("restored", count) }
    }

    private func finish(_ id: String, _ caller: Caller) -> StoreResponse {
        change { core in
            guard
                core.sales.contains(where: {
                    $0.payload.transactionId == id && $0.account == caller.account
                })
            else { return .refusal(404, "unknownTransaction") }
            core.finished[caller.key, default: []].insert(id)
            core.restored[caller.key]?.remove(id)
            return StoreResponse(status: 204)
        }
    }

    private func products(
        _ query: [String: String], _ canMakePayments: Bool?
    ) -> StoreResponse {
        .json { json in
            json.field("storefront", query["storefront"] ?? "USA")
            json.field("currency", "USD")
            json.field("canMakePayments", canMakePayments)
            json.list(
                "products",
                [FakeStore.monthly, FakeStore.coins].filter { product in
                    query["id"] == nil || product["id"]?.string == query["id"]
                })
        }
    }

    static let coins = JSONValue.object([
        "id": .string("coins"), "type": .string("Consumable"), "displayName": .string("Coins"),
        "description": .string("A hundred"), "price": .integer(990), "currency": .string("USD"),
        "familyShareable": .bool(false),
    ])

    static let monthly = JSONValue.object([
        "id": .string("monthly"), "type": .string("Auto-Renewable Subscription"),
        "displayName": .string("Monthly"), "description": .string("A month"),
        "price": .integer(9_007_199_254_740_993), "currency": .string("USD"),
        "familyShareable": .bool(true),
        "subscription": .object([
            "groupId": .string("group"), "groupDisplayName": .string("Garden"),
            "level": .integer(1), "period": .string("P1M"),
            "introductoryOffer": .object([
                "mode": .string("PAY_AS_YOU_GO"), "period": .string("P2W"),
                "periodCount": .integer(3), "price": .integer(1990),
            ]),
            "promotionalOffers": .array([
                .object([
                    "id": .string("loyal"), "name": .string("Loyal"),
                    "mode": .string("FREE_TRIAL"), "period": .string("P1W"),
                    "periodCount": .integer(1), "price": .integer(0),
                ])
            ]),
            "winBackOffers": .array([
                .object([
                    "id": .string("back"), "mode": .string("PAY_UP_FRONT"),
                    "period": .string("P6M"), "periodCount": .integer(1),
                    "price": .integer(9990),
                ])
            ]),
        ]),
    ])
}

extension StoreResponse {
    static func json(_ write: (inout JSONWriter) -> Void) -> StoreResponse {
        var json = JSONWriter()
        json.object { json in write(&json) }
        return StoreResponse(status: 200, body: json.bytes)
    }

    static func refusal(
        _ status: Int, _ code: String, field: String? = nil, headers: [String: String] = [:]
    ) -> StoreResponse {
        var json = JSONWriter()
        json.object { json in
            json.field("error", code)
            json.field("message", "A sentence.")
            json.field("field", field)
        }
        return StoreResponse(status: status, headers: headers, body: json.bytes)
    }
}

extension JSONWriter {
    mutating func list(_ name: StaticString, _ values: [JSONValue]) {
        array(name) { json in for value in values { json.element(value) } }
    }
}
