import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules

/// The transaction that a server names.
struct TransactionArgument: ParsableArguments {
    @Argument(
        help: """
            Any transaction of the subscription by its identifier, or the account that has only \
            one subscription.
            """, transform: Reading.account)
    var subscription: String
}

/// Requests that a server sends about a whole subscription.
extension AdvancedCommerceCommand {
    /// Turns renewal off.
    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Turn the renewal of a subscription off, as a server.",
            discussion: """
                Access lasts to the end of the period.

                  perennial ac cancel anna
                  perennial ac cancel 400000000000005 --explain
                """)

        @OptionGroup var target: TransactionArgument

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            guard request.file != nil else { return }
            try request.check(isDescribed: false, example: "")
        }

        func run() async throws {
            let call = try await ServerCall.about(
                target.subscription, .cancel, request, store, which)
            try await call.carryOut(
                request.text {
                    RequestText(
                        AdvancedCommerceSubscriptionCancelRequest(
                            requestInfo: request.info, storefront: call.storefront?.code))
                }, "renewal is turned off")
        }
    }

    /// Renames.
    struct ChangeMetadata: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change-metadata",
            abstract: "Rename a subscription and its items, as a server.",
            discussion: """
                An item is CURRENT:SKU:NAME:DESCRIPTION; an empty part stays as it is. Neither \
                price nor service changes.

                  perennial ac change-metadata anna --name "The daily paper"
                  perennial ac change-metadata anna --item "news:daily:The daily:" --effective next
                """)

        @OptionGroup var target: TransactionArgument

        @OptionGroup var items: ItemOptions

        @OptionGroup var words: WordOptions

        @Option(help: "When the names change.")
        var effective = EffectiveWord.now

        @OptionGroup var tax: TaxOption

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            try request.check(
                isDescribed: !items.isEmpty || words.areSaid || tax.taxCode != nil,
                example: #"--name "The daily paper""#)
        }

        func run() async throws {
            let call = try await ServerCall.about(
                target.subscription, .changeMetadata, request, store, which)
            try await call.carryOut(
                request.text {
                    RequestText(
                        AdvancedCommerceSubscriptionChangeMetadataRequest(
                            requestInfo: request.info,
                            descriptors: words.areSaid
                                ? AdvancedCommerceSubscriptionChangeMetadataDescriptors(
                                    effective: effective.wire, displayName: words.name,
                                    description: words.description) : nil,
                            items: items.isEmpty
                                ? nil
                                : try items.item.map {
                                    try RequestPieces.metadataItem($0, effective.wire)
                                },
                            storefront: call.storefront?.code, taxCode: tax.taxCode))
                }, "renamed")
        }
    }

    /// Changes prices.
    struct ChangePrice: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change-price",
            abstract: "Change prices of items from a later renewal, as a server.",
            discussion: """
                From the first renewal on that is a day away. `perennial app set \
                --price-change-route` says who tells the customers: the store, which asks where \
                consent is needed, or you. An item is SKU:PRICE, the price as it is said; behind it \
                may stand the items that end with it without consent.

                  perennial ac change-price anna --item news:10.99
                  perennial ac change-price anna --item news:19.99:chess --item sport:1.99 --explain
                """)

        @OptionGroup var target: TransactionArgument

        @OptionGroup var items: ItemOptions

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            try request.check(isDescribed: !items.isEmpty, example: "--item news:10.99")
        }

        func run() async throws {
            let call = try await ServerCall.about(
                target.subscription, .changePrice, request, store, which)
            try await call.carryOut(
                request.text {
                    let pieces = RequestPieces(currency: try call.currency())
                    return RequestText(
                        AdvancedCommerceSubscriptionPriceChangeRequest(
                            requestInfo: request.info, currency: pieces.currency.code,
                            storefront: call.storefront?.code,
                            items: try items.item.map(pieces.priceItem)))
                }, "prices are changed")
        }
    }

    /// Moves an ordinary subscription.
    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Move an ordinary subscription to Advanced Commerce, as a server.",
            discussion: """
                An item is SKU:NAME:DESCRIPTION; the price stays what it was.

                  perennial ac migrate anna --name "The paper" --description "News and more" \\
                      --item "news:News:All the news"
                """)

        @OptionGroup var target: TransactionArgument

        @OptionGroup var items: ItemOptions

        @Option(
            help: ArgumentHelp(
                "An item from the next renewal on, where another plan waits for it.",
                valueName: "item"))
        var renewalItem: [String] = []

        @OptionGroup var words: WordOptions

        @Option(
            help: ArgumentHelp(
                "The product that stands for it then. (default: the only one that does)",
                valueName: "id"))
        var to: String?

        @OptionGroup var tax: TaxOption

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            let isDescribed =
                !items.isEmpty || !renewalItem.isEmpty || words.areSaid || to != nil
            try request.check(
                isDescribed: isDescribed, example: #"--item "news:News:All the news""#)
            guard request.file != nil || !items.isEmpty && words.areComplete else {
                throw ValidationError(
                    "What is moved has at least one --item, a --name and a --description then.")
            }
        }

        func run() async throws {
            let call = try await ServerCall.about(
                target.subscription, .migrate, request, store, which)
            var product = to ?? ""
            if to == nil, request.file == nil {
                product = try await call.client.genericProduct(
                    nil, .autoRenewableSubscription, of: call.app)
            }
            let form = "SKU:NAME:DESCRIPTION"
            try await call.carryOut(
                request.text {
                    let items = try items.item.map { try RequestPieces.parts($0, 3...3, form) }
                    let later = try renewalItem.map { try RequestPieces.parts($0, 3...3, form) }
                    return RequestText(
                        AdvancedCommerceSubscriptionMigrateRequest(
                            requestInfo: request.info,
                            descriptors: words.descriptors,
                            items: items.map {
                                .init(sku: $0[0], displayName: $0[1], description: $0[2])
                            },
                            renewalItems: later.isEmpty
                                ? nil
                                : later.map {
                                    .init(sku: $0[0], displayName: $0[1], description: $0[2])
                                },
                            storefront: call.storefront?.code, targetProductId: product,
                            taxCode: tax.ofSubscription))
                }, "moved to Advanced Commerce")
        }
    }
}

extension RequestOptions {
    /// The request of the file, or the one that is made of options.
    func text(_ described: () throws -> RequestText) throws -> RequestText {
        guard let file else { return try described() }
        return try RequestText(file: file, requestID: requestID)
    }
}

extension ServerCall {
    /// A call about a subscription.
    ///
    /// - Parameters:
    ///   - name: an account, or any transaction's identifier.
    ///   - exactly: whether it is about one transaction: of an account the newest is meant.
    static func about(
        _ name: String, exactly: Bool = false, _ endpoint: AdvancedCommerceEndpoint,
        _ options: RequestOptions, _ store: StoreOptions, _ which: AppOption
    ) async throws -> ServerCall {
        let client = try store.client(of: which)
        var (id, known) = try await client.merchantSubscription(
            name, isMerchants: endpoint != .migrate)
        if exactly, id != name, let newest = known?.optionalText("transactionId") { id = newest }
        if known == nil {
            // What was bought once has a bill all the same.
            known = try await unless(refused: "unknownBill") { try await client.bill(id) }
        }
        var app = known?.optionalText("bundleId")
        if app == nil { app = try await client.app() }
        return ServerCall(
            endpoint: endpoint,
            client: client.naming([
                .transaction: id, .account: known?.optionalText("account"),
                .subscription: known?.optionalText("originalTransactionId"),
            ]), app: app ?? "", transaction: id, storefront: known?.place, options: options,
            store: store, which: which)
    }

    /// The currency that prices are typed in.
    func currency() throws -> Currency {
        guard let storefront else {
            throw Failure.refused(
                "The store knows no transaction \(transaction), and so no currency for the "
                    + "prices; `perennial customer list` lists the accounts that there are.")
        }
        return storefront.currency
    }
}
