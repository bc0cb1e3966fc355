import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Requests that are signed, and change a subscription that there is.
extension AdvancedCommerceCommand {
    /// Changes what a subscription holds.
    struct ModifySubscription: AsyncParsableCommand {
        /// What becomes of the billing cycle.
        enum Cycle: String, ExpressibleByArgument, CaseIterable {
            case keep, new
        }

        static let configuration = CommandConfiguration(
            commandName: "modify-subscription",
            abstract: "Sign and buy a change: add, change or remove items, or change the period.",
            discussion: """
                An added item is charged at once. If the billing cycle stays, write prorated,PRICE \
                behind the item: the price of the rest of the cycle. Else it is charged for a new \
                period. A \
                removed item ends at the next renewal. Behind an item there can be an offer, \
                REASON,PERIOD,COUNT,PRICE. A change is CURRENT:SKU:NAME:DESCRIPTION:PRICE, why \
                (upgrade, downgrade, apply-offer) and when (now, next).

                  perennial ac modify-subscription anna \\
                      --add "sport:Sport:Live results:4.99:prorated,2.50"
                  perennial ac modify-subscription anna \\
                      --change "news:plus:News plus:All of it:14.99:upgrade:now" --billing-cycle new
                  perennial ac modify-subscription anna --remove chess --explain
                  perennial ac modify-subscription anna --file change.json
                """)

        @OptionGroup var target: SubscriptionArgument

        @Option(
            help: ArgumentHelp(
                "An item that is added: SKU:NAME:DESCRIPTION:PRICE[:EXTRA]; repeat it for "
                    + "several.", valueName: "item"))
        var add: [String] = []

        @Option(
            help: ArgumentHelp(
                "An item that takes one's place: "
                    + "CURRENT:SKU:NAME:DESCRIPTION:PRICE:REASON:WHEN[:EXTRA].",
                valueName: "item"))
        var change: [String] = []

        @Option(help: ArgumentHelp("An item to remove.", valueName: "SKU"))
        var remove: [String] = []

        @Option(help: "Keep the renewal date, or begin a new period.")
        var billingCycle = Cycle.keep

        @Option(help: ArgumentHelp("The new length of the period.", valueName: "period"))
        var period: String?

        @OptionGroup var words: WordOptions

        @Option(help: "When --period, --name and --description begin.")
        var effective = EffectiveWord.next

        @OptionGroup var tax: TaxOption

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            let isDescribed =
                !add.isEmpty || !change.isEmpty || !remove.isEmpty
                || words.areSaid || period != nil || tax.taxCode != nil
            try request.check(
                isDescribed: isDescribed, example: #"--add "sport:Sport:Live results:4.99""#)
        }

        func run() async throws {
            let (purchase, id) = try await SignedPurchase.change(
                .modifySubscription, of: target.subscription, request, store, which)
            try await purchase.carryOut(text(id, at: purchase.storefront)) { answer, style in
                try await purchase.wordsOfChange(answer, id, style)
            }
        }

        private func text(_ id: String, at place: Storefront?) throws -> RequestText {
            if let file = request.file {
                return try RequestText(
                    file: file,
                    filling: [
                        "operation": AdvancedCommerceSubscriptionModifyInAppRequest.operation,
                        "version": "1", "transactionId": id,
                    ], requestID: request.requestID)
            }
            guard let place else {
                throw Failure.refused(
                    "The store knows no subscription \(id), and so no currency for the prices.")
            }
            let pieces = RequestPieces(currency: place.currency)
            return RequestText(
                AdvancedCommerceSubscriptionModifyInAppRequest(
                    transactionId: id, requestInfo: request.info, currency: place.currency.code,
                    taxCode: tax.taxCode, storefront: place.code,
                    descriptors: words.areSaid
                        ? AdvancedCommerceSubscriptionModifyDescriptors(
                            effective: effective.wire, displayName: words.name,
                            description: words.description)
                        : nil,
                    periodChange: period.map {
                        AdvancedCommerceSubscriptionModifyPeriodChange(
                            effective: effective.wire,
                            period: AdvancedCommercePeriod(rawValue: $0))
                    },
                    retainBillingCycle: billingCycle == .keep,
                    addItems: add.isEmpty ? nil : try add.map(pieces.addItem),
                    changeItems: change.isEmpty ? nil : try change.map(pieces.changeItem),
                    removeItems: remove.isEmpty
                        ? nil : remove.map(AdvancedCommerceSubscriptionModifyRemoveItem.init)))
        }
    }

    /// Turns renewal on again.
    struct ReactivateSubscription: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reactivate-subscription",
            abstract: "Sign and buy the reactivation of renewal.",
            discussion: """
                All items continue, or only the named ones.

                  perennial ac reactivate-subscription anna
                  perennial ac reactivate-subscription anna --item news --item sport
                  perennial ac reactivate-subscription anna --file reactivate.json --explain
                """)

        @OptionGroup var target: SubscriptionArgument

        @Option(
            help: ArgumentHelp(
                "An item that continues; repeat it for several. (default: all)", valueName: "SKU"))
        var item: [String] = []

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            guard request.file != nil else { return }
            try request.check(isDescribed: !item.isEmpty, example: "--item news")
        }

        func run() async throws {
            let (purchase, id) = try await SignedPurchase.change(
                .reactivateSubscription, of: target.subscription, request, store, which)
            try await purchase.carryOut(text(id, at: purchase.storefront)) { answer, style in
                try await purchase.wordsOfChange(answer, id, style)
            }
        }

        private func text(_ id: String, at place: Storefront?) throws -> RequestText {
            if let file = request.file {
                return try RequestText(
                    file: file,
                    filling: [
                        "operation": AdvancedCommerceSubscriptionReactivateInAppRequest.operation,
                        "version": "1", "transactionId": id,
                    ], requestID: request.requestID)
            }
            return RequestText(
                AdvancedCommerceSubscriptionReactivateInAppRequest(
                    transactionId: id, requestInfo: request.info,
                    items: item.isEmpty
                        ? nil : item.map(AdvancedCommerceSubscriptionReactivateItem.init),
                    storefront: place?.code))
        }
    }
}

extension SignedPurchase {
    /// A purchase that changes a subscription, by whoever has it.
    ///
    /// - Returns: it, and the number by which the subscription was meant.
    fileprivate static func change(
        _ kind: RequestKind, of name: String, _ options: RequestOptions, _ store: StoreOptions,
        _ which: AppOption
    ) async throws -> (SignedPurchase, id: String) {
        let client = try store.client(of: which)
        let (id, known) = try await client.merchantSubscription(name)
        guard let known else {
            throw Failure.refused(
                "There is no subscription \(id), and so nobody who could buy a change of it; "
                    + "`perennial customer list` lists the accounts that there are.")
        }
        let account = try known.text("account")
        let product = try known.text("productId")
        return (
            SignedPurchase(
                kind: kind, client: client.naming([.account: account, .subscription: id]),
                app: try known.text("bundleId"), product: product, account: account,
                storefront: known.place, options: options, store: store, which: which), id
        )
    }

    /// What was paid for a change, and how the subscription stands then.
    fileprivate func wordsOfChange(
        _ answer: Answer, _ id: String, _ style: Style
    ) async throws -> [String] {
        let after = try await client.merchantSubscription(id).answer
        let stands = try after.map { [try Plans.words($0)] } ?? []
        if answer.value["billId"] != nil || answer.value["requestId"] != nil {
            return try await words(answer, style)
        }
        guard let paid = answer.payload("signedTransactionInfo"),
            let price = paid["price"]?.integer, let currency = paid["currency"]?.string
        else { return stands }
        let sum = price == 0 ? "nothing" : Money.plainText(price, currency)
        return ["\(account) changed \(product): \(sum) charged now"] + stands
            + (try MerchantItems.lines(answer, style))
    }
}
