import FoundationEssentials
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport

/// A bank behind HTTP that goes wrong as it is told. It keeps its own books, by key.
final class FakeBank: Sendable {
    /// What goes wrong with one request.
    enum Mishap: CaseIterable {
        case nothing
        /// Nothing arrives.
        case losesRequest
        /// It worked, and nobody hears of it.
        case losesReply
        /// It worked, and says that it did not.
        case failsAfterwards
        /// The same request is still being worked on.
        case isBusy
        /// It is too many requests.
        case isLimited
    }

    /// What the bank makes of a payment.
    enum Verdict: Hashable {
        case paid
        case declined(DeclineClass)
        case pending
        /// It collects another amount.
        case paidOtherwise(Int64)
        /// It says a word that nobody knows.
        case odd
    }

    /// A payment as the bank keeps it; it is also what a client is told.
    struct Payment: Codable, Hashable {
        var amount: Int64
        let currency: String
        let method: String
        let present: Bool
        var status: String
        var reason: String?
    }

    struct Refund: Codable, Hashable {
        let payment: Int64
        let amount: Int64
        let currency: String
        var status: String
    }

    fileprivate struct State {
        var payments: [Int64: Payment] = [:]
        var refunds: [Int64: Refund] = [:]
        /// How much of each payment is with the bank's customer, the store.
        var money: [Int64: Int64] = [:]
        var collected: [Int64: Int] = [:]
        var mishaps: [Mishap] = []
        var verdicts: [Verdict] = []
        var verdict = Verdict.paid
        var refundStatus = "done"
        var refusesVoids = false
        var changes: [String] = []
        var listsChanges = false
    }

    private let state = Mutex(State())
    private let server = Mutex<RawServer?>(nil)
    static let secret = "whsec_1"

    init() throws {
        let server = try RawServer(replying: { [weak self] request in
            RawServer.Reply(self?.reply(to: request) ?? [])
        })
        self.server.withLock { $0 = server }
    }

    /// What the store is given to ask it.
    var client: HTTPBank {
        let url = server.withLock { $0?.url ?? "" }
        return HTTPBank(port: url.split(separator: ":").last.flatMap { Int($0) } ?? 0)
    }

    func close() { server.withLock { $0?.close() } }

    // MARK: Switches

    /// What goes wrong with the next requests, one after the other.
    func goWrong(_ mishaps: Mishap...) { state.withLock { $0.mishaps += mishaps } }

    func goWrong(_ mishaps: [Mishap]) { state.withLock { $0.mishaps = mishaps } }

    /// What it makes of the next payments; of all others what `always` says.
    func decide(_ verdicts: Verdict..., always: Verdict = .paid) {
        state.withLock { ($0.verdicts, $0.verdict) = (verdicts, always) }
    }

    /// What becomes of refunds: `accepted`, `done` or `failed`.
    func refund(_ status: String) { state.withLock { $0.refundStatus = status } }

    func refuseVoids(_ refuses: Bool) { state.withLock { $0.refusesVoids = refuses } }

    /// Whether it has a list of changes.
    func listChanges(_ lists: Bool) { state.withLock { $0.listsChanges = lists } }

    // MARK: What happens at the bank

    /// Pays or declines what is pending, or pays what was declined.
    func answer(_ bill: Int64, _ status: String) {
        state.withLock { state in
            guard let payment = state.payments[bill] else { return }
            let isOpen = payment.status == "pending" || payment.status == "declined"
            guard isOpen else { return }
            state.set(bill, status)
        }
    }

    /// Takes a payment back, as by a dispute.
    func reverse(_ bill: Int64) {
        state.withLock { state in
            guard ["paid", "restored"].contains(state.payments[bill]?.status) else { return }
            // What was given back is not taken back besides.
            guard state.money[bill] == state.payments[bill]?.amount else { return }
            state.set(bill, "reversed")
        }
    }

    /// Gives it again.
    func restore(_ bill: Int64) {
        state.withLock { state in
            guard state.payments[bill]?.status == "reversed" else { return }
            state.set(bill, "restored")
        }
    }

    /// Ends a refund that was accepted, or fails one that was done.
    func end(refund id: Int64, _ status: String) {
        state.withLock { state in
            guard let refund = state.refunds[id], refund.status != status,
                refund.status != "failed"
            else { return }
            if status == "failed" { state.money[refund.payment, default: 0] += refund.amount }
            state.refunds[id]?.status = status
            state.changes.append("r\(id)")
        }
    }

    // MARK: Its books

    var payments: [Int64: Payment] { state.withLock { $0.payments } }
    var refunds: [Int64: Refund] { state.withLock { $0.refunds } }
    /// What of each payment is the store's, in milliunits.
    var money: [Int64: Int64] { state.withLock { $0.money.filter { $0.value != 0 } } }
    /// How often it collected each payment.
    var collected: [Int64: Int] { state.withLock { $0.collected } }
    /// What was asked of it, in order.
    var requests: [String] {
        server.withLock { $0?.requests ?? [] }.map {
            $0.line.replacing(" HTTP/1.1", with: "")
        }
    }

    // MARK: Answering

    private func reply(to request: RawServer.Request) -> [UInt8] {
        let words = request.line.split(separator: " ")
        guard words.count == 3 else { return [] }
        return state.withLock { state in
            let isQuestion = words[0] == "GET"
            let isAboutMoney = !words[1].hasPrefix("/changes")
            let mishap =
                isAboutMoney && !state.mishaps.isEmpty ? state.mishaps.removeFirst() : .nothing
            switch mishap {
            case .losesRequest: return []
            case .isBusy: return FakeBank.text(409)
            case .isLimited: return FakeBank.text(429)
            case .losesReply, .failsAfterwards, .nothing: break
            }
            let path = words[1].split(separator: "/").map(String.init)
            let reply =
                isQuestion
                ? state.lookUp(path) : state.work(path, Array(request.body.utf8))
            switch mishap {
            case .losesReply: return []
            case .failsAfterwards: return FakeBank.text(500)
            default: return reply
            }
        }
    }

    fileprivate static func text(_ status: Int, _ body: some Encodable = "") -> [UInt8] {
        let json = (try? JSONEncoder().encode(body)).map { Array($0) } ?? []
        let head = "HTTP/1.1 \(status) Whatever\r\nContent-Length: \(json.count)\r\n\r\n"
        return Array(head.utf8) + json
    }
}

/// What a list of changes is made of.
struct FakeChanges: Codable {
    let names: [String]
    let cursor: String
}

extension FakeBank.State {
    fileprivate mutating func set(_ bill: Int64, _ status: String) {
        payments[bill]?.status = status
        changes.append("p\(bill)")
        guard let amount = payments[bill]?.amount else { return }
        switch status {
        case "paid":
            money[bill, default: 0] += amount
            collected[bill, default: 0] += 1
        case "reversed": money[bill, default: 0] -= amount
        case "restored": money[bill, default: 0] += amount
        default: break
        }
    }

    fileprivate func lookUp(_ path: [String]) -> [UInt8] {
        guard path.count >= 2 else { return FakeBank.text(404) }
        let id = Int64(path[1]) ?? 0
        switch path[0] {
        case "payments": return payments[id].map { FakeBank.text(200, $0) } ?? FakeBank.text(404)
        case "refunds": return refunds[id].map { FakeBank.text(200, $0) } ?? FakeBank.text(404)
        default:
            guard listsChanges else { return FakeBank.text(404) }
            let rest = changes.dropFirst(Int(id)).prefix(3)
            return FakeBank.text(
                200, FakeChanges(names: Array(rest), cursor: "\(Int(id) + rest.count)"))
        }
    }

    fileprivate mutating func work(_ path: [String], _ body: [UInt8]) -> [UInt8] {
        guard path.count >= 2, let id = Int64(path[1]) else { return FakeBank.text(404) }
        if path.last == "void" { return void(id) }
        return path[0] == "payments" ? collect(id, body) : giveBack(id, body)
    }

    private mutating func collect(_ id: Int64, _ body: [UInt8]) -> [UInt8] {
        guard var order = try? JSONDecoder().decode(FakeBank.Payment.self, from: Data(body))
        else { return FakeBank.text(400) }
        if let known = payments[id] {
            let isSame = known.method == order.method && known.present == order.present
            return isSame ? FakeBank.text(200, known) : FakeBank.text(400)
        }
        order.status = "pending"
        let verdict = verdicts.isEmpty ? verdict : verdicts.removeFirst()
        if case .paidOtherwise(let amount) = verdict { order.amount = amount }
        if case .declined(let reason) = verdict { order.reason = reason.rawValue }
        payments[id] = order
        switch verdict {
        case .paid, .paidOtherwise: set(id, "paid")
        case .declined: set(id, "declined")
        case .pending: break
        case .odd: payments[id]?.status = "odd"
        }
        return lookUp(["payments", "\(id)"])
    }

    private mutating func void(_ id: Int64) -> [UInt8] {
        guard let payment = payments[id] else { return FakeBank.text(404) }
        let isOpen = payment.status == "pending" || payment.status == "declined"
        if isOpen, !refusesVoids { set(id, "voided") }
        return lookUp(["payments", "\(id)"])
    }

    private mutating func giveBack(_ id: Int64, _ body: [UInt8]) -> [UInt8] {
        guard var order = try? JSONDecoder().decode(FakeBank.Refund.self, from: Data(body)) else {
            return FakeBank.text(400)
        }
        if refunds[id] == nil {
            let isThere = money[order.payment, default: 0] >= order.amount
            order.status = isThere ? refundStatus : "failed"
            refunds[id] = order
            if order.status != "failed" { money[order.payment, default: 0] -= order.amount }
            changes.append("r\(id)")
        }
        return lookUp(["refunds", "\(id)"])
    }
}
