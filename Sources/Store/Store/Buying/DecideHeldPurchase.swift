import AppStoreWire
import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Lets a purchase happen that waited: it is made at this moment, at today's price, and with
    /// everything that an ordinary purchase is refused for. Its transaction comes up among the
    /// unfinished ones.
    ///
    /// - Parameter device: of the customer, who settles only what interrupted a purchase; nil for
    ///   the operator.
    /// - Throws: `StoreError.unknown(.purchaseRequest)`, `.purchase(.requestClosed)`,
    ///   `.purchase(.needsApproval)` for a customer who cannot approve it,
    ///   `.setting(.sandboxCannotApprove)`.
    @discardableResult
    public func approve(
        heldPurchase id: Int64, by device: DeviceSession? = nil, in environment: StoreEnvironment
    ) async throws -> HeldPurchaseEntry {
        let bill = try await write(about: .heldPurchase(id)) { work in
            var held = try work.held(id, in: environment, device)
            if held.reason == .askToBuy {
                guard device == nil else { throw StoreError.purchase(.needsApproval(id)) }
                let settings = try work.apps[held.app].settings
                guard environment == .production || settings.sandboxApprovesPurchases else {
                    throw StoreError.setting(.sandboxCannotApprove)
                }
            }
            let pending = try work.carryOut(&held)
            (held.state, held.lapses, held.decided) = (.approved, nil, work.now)
            try held.save(in: work.session)
            work.record(.approvedPurchase, about: held) { entry in
                guard let obstacle = held.obstacle else { return }
                entry.event.detail.note = "request \(held.id), \(obstacle.rawValue)"
            }
            return pending
        }
        if let bill, bank != nil { await listen(for: bill) }
        return try await heldPurchase(id, in: environment)
    }

    /// Declines a purchase that waits; nothing is bought.
    ///
    /// - Throws: `StoreError.unknown(.purchaseRequest)`, `.purchase(.requestClosed)`.
    @discardableResult
    public func decline(
        heldPurchase id: Int64, in environment: StoreEnvironment
    ) async throws -> HeldPurchaseEntry {
        try await write(about: .heldPurchase(id)) { work in
            var held = try work.held(id, in: environment, nil)
            (held.state, held.lapses, held.decided) = (.declined, nil, work.now)
            try held.save(in: work.session)
            work.record(.declinedPurchase, about: held)
        }
        return try await heldPurchase(id, in: environment)
    }
}

extension UnitOfWork {
    /// A purchase that waits, after everything that is due by now for its customer.
    fileprivate func held(
        _ id: Int64, in environment: StoreEnvironment, _ device: DeviceSession?
    ) throws -> HeldPurchase {
        func find() throws -> HeldPurchase {
            guard let held = try HeldPurchase.find(id, in: session),
                held.environment == environment,
                device.map({ $0.customer == held.customer && $0.app == held.app }) ?? true
            else { throw StoreError.unknown(.purchaseRequest, String(id)) }
            return held
        }
        try catchUp(customer: try find().customer)
        let held = try find()
        guard held.state == .waiting else {
            throw StoreError.purchase(.requestClosed(id, held.state))
        }
        return held
    }

    /// Makes the purchase, or notes why there is none.
    ///
    /// - Returns: the bill that the bank has not answered.
    fileprivate func carryOut(_ held: inout HeldPurchase) throws -> Int64? {
        do {
            let copy = held
            switch try unlessDeclined({ try make(copy) }) ?? .declined {
            case .bought(let transaction, _):
                held.bill = transaction.id
            case .pending(let bill):
                held.bill = bill
                return bill
            case .waitsForRenewal, .held:
                break
            case .declined:
                held.obstacle = .paymentDeclined
            }
        } catch let error as StoreError {
            guard let obstacle = HeldPurchase.Obstacle(error) else { throw error }
            held.obstacle = obstacle
        }
        return nil
    }

    private func make(_ held: HeldPurchase) throws -> Sale {
        let device = DeviceSession(
            environment: held.environment, customer: held.customer, app: held.app,
            device: "approval", id: nil)
        guard let id = held.subscription else {
            var request = PurchaseRequest(
                productID: held.productID, billing: held.billing, lines: held.lines,
                offer: held.offer, quantity: held.quantity,
                appAccountToken: held.appAccountToken)
            // Approved, its signature is asked for no more.
            request.advancedCommerce = held.advancedCommerce.map {
                SignedInAppRequest(nonce: "", $0)
            }
            return try PurchaseWork(
                work: self, device: device, request: request, isApproved: true
            ).run()
        }
        let one = try load(id)
        guard one.customer.canMakePayments else {
            throw StoreError.purchase(.paymentsNotAllowed)
        }
        guard !one.record.subscription.isOver else { throw StoreError.refused(.notActive) }
        try one.choose(try one.plan(of: held.productID, held.billing))
        return one.sale
    }
}

extension HeldPurchase.Obstacle {
    /// What stands in the way of a purchase that was approved; nil for what no approval can meet.
    fileprivate init?(_ error: StoreError) {
        switch error {
        // Elsewhere a line may cost what is no amount there.
        case .purchase(.notForSale), .purchase(.notBilledMonthly), .setting(.invalid("lines", _)):
            self = .notForSale
        case .advancedCommerce(let error):
            // Else what was described fits the customer's storefront no more, or is not sold there.
            typealias Errors = APIError.AdvancedCommerce
            let had = [Errors.subscriptionAlreadyActive, Errors.productAlreadyExists].map(\.code)
            self = had.contains(error.code) ? .alreadySubscribed : .notForSale
        case .purchase(.paymentDeclined): self = .paymentDeclined
        case .purchase(.paymentsNotAllowed): self = .paymentsNotAllowed
        case .refused(.alreadySubscribed): self = .alreadySubscribed
        case .refused(.notActive): self = .notActive
        case .refused(.paymentPending): self = .paymentPending
        case .subscription(.wrongGroup): self = .wrongGroup
        case .purchase(.offer), .offerCode: self = .ineligibleForOffer
        default: return nil
        }
    }
}
