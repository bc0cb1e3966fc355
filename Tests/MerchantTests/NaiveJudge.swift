import AppStoreWire
import Merchant
import MerchantRules
import Store
import SubscriptionRules
import TestSupport

/// Judges access by what the store itself answers, as simply as can be: a status of 1 or 4 is
/// access, and what was bought once and not taken back is.
enum NaiveJudge {
    /// What a customer has: the names of what is unlocked, then what is left of consumables.
    ///
    /// What is sold in Sandbox and can be used up is counted nowhere.
    static func verdict(on person: RandomLife.Person, in world: World) async throws -> [String] {
        guard let anyTransaction = person.anyTransaction else { return [] }
        let environment = person.environment
        var unlocked: Set<String> = []
        let statuses = try await world.store.statuses(
            anyTransaction: anyTransaction, [], for: world.caller(environment))
        let good: Set<Status> = [.active, .billingGracePeriod]
        for group in statuses.data
        where group.lastTransactions.contains(where: { good.contains($0.status) }) {
            unlocked.insert(group.subscriptionGroupIdentifier)
        }
        var filter = HistoryFilter()
        filter.types = [.consumable, .nonConsumable, .nonRenewingSubscription]
        filter.revoked = false
        var balances: [String: Int64] = [:]
        for text in try await history(of: anyTransaction, filter, in: world, environment) {
            let one: JWSTransactionDecodedPayload = try JWSText.decode(text)
            if one.type == .consumable {
                guard environment == .production else { continue }
                balances[one.productId, default: 0] += Int64(one.quantity)
            } else {
                unlocked.insert(one.productId)
            }
        }
        return lines(unlocked, balances)
    }

    /// What a merchant answers of the environment in which somebody buys, in the same words.
    static func answer(
        of merchant: Merchant, on person: RandomLife.Person
    ) async throws -> [String] {
        let customer = try await merchant.customer(person.name, of: World.bundleID)
        let isProduction = person.environment == .production
        let unlocked = customer.entitlements.filter { one in
            one.access.isGranted && (one.environment == .production) == isProduction
        }.map(\.id)
        let balances = isProduction ? customer.balances.filter { $0.value != 0 } : [:]
        return lines(Set(unlocked), balances)
    }

    /// All transactions of a customer, signed.
    static func history(
        of anyTransaction: Int64, _ filter: HistoryFilter = HistoryFilter(), in world: World,
        _ environment: StoreEnvironment
    ) async throws -> [String] {
        var found: [String] = []
        var revision: String?
        while true {
            let page = try await world.store.history(
                anyTransaction: anyTransaction, filter, revision: revision,
                for: world.caller(environment))
            found += page.signedTransactions
            guard page.hasMore else { return found }
            revision = page.revision
        }
    }

    private static func lines(
        _ unlocked: Set<String>, _ balances: [String: Int64]
    ) -> [String] {
        unlocked.sorted()
            + balances.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    }
}
