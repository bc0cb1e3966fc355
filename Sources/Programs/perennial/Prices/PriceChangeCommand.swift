import AppStoreWire
public import ArgumentParser
import StoreHTTP
import SubscriptionRules
import Timeline
import Wording

extension PriceChangeRoute: ExpressibleByArgument {}

/// What products cost, and what becomes of prices.
struct PriceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "price",
        abstract: "Show, set and schedule prices; list and explain price changes.",
        discussion: """
            `price set` changes the price for new customers, `price schedule` also for \
            subscribers.

              perennial price list
              perennial price set com.example.garden.estate.monthly JPN 1500
              perennial price schedule com.example.garden.estate.monthly USA \\
                  14.99 --existing apply --start 2026-03-10
              perennial price of anna
            """,
        subcommands: [
            PricesListCommand.self, PricesSetCommand.self, ThresholdsCommand.self,
            PriceChangeScheduleCommand.self, PriceChangeWithdrawCommand.self,
            PriceChangeUnpreserveCommand.self, PriceChangeListCommand.self,
            PriceChangeCohortsCommand.self, PriceChangeOfCommand.self,
            PriceChangeExplainCommand.self, PriceChangeTimetableCommand.self,
        ])
}

/// The ways in which a discount is paid, as `explain` takes them.
enum ExplainedOffer: String, CaseIterable, ExpressibleByArgument {
    case freeTrial, payAsYouGo, payUpFront

    var mode: Offer.Mode {
        switch self {
        case .freeTrial: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        }
    }
}

/// Says what a new price means for one subscriber: path, reasons and every date.
struct PriceChangeExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain what a new price would mean for a subscriber; needs no store.",
        discussion: """
            Shows whether the subscriber must consent or only gets notice, each test that decides \
            it, when each message is sent, and the renewal that first charges the new price.

              perennial price explain 9.99 14.99 --renews 2026-04-15 \\
                  --live 2026-03-10
              perennial price explain 59.99 99.99 --period P1Y \\
                  --renews 2026-12-31 --live 2026-09-01 --storefront DEU --json

            In an offer the prices are the standard ones, and --renews is where the running \
            period of the offer ends:

              perennial price explain 5900 6900 --storefront KOR \\
                  --offer freeTrial --offer-period P2M --since 2025-03-01 \\
                  --renews 2025-05-01 --live 2025-03-10

            A year that is billed monthly is explained as the year that is agreed to: both prices \
            are those of twelve months, and --renews is the end of the commitment:

              perennial price explain 108 118.80 --period P1Y \
                  --renews 2027-01-01 --live 2026-01-10 --storefront FRA

            Of a subscription that a merchant describes itself, each item is explained, and what \
            follows for all of them: the requests, the messages and the bills. After the price of \
            now and the new one an item may say more: increased=DATE, offer=MODE, left=N, \
            ends=SKU+SKU for the items that end with it without consent:

              perennial price explain --item news=9.99:10.99 \\
                  --item sport=4.99:10.99,ends=replay --item replay=2.99 \\
                  --renews 2026-04-15 --live 2026-03-10 --route storeManaged
            """)

    @Argument(help: "What the subscriber pays now, such as 9.99.")
    var oldPrice: String?

    @Argument(help: "The new price, such as 14.99.")
    var newPrice: String?

    @Option(
        name: .customLong("item"),
        help: ArgumentHelp(
            "An item of a merchant's, with its price and the new one; repeatable.",
            valueName: "sku=old:new"), transform: ExplainedItem.init)
    var items: [ExplainedItem] = []

    @Option(help: "When the subscription renews next.", transform: Reading.moment)
    var renews: Instant

    @Option(
        help: "When it was bought or its offer began; decides the day of later renewals.",
        transform: Reading.moment)
    var since: Instant?

    @Option(help: "The offer that the running period belongs to.")
    var offer: ExplainedOffer?

    @Option(
        help: ArgumentHelp(
            "How long a free trial or an offer paid up front lasts, or a period of one paid as "
                + "you go. (default: the plan's period)", valueName: "period"))
    var offerPeriod: String?

    @Option(
        help: ArgumentHelp(
            "How many discounted periods follow, 0 to 51, if paid as you go.", valueName: "n"),
        transform: Reading.number(0...51))
    var offersLeft: Int?

    @Option(help: "When the new price goes live.", transform: Reading.moment)
    var live: Instant

    @Option(help: "How long a period lasts: P1W, P1M, P2M, P3M, P6M or P1Y.")
    var period = "P1M"

    @Option(help: "The subscriber's storefront.", transform: Reading.storefront)
    var storefront = "USA"

    @Option(
        help: "When an increased price was last charged for this subscription.",
        transform: Reading.moment)
    var lastIncrease: Instant?

    @Option(
        help: ArgumentHelp(
            "Who changes the price and who tells the subscribers. (default: appStoreConnect; of "
                + "items storeManaged)"))
    var route: PriceChangeRoute?

    @Flag(help: "An Indian subscriber pays by UPI AutoPay.")
    var upi = false

    @Option(
        help: ArgumentHelp(
            "More than this is a large increase there, as `perennial price thresholds` shows "
                + "it of a "
                + "store. (default: what is built in)", valueName: "amount"))
    var threshold: String?

    @Option(help: "Whether every increase needs consent there. (default: what is built in)")
    var alwaysConsent: Switch?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if items.isEmpty { _ = try explain() } else { _ = try explainBundle() }
    }

    func run() async throws {
        guard items.isEmpty else {
            let explanation = try explainBundle()
            return try show(explanation, Wording.english.lines(explanation))
        }
        let explanation = try explain()
        try show(explanation, Wording.english.lines(explanation))
    }

    private func show(_ answer: some WireEncodable, _ lines: [String]) throws {
        guard !json else { return Output.line(try PrettyJSON.text(of: answer.jsonBytes())) }
        let width = Output.style().lineWidth
        for line in lines.flatMap({ Folding.lines(of: $0, width: width) }) { Output.line(line) }
    }

    func explain() throws -> PriceIncreaseExplanation {
        guard let oldPrice, let newPrice else {
            throw ValidationError("Two prices are needed, that of now and the new one, or --item.")
        }
        let currency = try currency
        var subscriber = try subscriber
        subscriber.offer = try runningOffer()
        subscriber.lastIncrease = lastIncrease
        let change = PriceChange(
            from: try Reading.price(oldPrice, currency),
            to: try Reading.price(newPrice, currency), in: currency)
        let thresholds = try thresholds(currency)
        do throws(ImaginedSubscriber.Impossibility) {
            return try subscriber.explanation(
                of: change, route: route ?? .appStoreConnect, live: live, thresholds: thresholds)
        } catch {
            throw ValidationError(sentence(error))
        }
    }

    func explainBundle() throws -> BundlePriceExplanation {
        guard oldPrice == nil, offer == nil, offerPeriod == nil, offersLeft == nil,
            lastIncrease == nil
        else {
            throw ValidationError(
                "Prices, offers and earlier increases are each --item's: sku=9.99:10.99,"
                    + "offer=freeTrial,increased=2026-01-15.")
        }
        let currency = try currency
        let bundle = ImaginedBundle(
            try subscriber, items: try items.map { try $0.item(in: currency) })
        let thresholds = try thresholds(currency)
        do throws(ImaginedBundle.Impossibility) {
            return try bundle.explanation(
                in: currency, route: route ?? .storeManaged, live: live, thresholds: thresholds)
        } catch {
            throw ValidationError(sentence(error))
        }
    }

    private var currency: Currency {
        get throws {
            guard let currency = Storefront(code: storefront)?.currency else {
                throw ValidationError("'\(storefront)' is no storefront.")
            }
            return currency
        }
    }

    /// The subscriber without offers and earlier increases.
    private var subscriber: ImaginedSubscriber {
        get throws {
            guard let period = CalendarPeriod(iso8601: period),
                CalendarPeriod.billing.contains(period)
            else {
                throw ValidationError(
                    "'\(self.period)' is no billing period: write P1W, P1M, P2M, P3M, P6M or "
                        + "P1Y.")
            }
            var subscriber = ImaginedSubscriber(
                storefront: storefront, period: period, renews: renews)
            subscriber.since = since
            subscriber.paysByUPIAutoPay = upi
            return subscriber
        }
    }

    private func sentence(_ fault: ImaginedBundle.Impossibility) -> String {
        switch fault {
        case .itemCount: "There are 1 to \(ImaginedBundle.mostItems) items."
        case .repeatedItem(let sku): "\(sku) is there twice."
        case .unknownDependent(let sku): "\(sku) is none of the items: add --item \(sku)=9.99."
        case .chain(let sku): "\(sku) ends with an item and has items that end with it."
        case .route:
            "Items are sold by Advanced Commerce: --route merchantManaged or storeManaged."
        case .item(let sku, let fault): "\(sku): \(sentence(fault))"
        }
    }

    private func sentence(_ fault: ImaginedSubscriber.Impossibility) -> String {
        switch fault {
        case .boughtAfterRenewal:
            "--since must be before --renews: it is when it was bought."
        case .boughtAfterLive:
            "--live must not be before --since: who bought later saw the new price."
        case .increasedAfterRenewal: "--last-increase must be before --renews: it is past."
        case .upiOutsideIndia: "--upi is for subscribers in India: add --storefront IND."
        case .onePeriodOnly: "--offers-left is for --offer payAsYouGo: others have one period."
        case .beyondTime: "Moments lie between 2000 and 2100."
        case .renewsAt(let moment):
            "No period since \(since?.plainText ?? "then") ends on \(renews.plainText), but one on "
                + "\(moment.plainText): after an extension or a recovery its day is --since."
        }
    }

    /// What is built in, or what was given for the storefront.
    private func thresholds(_ currency: Currency) throws -> ConsentThresholds {
        var thresholds = ConsentThresholds.standard
        if let alwaysConsent {
            try thresholds.setAlwaysConsent(alwaysConsent == .on, in: storefront)
        }
        if let threshold {
            let amount = try Reading.price(threshold, currency)
            try thresholds.setAmounts(
                nonAnnual: amount, annual: amount, in: storefront,
                asOf: BillingZone.utc.wallClock(at: live).date)
        }
        return thresholds
    }

    private func runningOffer() throws -> ImaginedSubscriber.RunningOffer? {
        guard let offer else {
            guard offerPeriod == nil, offersLeft == nil else {
                throw ValidationError("--offer-period and --offers-left say more of an --offer.")
            }
            return nil
        }
        let period = offerPeriod.map(CalendarPeriod.init(iso8601:))
        guard period != .some(nil) else {
            throw ValidationError("'\(offerPeriod ?? "")' is no period: write P3D, P1W or P2M.")
        }
        return ImaginedSubscriber.RunningOffer(
            mode: offer.mode, period: period ?? nil, periodsLeft: offersLeft ?? 0)
    }
}
