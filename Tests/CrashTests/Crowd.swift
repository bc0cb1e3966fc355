import AppStoreWire
import TestSupport

/// Customers who buy, change their plans, ask for refunds and look at their subscriptions, at
/// whatever process answers.
struct Crowd: Sendable {
    let fleet: Fleet

    /// What a customer does besides buying.
    enum Habit: Int, CaseIterable {
        case stays, upgrades, downgrades, asksForRefund, changesItsMind
    }

    static func habit(_ number: Int) -> Habit {
        Habit.allCases[number % Habit.allCases.count]
    }

    static func account(_ number: Int) -> String { "customer-\(number)" }

    /// Lets customers live, some of them at once.
    ///
    /// - Parameter steps: what keeps them from coming all at the beginning: eight steps for each.
    func run(_ customers: Range<Int>, keepingPaceWith steps: Steps? = nil) async throws {
        try await withThrowingTaskGroup { group in
            let atOnce = 12
            for lane in 0..<min(atOnce, customers.count) {
                group.addTask {
                    for number in stride(
                        from: customers.lowerBound + lane, to: customers.upperBound, by: atOnce)
                    {
                        _ = await steps?.wait(for: 8 * atOnce)
                        try await live(number)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func live(_ number: Int) async throws {
        let account = Self.account(number)
        let session = try await fleet.send(
            "POST", "/storefront/v1/sign-in",
            #"{"bundleId":"com.example.app","account":"\#(account)"}"#, as: .nobody)
        let device = StoreProcess.Credential.device(session["token"]?.string ?? "")
        let bought = try await buy("club.monthly", device, key: "first")
        let signed = bought["signedTransactionInfo"]?.string ?? ""
        let first: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        let id = first.originalTransactionId
        switch Self.habit(number) {
        case .stays: break
        case .upgrades: _ = try await buy("club.gold", device, key: "second")
        case .downgrades: try await choose("club.bronze", id, device)
        case .asksForRefund:
            try await fleet.send(
                "POST", "/storefront/v1/transactions/\(id)/refund-request",
                #"{"reason":"OTHER"}"#, as: device,
                done: ["refundAlreadyRequested", "alreadyRevoked"])
        case .changesItsMind:
            try await choose("club.bronze", id, device)
            try await choose("club.monthly", id, device)
        }
        try await fleet.send("GET", "/storefront/v1/subscriptions", as: device)
        try await fleet.send("GET", "/inApps/v1/subscriptions/\(id)", as: .developer)
    }

    private func buy(
        _ product: String, _ device: StoreProcess.Credential, key: String
    ) async throws -> JSONValue {
        try await fleet.send(
            "POST", "/storefront/v1/purchases", #"{"productId":"\#(product)"}"#, as: device,
            key: key)
    }

    private func choose(
        _ product: String, _ subscription: String, _ device: StoreProcess.Credential
    ) async throws {
        try await fleet.send(
            "PATCH", "/storefront/v1/subscriptions/\(subscription)",
            #"{"productId":"\#(product)"}"#, as: device,
            // A plan that took effect at once, since a renewal came in between, is held already.
            done: ["alreadySubscribed"])
    }
}
