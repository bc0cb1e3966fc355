import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Requests that are signed, and begin something new.
extension AdvancedCommerceCommand {
    /// Charges once.
    struct CreateOneTimeCharge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create-one-time-charge",
            abstract: "Sign and buy a one-time charge.",
            discussion: """
                An item is SKU:NAME:DESCRIPTION:PRICE, the price as it is said, in the customer's \
                currency: 24.99 is 24 dollars and 99 cents, 300 in a currency without decimals \
                300 yen.

                  perennial ac create-one-time-charge --account anna \\
                      --item "lesson:A lesson:One hour:24.99"
                  perennial ac create-one-time-charge --account anna --file charge.json --explain
                  perennial ac create-one-time-charge --account anna --file - --print
                """)

        @OptionGroup var buyer: BuyerOption

        @Option(
            help: ArgumentHelp("The item to buy: SKU:NAME:DESCRIPTION:PRICE.", valueName: "item"))
        var item: String?

        @OptionGroup var tax: TaxOption

        @OptionGroup var product: GenericProductOptions

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            try request.check(
                isDescribed: item != nil, example: #"--item "lesson:A lesson:One hour:24.99""#)
        }

        func run() async throws {
            let purchase = try await product.purchase(
                .createOneTimeCharge, .consumable, by: buyer.account, request, store, which)
            try await purchase.carryOut(text(at: purchase.storefront)) { answer, style in
                try await purchase.words(answer, style)
            }
        }

        private func text(at place: Storefront?) throws -> RequestText {
            guard let item, let place else {
                return try RequestText(
                    file: request.file ?? "-",
                    filling: [
                        "operation": AdvancedCommerceOneTimeChargeCreateRequest.operation,
                        "version": "1",
                    ], requestID: request.requestID)
            }
            let pieces = RequestPieces(currency: place.currency)
            return RequestText(
                AdvancedCommerceOneTimeChargeCreateRequest(
                    requestInfo: request.info, currency: place.currency.code,
                    taxCode: tax.ofCharge, storefront: place.code, item: try pieces.chargeItem(item)
                ))
        }
    }

    /// Begins a subscription.
    struct CreateSubscription: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create-subscription",
            abstract: "Sign and buy a subscription of one or more items.",
            discussion: """
                An item is SKU:NAME:DESCRIPTION:PRICE, and :OFFER behind it where it has one: \
                REASON,PERIOD,COUNT,PRICE, such as acquisition,P1M,3,0.99. Prices are as they are \
                said, in the customer's currency. --previous begins one again that is over.

                  perennial ac create-subscription --account anna --name "The paper" \\
                      --description "News and more" --item "news:News:All the news:9.99" \\
                      --item "chess:Chess:A game a day:2.99:acquisition,P1M,1,0.99"
                  perennial ac create-subscription --account anna --file bundle.json --explain
                """)

        @OptionGroup var buyer: BuyerOption

        @OptionGroup var items: ItemOptions

        @OptionGroup var words: WordOptions

        @Option(
            help: ArgumentHelp("How long a period is, P1W to P1Y.", valueName: "period"))
        var period = "P1M"

        @OptionGroup var tax: TaxOption

        @Option(
            help: ArgumentHelp(
                "A transaction of the earlier subscription.", valueName: "id"))
        var previous: String?

        @OptionGroup var product: GenericProductOptions

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            let isDescribed =
                !items.isEmpty || words.areSaid || previous != nil
            try request.check(
                isDescribed: isDescribed, example: #"--item "news:News:All the news:9.99""#)
            guard request.file != nil || !items.isEmpty && words.areComplete else {
                throw ValidationError(
                    "A subscription has at least one --item, a --name and a --description.")
            }
        }

        func run() async throws {
            let purchase = try await product.purchase(
                .createSubscription, .autoRenewableSubscription, by: buyer.account, request, store,
                which)
            try await purchase.carryOut(text(at: purchase.storefront)) { answer, style in
                try await purchase.words(answer, style)
            }
        }

        private func text(at place: Storefront?) throws -> RequestText {
            guard request.file == nil, let place else {
                return try RequestText(
                    file: request.file ?? "-",
                    filling: [
                        "operation": AdvancedCommerceSubscriptionCreateRequest.operation,
                        "version": "1",
                    ], requestID: request.requestID)
            }
            let pieces = RequestPieces(currency: place.currency)
            return RequestText(
                AdvancedCommerceSubscriptionCreateRequest(
                    requestInfo: request.info, currency: place.currency.code,
                    taxCode: tax.ofSubscription, descriptors: words.descriptors,
                    period: AdvancedCommercePeriod(rawValue: period),
                    previousTransactionId: previous, storefront: place.code,
                    items: try items.item.map(pieces.createItem)))
        }
    }
}

/// Which product stands for what is bought, and where a new customer is at home.
struct GenericProductOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The product that stands for it. (default: the only one that does)",
            valueName: "id"))
    var product: String?

    @Option(
        help: ArgumentHelp(
            "Where a new customer is at home, such as USA. (default: the app's own storefront)",
            valueName: "code"),
        transform: Reading.storefront)
    var storefront: String?

    fileprivate func purchase(
        _ kind: RequestKind, _ type: ProductType, by account: String, _ options: RequestOptions,
        _ store: StoreOptions, _ which: AppOption
    ) async throws -> SignedPurchase {
        let client = try store.client(of: which).naming([.account: account, .product: product])
        let app = try await client.app(selling: product)
        try await client.checkHome(of: account, storefront)
        return SignedPurchase(
            kind: kind, client: client, app: app,
            product: try await client.genericProduct(product, type, of: app), account: account,
            newHome: storefront,
            storefront: try await client.home(of: account, storefront, in: app), options: options,
            store: store, which: which)
    }
}

extension SignedPurchase {
    /// What was bought, and how the subscription stands where something waits.
    func words(_ answer: Answer, _ style: Style) async throws -> [String] {
        var bill: Answer?
        if let id = answer.optionalText("billId") { bill = try await client.bill(id) }
        if let request = try await client.request(of: answer) {
            return try PurchaseRequests.words(request)
        }
        return try BuyCommand.words(answer, account, product, pending: bill, style)
            + MerchantItems.lines(answer, style)
    }
}
