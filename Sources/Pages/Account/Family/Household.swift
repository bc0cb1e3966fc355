import ConnectAnswers
import StoreHTTP
import SubscriptionRules

/// The customer's family, and what it shares in the app.
struct Household: Sendable {
    /// The organiser first; nobody without a family.
    let members: [Member]
    let sharesNewPurchases: Bool
    let hearsOfSharing: Bool
    let shared: [Shared]
    private let own: String

    /// Somebody in it.
    struct Member: Sendable {
        let account: String
        let isOrganiser: Bool
        let joined: Instant
    }

    /// A purchase that can be shared.
    struct Shared: Sendable {
        let purchaser: String
        let productID: String
        let id: String
        let isShared: Bool
        /// Who of the family has it now.
        let holders: [String]
    }

    /// - Throws: `Refusal`; `UnusableAnswer`.
    init(_ visit: Visit) async throws {
        let answer = try await visit.desk.get(StorePath("storefront", "v1", "family"))
        own = visit.customer.account
        sharesNewPurchases = try answer.bool("sharesNewPurchases")
        hearsOfSharing = try answer.bool("hearsOfSharing")
        members = try answer.list("members").map { one in
            Member(
                account: try one.text("account"), isOrganiser: try one.bool("organiser"),
                joined: try one.moment("joined"))
        }
        shared = try answer.list("purchases").map { one in
            Shared(
                purchaser: try one.text("account"), productID: try one.text("productId"),
                id: try one.text("originalTransactionId"), isShared: try one.bool("shared"),
                holders: try one.list("sharedWith").map { try $0.text("account") })
        }
    }

    /// Whether the customer organises it.
    var isOrganisers: Bool { members.contains { $0.isOrganiser && isOwn($0.account) } }

    var organiser: String? { members.first { $0.isOrganiser }?.account }

    /// Everybody but the customer.
    var others: [Member] { members.filter { !isOwn($0.account) } }

    /// What the customer bought.
    var bought: [Shared] { shared.filter { isOwn($0.purchaser) } }

    /// What others share with the customer.
    var received: [Shared] {
        shared.filter { !isOwn($0.purchaser) && $0.holders.contains(where: isOwn) }
    }

    private func isOwn(_ account: String) -> Bool { account == own }
}
