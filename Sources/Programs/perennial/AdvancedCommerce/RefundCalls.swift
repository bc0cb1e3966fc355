import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules

/// Requests of a server by which money goes back.
extension AdvancedCommerceCommand {
    /// Ends a subscription at once.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "End a subscription and request its refund, as a server.",
            discussion: """
                Turns renewal off and requests a refund of the newest payment. The service ends \
                with the REFUND notification.

                  perennial ac revoke anna --reason LEGAL
                  perennial ac revoke anna --reason UNSATISFIED_WITH_PURCHASE --type prorated
                """)

        @OptionGroup var target: TransactionArgument

        @Option(help: "Why.")
        var reason: RefundReasonWord?

        @Option(help: "All of it, or only the unused share.")
        var type = RefundTypeWord.full

        @OptionGroup var risk: RiskOption

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            try request.check(isDescribed: reason != nil, example: "--reason LEGAL")
        }

        func run() async throws {
            let call = try await ServerCall.about(
                target.subscription, .revoke, request, store, which)
            try await call.carryOut(
                request.text {
                    RequestText(
                        AdvancedCommerceSubscriptionRevokeRequest(
                            requestInfo: request.info, refundReason: (reason ?? .other).wire,
                            refundType: type.wire, refundRiskingPreference: risk.isTaken,
                            storefront: call.storefront?.code))
                }, "revoked, and its refund is asked for")
        }
    }

    /// Asks for money back, item by item.
    struct RequestRefund: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "request-refund",
            abstract: "Request a refund of items, as a server.",
            discussion: """
                Refunds exactly the named transaction, or the newest one of an account. An item is \
                SKU:full, SKU:prorated or SKU:custom:AMOUNT, the amount as it is said. The result \
                arrives as REFUND or REFUND_DECLINED.

                  perennial ac request-refund anna --item chess:prorated
                  perennial ac request-refund 400000000000009 --item news:custom:2.50 --keep \\
                      --reason FULFILLMENT_ISSUE
                """)

        @Argument(
            help: "The transaction, or the account whose newest one is meant.",
            transform: Reading.account)
        var transaction: String

        @OptionGroup var items: ItemOptions

        @Option(help: "Why, of all items; a file can have one for each.")
        var reason = RefundReasonWord.other

        @Flag(help: "Let the customer keep the items.")
        var keep = false

        @OptionGroup var risk: RiskOption

        @OptionGroup var request: RequestOptions
        @OptionGroup var which: AppOption

        @OptionGroup var store: StoreOptions

        func validate() throws {
            try request.check(isDescribed: !items.isEmpty, example: "--item chess:prorated")
        }

        func run() async throws {
            let call = try await ServerCall.about(
                transaction, exactly: true, .requestRefund, request, store, which)
            try await call.carryOut(
                request.text {
                    let pieces = RequestPieces(currency: try call.currency())
                    return RequestText(
                        AdvancedCommerceRequestRefundRequest(
                            requestInfo: request.info, currency: pieces.currency.code,
                            items: try items.item.map {
                                try pieces.refundItem($0, reason, revoke: !keep)
                            },
                            refundRiskingPreference: risk.isTaken,
                            storefront: call.storefront?.code))
                }, "its refund is asked for")
        }
    }
}
