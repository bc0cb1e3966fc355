import AppStoreWire
import NaiveModel
import Store
import SubscriptionRules
import TestSupport

/// Where the two stores part, in words for people.
struct Difference: Sendable {
    /// The number of the step after which they differ.
    let step: Int
    let lines: [String]
}

/// Compares the real store with the naive one.
struct Comparison {
    /// How far the journal and the naive books have been compared.
    private var sequence: Int64 = 0
    private var entries = 0
    private var names: [Int64: Account.Name] = [:]
    private var told = Told()
    /// What the server API was to show of every customer when it was last asked.
    private var shown: [Account.Name: [String]] = [:]
    /// Every customer's bills when they were last compared.
    private var billed: [Account.Name: [Invoice]] = [:]
    /// Every customer's requests when they were last compared.
    private var asked: [Account.Name: [Request]] = [:]

    /// Who stands how, and which money moved since the last time.
    mutating func afterStep(_ player: Player, _ index: Int) async throws -> [String]? {
        for name in player.devices.keys.sorted(by: { $0.line < $1.line })
        where index == 0 || !name.isInCrowd || names.count < player.devices.count {
            let (customer, subscriptions, _) = try await player.store.customer(
                account: name.text, in: name.environment)
            names[customer.id] = name
            for one in subscriptions { told.groups[one.id] = (name, one.groupID) }
            let lives = player.naive.lives.filter { $0.account == name }
            let real = subscriptions.map(\.line).sorted()
            let naive = lives.map { player.naive.line(of: $0) }.sorted()
            if real != naive { return different("\(name.line) has", real, naive) }
            if let difference = try await bills(player, name, always: index == 0) {
                return difference
            }
            if let difference = try await requests(player, name, always: index == 0) {
                return difference
            }
            if let difference = try await statuses(player, name, customer.id, always: index == 0) {
                return difference
            }
        }
        guard player.naive.unpaid.isEmpty else { return player.naive.unpaid }
        if let difference = try await money(player) { return difference }
        if player.scenario.isListening,
            let difference = try await told.difference(player, names)
        {
            return difference
        }
        return index % 5 == 0 ? try await access(player) : nil
    }

    /// Everything: access as a device sees it, and every transaction there ever was.
    mutating func atTheEnd(_ player: Player) async throws -> [String]? {
        if let difference = try await afterStep(player, 0) { return difference }
        if let difference = try await receipts(player) { return difference }
        let broken = try await Invariants(player.database).broken
        return broken.isEmpty ? nil : Array(broken.prefix(10))
    }

    /// Which bills were not paid at once, or not for good, and how they stand.
    private mutating func bills(
        _ player: Player, _ name: Account.Name, always: Bool
    ) async throws -> [String]? {
        let invoices = player.naive.invoices.filter {
            $0.account == name && (!$0.isPaidAtOnce || $0.wasReversed)
        }
        guard always || billed[name] != invoices else { return nil }
        billed[name] = invoices
        let real = try await player.bills(of: name).map(\.line).sorted()
        let naive = invoices.map(\.line).sorted()
        return real == naive ? nil : different("\(name.line) has bills", real, naive)
    }

    /// What waits for somebody, and what became of what did.
    private mutating func requests(
        _ player: Player, _ name: Account.Name, always: Bool
    ) async throws -> [String]? {
        let requests = player.naive.requests.filter { $0.account == name }
        guard always || asked[name] ?? [] != requests else { return nil }
        asked[name] = requests
        let (real, naive) = (
            try await player.requests(of: name).map(\.line), requests.map(\.line)
        )
        return real == naive ? nil : different("\(name.line) has requests", real, naive)
    }

    /// What was charged, given back and declined since the last comparison.
    private mutating func money(_ player: Player) async throws -> [String]? {
        let lines = try await Books.lines(after: sequence, in: player.database)
        sequence = lines.last?.sequence ?? sequence
        var real: [String] = []
        for line in lines {
            let who =
                "\(NaiveCalendar.text(Int(line.at))) \(names[line.customer]?.line ?? "?")"
                + (line.sku.map { " \($0)" } ?? "")
            if line.refunded - line.charged + line.developer + line.store != 0 {
                return ["the ledger does not sum to zero: \(line)"]
            }
            if line.charged > 0 {
                real.append("\(who) charged \(line.charged), the store's share \(line.store)")
            }
            if line.refunded > 0 {
                real.append("\(who) refunded \(line.refunded), the store's share \(-line.store)")
            }
            if line.declined > 0 { real.append("\(who) declined \(line.declined)") }
        }
        let naive = player.naive.books[entries...].filter { $0.amount > 0 }.map { entry in
            "\(NaiveCalendar.text(entry.at)) \(entry.account.line) "
                + (entry.sku.map { "\($0) " } ?? "") + "\(entry.kind.rawValue) \(entry.amount)"
                + (entry.kind == .declined ? "" : ", the store's share \(entry.share)")
        }
        entries = player.naive.books.count
        // Within one moment the order is the stores' own business.
        guard real.sorted() != naive.sorted() else { return nil }
        return different("money", real.sorted(), naive.sorted())
    }

    /// What the server API shows of a customer's subscriptions.
    private mutating func statuses(
        _ player: Player, _ name: Account.Name, _ customer: Int64, always: Bool
    ) async throws -> [String]? {
        let store = player.naive
        let naive =
            store.lives.filter { $0.account == name }.map { life in
                store.standing(of: life).line + store.showing(of: life).line
            }
            + store.shares.filter { $0.member == name }.compactMap { share in
                store.standing(of: share).map { $0.line + store.showing(of: share).line }
            }
        guard always || shown[name] ?? [] != naive, !naive.isEmpty else { return nil }
        shown[name] = naive
        let some = try await Books.anyTransaction(of: customer, in: player.database)
        guard let some else { return ["\(name.line) has no transaction"] }
        let caller = Caller(bundleID: OpenWorld.bundleID, environment: name.environment)
        let response = try await player.store.statuses(
            anyTransaction: some, [], for: caller)
        let real = try response.data.flatMap(\.lastTransactions).map { item in
            try Standing(
                item.status, JWSText.decode(item.signedRenewalInfo)
            ).line + Showing(JWSText.decode(item.signedTransactionInfo)).line
        }
        guard real.sorted() != naive.sorted() else { return nil }
        return different("the server API shows of \(name.line)", real.sorted(), naive.sorted())
    }

    /// What devices may unlock.
    private func access(_ player: Player) async throws -> [String]? {
        for (name, device) in player.devices where !name.isInCrowd {
            let real = Set(try await player.store.entitlements(for: device).map(\.productID))
            let naive = player.naive.access(name)
            if real != naive {
                return different("\(name.line) may use", real.sorted(), naive.sorted())
            }
        }
        return nil
    }

    /// Every transaction with its price and period.
    private func receipts(_ player: Player) async throws -> [String]? {
        let transactions = try await Books.transactions(in: player.database)
        let real = try transactions.map { one in
            receipt(
                names[one.customer]?.line ?? "?", one.product, one.purchased, one.expires,
                "\(one.price) \(one.currency)" + (one.source == nil ? "" : " from another")
                    + (try LineTexts.of(one)), one.isUpgraded, one.refunded, one.token)
        }
        let naive = player.naive.receipts.map { one in
            receipt(
                one.account.line, one.product, Int64(one.purchased), one.until.map(Int64.init),
                "\(one.price) \(one.currency)" + LineTexts.of(one), one.isUpgraded,
                Int64(one.returned), one.token)
        }
        let shared = player.naive.handedOn.map { one in
            receipt(
                one.member.line, one.product, Int64(one.purchased), one.until.map(Int64.init),
                "0 \(one.currency) from another", one.isUpgraded, 0, nil)
        }
        if real.sorted() != (naive + shared).sorted() {
            return different("transactions", real.sorted(), (naive + shared).sorted())
        }
        return nil
    }

    private func receipt(
        _ name: String, _ product: String, _ purchased: Int64, _ until: Int64?, _ price: String,
        _ isUpgraded: Bool, _ returned: Int64, _ token: String?
    ) -> String {
        "\(name) \(product) \(NaiveCalendar.text(Int(purchased))) to "
            + (until.map { NaiveCalendar.text(Int($0)) } ?? "ever") + " for \(price)"
            + (isUpgraded ? " upgraded" : "") + (returned > 0 ? " \(returned) back" : "")
            + (token.map { " as \($0)" } ?? "")
    }

    private func different(_ what: String, _ real: [String], _ naive: [String]) -> [String] {
        Comparison.different(what, real, naive)
    }

    /// Only what differs, since lists are long.
    static func different(_ what: String, _ real: [String], _ naive: [String]) -> [String] {
        ["\(what), in the store:"] + only(real, without: naive) + ["expected:"]
            + only(naive, without: real)
    }

    private static func only(_ some: [String], without others: [String]) -> [String] {
        var others = others
        var left: [String] = []
        for line in some {
            if let index = others.firstIndex(of: line) {
                others.remove(at: index)
            } else {
                left.append("  " + line)
            }
        }
        return left.isEmpty ? ["  nothing else"] : left
    }
}
