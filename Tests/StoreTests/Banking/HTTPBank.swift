import FoundationEssentials
import Store
import SubscriptionRules
import TestFloor
import TestSupport

/// What a store asks a `FakeBank` by: the shape of an adapter to a real one.
struct HTTPBank: Bank {
    let port: Int
    var traits = BankTraits()
    /// The least that it collects, in milliunits.
    var least: Int64 = 0

    func canCollect(_ amount: Money) -> Bool { amount.milliunits >= least }

    func create(_ order: PaymentOrder) async -> PaymentReport? {
        let payment = FakeBank.Payment(
            amount: order.amount.milliunits, currency: order.amount.currency.code,
            method: order.method, present: order.isPresent, status: "")
        return report(await ask("POST /payments/\(order.bill)", payment))
    }

    func lookUp(bill: Int64) async -> PaymentReport? {
        report(await ask("GET /payments/\(bill)"))
    }

    func void(bill: Int64) async -> PaymentReport? {
        report(await ask("POST /payments/\(bill)/void"))
    }

    func refund(_ order: RefundOrder) async -> RefundReport? {
        let refund = FakeBank.Refund(
            payment: order.bill, amount: order.amount.milliunits,
            currency: order.amount.currency.code, status: "")
        return refundReport(await ask("POST /refunds/\(order.id)", refund))
    }

    func lookUpRefund(_ id: Int64) async -> RefundReport? {
        refundReport(await ask("GET /refunds/\(id)"))
    }

    func receive(
        _ body: [UInt8], headers: [(name: String, value: String)]
    ) async throws(BankMessageRefused) -> [BankReference] {
        guard headers.contains(where: { $0 == ("signature", FakeBank.secret) }) else {
            throw BankMessageRefused()
        }
        return HTTPBank.reference(String(decoding: body, as: UTF8.self)).map { [$0] } ?? []
    }

    func changes(since cursor: String?) async -> BankChanges? {
        guard let (status, body) = await ask("GET /changes/\(cursor ?? "0")"), status == 200,
            let changes = try? JSONDecoder().decode(FakeChanges.self, from: body)
        else { return nil }
        return BankChanges(changes.names.compactMap(HTTPBank.reference), cursor: changes.cursor)
    }

    private static func reference(_ name: String) -> BankReference? {
        guard let id = Int64(name.dropFirst()) else { return nil }
        return name.hasPrefix("p") ? .bill(id) : .refund(id)
    }

    private func report(_ answer: (status: Int, body: Data)?) -> PaymentReport? {
        switch answer?.status {
        case 200?: break
        case 404?: return .notKnown
        case 400?: return .unclear("that the key is another request's")
        default: return nil
        }
        guard let body = answer?.body,
            let payment = try? JSONDecoder().decode(FakeBank.Payment.self, from: body),
            let currency = Currency(code: payment.currency)
        else { return .unclear("nothing that can be read") }
        let money = Money(milliunits: payment.amount, currency)
        switch payment.status {
        case "paid": return .paid(money)
        case "declined":
            let reason = payment.reason.flatMap(DeclineClass.init(rawValue:))
            return .declined(reason ?? .soft, code: payment.reason ?? "unknown")
        case "pending": return .pending
        case "voided": return .voided
        case "reversed": return .reversed(money)
        case "restored": return .restored(money)
        default: return .unclear("\(payment.status), which nobody knows")
        }
    }

    private func refundReport(_ answer: (status: Int, body: Data)?) -> RefundReport? {
        guard let answer else { return nil }
        guard answer.status == 200 else { return answer.status == 404 ? .notKnown : nil }
        let refund = try? JSONDecoder().decode(FakeBank.Refund.self, from: answer.body)
        switch refund?.status {
        case "accepted": return .accepted
        case "done": return .done
        case "failed": return .failed("no such card")
        default: return .unclear("nothing that can be read")
        }
    }

    private func ask(
        _ line: String, _ body: (any Encodable)? = nil
    ) async -> (status: Int, body: Data)? {
        let json = body.flatMap { try? JSONEncoder().encode($0) }.map { Array($0) } ?? []
        let head = "\(line) HTTP/1.1\r\nHost: bank\r\nContent-Length: \(json.count)\r\n\r\n"
        let answer = try? await RawClient.send(Array(head.utf8) + json, toPort: port)
        guard let answer, let status = answer.statuses.first,
            let end = answer.text.firstRange(of: "\r\n\r\n")?.upperBound
        else { return nil }
        return (status, Data(answer.text[end...].utf8))
    }
}
