import AppStoreWire
import ArgumentParser
import ConnectAnswers
import StoreHTTP
import SubscriptionRules
import Timeline

/// What a family shares with a customer, in words.
enum Shared {
    /// A line for each purchase of another one that the customer has or had.
    static func lines(_ customer: CustomerSheet) -> [String] {
        (customer.shared ?? []).map { one in
            let own = "transaction \(one.originalTransactionID)"
            if let ended = one.ended {
                return
                    "\(one.productID): \(one.purchaser) shared it until \(ended.plainText), \(own)"
            }
            guard let expires = one.expires else {
                return "\(one.productID): shared by \(one.purchaser), \(own)"
            }
            let access = one.isEntitled ? "access until" : "no access since"
            return "\(one.productID): shared by \(one.purchaser), \(access) \(expires.plainText), "
                + own
        }
    }

    /// Why a customer without a subscription has nothing to show; nil where nothing is shared.
    static func remedy(_ customer: CustomerSheet) -> String? {
        let account = customer.account
        return customer.shared?.last { $0.expires != nil }.map {
            "\(account) has no subscription of its own; \($0.productID) is \($0.purchaser)'s: "
                + "`perennial timeline \(word: String($0.source))` shows its life, `perennial "
                + "status \(word: account)` what \(account) has of it."
        }
    }
}

/// Shows a customer or a subscription as it is now.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show an account with its subscriptions, or one subscription.",
        discussion: """
            Also says if the store posts no notifications, as in a fork.

              perennial status anna
              perennial status 400000000000005 --json
            """)

    @Argument(help: "An account, or a subscription's identifier.", transform: Reading.account)
    var target: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let target = try await client.target(target)
        let namesApps = try await client.mixesApps()
        let delivers = try await client.get(Copying.world).bool("deliveries")
        let world: [String: JSONValue?] = ["deliveries": .bool(delivers)]
        let note = delivers ? [] : ["", Copying.words(ofDeliveries: false)]
        switch target {
        case .subscription(let id):
            try await client.checkApp(of: id)
            let answer = try await client.subscription(id)
            var ahead = try await client.ahead(of: [answer], account: nil)
            ahead.namesApps = namesApps
            try store.show(answer.with(ahead.members).with(world), of: which) { [ahead] style in
                try Self.subscription(answer, style, ahead) + note
            }
        case .account(let account):
            let answer = try await client.customer(account)
            var ahead = try await client.ahead(
                of: answer.list("subscriptions"), account: account)
            ahead.namesApps = namesApps
            try store.show(answer.with(ahead.members).with(world), of: which) { [ahead] style in
                try Self.customer(answer, style, isSandbox: store.sandbox, ahead: ahead)
                    + ahead.others.flatMap { [""] + $0 } + note
            }
        }
    }

    /// A customer and a few lines for each subscription.
    ///
    /// - Parameter ahead: what else there is to say of its subscriptions.
    static func customer(
        _ answer: Answer, _ style: Style, isSandbox: Bool = false, ahead: Ahead = Ahead()
    ) throws -> [String] {
        let subscriptions = try answer.list("subscriptions")
        let customer = try answer.customer
        let home = customer.storefront.code
        let speed = isSandbox ? ", a month lasts \(customer.speed.rawValue) minutes" : ""
        let lines = [
            style.paint(customer.account, .strong) + ", \(home), payments "
                + CustomerCommand.payments(customer.payment) + speed
        ]
        let shared = Shared.lines(customer)
        let others = purchases(customer.purchases ?? [], style, namesApps: ahead.namesApps)
        guard !subscriptions.isEmpty else {
            return lines + (shared.isEmpty ? ["no subscriptions"] : shared) + others
        }
        return try lines
            + subscriptions.flatMap {
                try [""]
                    + subscription($0, style, account: nil, ahead)
                    + place($0, home: home)
            } + (shared.isEmpty ? [] : [""] + shared) + others
    }

    /// What else the customer bought, a line each.
    private static func purchases(
        _ purchases: [PurchaseSheet], _ style: Style, namesApps: Bool
    ) -> [String] {
        guard !purchases.isEmpty else { return [] }
        var table = Columns(
            [
                ("purchase", .left), ("app", .left), ("transaction", .left), ("bought", .left),
                ("price", .right), ("", .left),
            ], without: namesApps ? [] : ["app"])
        for one in purchases {
            table.add([
                one.productID, one.bundleID, String(one.transactionID), one.purchased.plainText,
                Money.plainText(one.price, one.currency),
                one.revoked.map { "refunded \($0.plainText)" } ?? "",
            ])
        }
        return [""] + table.lines(style)
    }

    /// A subscription in a few lines.
    static func subscription(
        _ answer: Answer, _ style: Style, _ ahead: Ahead = Ahead()
    ) throws -> [String] {
        try subscription(answer, style, account: try answer.text("account"), ahead)
    }

    /// What a subscription of items holds, such as `holds news 9.99 USD, chess 2.99 USD`; offers
    /// aside.
    private static func items(_ answer: Answer) throws -> [String] {
        guard answer.value["lines"] != nil else { return [] }
        let currency = try answer.text("currency")
        let items = try answer.list("lines").map { line in
            try "\(line.text("sku")) \(Money.plainText(line.integer("price"), currency))"
        }
        return ["holds " + items.joined(separator: ", ")]
    }

    private static func subscription(
        _ answer: Answer, _ style: Style, account: String?, _ ahead: Ahead
    ) throws -> [String] {
        let life = try Life(answer, entries: [], now: answer.optionalMoment("expires"))
        let renewals = counted(Int(answer.optionalInteger("renewalCount") ?? 0), "renewal")
        let passages = [
            [
                account, ahead.namesApps ? "app \(try answer.text("bundleId"))" : nil,
                "subscription \(life.id)", life.condition,
            ].compactMap(\.self),
            [
                life.priceText, "transaction \(try answer.text("transactionId"))",
                "\(renewals) since the last purchase",
            ],
        ]
        var lines = [style.paint(life.productID, .strong)]
        for parts in passages {
            lines += Passage.lines(
                parts.map { Passage.Part($0) }, separator: ", ", width: style.columns,
                style: style)
        }
        lines += try items(answer)
        lines += try share(answer)
        lines += access(answer)
        lines += try extensions(answer)
        if let next = life.nextProductID {
            let when = life.commitment == nil ? "next renewal" : "end of the commitment"
            lines.append("chose \(next) from the \(when) on")
        }
        if let offer = life.nextOffer { lines.append("the \(offer.words) waits for a renewal") }
        lines += try Increases.lines(answer)
        // The bank's answer comes by itself too.
        let billEvent = ahead.bill(of: answer)?.optionalMoment("nextEvent")
        let next = [answer.optionalMoment("nextEvent"), billEvent].compactMap(\.self).min()
        if let next { lines.append("next event \(next.plainText)") }
        return lines + (try ahead.lines(of: answer))
    }
}

extension StatusCommand {
    /// Where it is charged, if that is not where its customer is at home.
    private static func place(_ answer: Answer, home: String) -> [String] {
        guard let own = answer.optionalText("storefront"), own != home else { return [] }
        return ["bought in the storefront \(own), and charged there"]
    }

    /// Whose share of it was named.
    static func share(_ answer: Answer) throws -> [String] {
        guard answer.value["share"] != nil else { return [] }
        let share = try answer.object("share")
        let end = share.optionalMoment("ended").map { " until \($0.plainText)" } ?? ""
        return [
            "\(try share.text("originalTransactionId")) is what \(try share.text("account")) has "
                + "of it in the family of \(try answer.text("account")), since "
                + "\(try share.moment("since").plainText)\(end)"
        ]
    }

    /// Until when there is access although nothing was paid.
    private static func access(_ answer: Answer) -> [String] {
        let end = answer.optionalMoment("graceUntil")?.plainText
        switch answer.optionalText("state") {
        case "awaitingPayment":
            return end.map { ["has access until \($0), while the bank has not answered"] } ?? []
        case "grace":
            return end.map { ["has access until \($0), the end of the grace period"] } ?? []
        case "retrying":
            return ["has no access" + (end.map { ": the grace period ended \($0)" } ?? "")]
        default: return []
        }
    }

    /// When the renewal date was extended, and by how much in the newest period.
    private static func extensions(_ answer: Answer) throws -> [String] {
        let moments = answer.texts("extensions").compactMap { Instant(iso8601: $0) }
        guard !moments.isEmpty else { return [] }
        let texts = moments.map(\.plainText)
        let isTwice = texts.count > 1 && Set(texts).count == 1
        let when = isTwice ? "\(texts[0]) twice" : texts.joined(separator: " and ")
        guard let extended = answer.optionalInteger("extendedMilliseconds") else {
            return ["extended \(when)"]
        }
        // A day has an hour more or less where clocks are changed; Sandbox counts in seconds.
        let days = Int((extended + 43_200_000) / 86_400_000)
        let short =
            extended % 60_000 == 0
            ? counted(Int(extended / 60_000), "minute")
            : counted(Int(extended / 1000), "second")
        let length = days > 0 ? counted(days, "day") : short
        return ["extended \(when), the newest period by \(length)"]
    }
}
