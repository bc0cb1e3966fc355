import HTMLPages
import SubscriptionRules

/// What the pages of offers and their codes say.
extension ConsoleWords {
    enum Offers {
        static let introductory = "INTRODUCTORY"
        static let promotional = "PROMOTIONAL"
        static let offerCode = "OFFER_CODE"
        static let winBack = "WIN_BACK"
        /// How an offer of what is bought once is paid.
        static let oneTime = OneTimeOffer.mode

        static let title = "Offers"
        static func lead(_ product: String) -> String {
            "What customers of \(product) pay less for a while."
        }
        static let sectionAbout = "What customers pay less for a while, and offers that have ended."
        static let all = "All offers, and new ones"
        static let codes = "Codes of its offers"
        static let offer = "Offer"
        static let kind = "Kind"
        static let terms = "Terms"
        static let available = "Can be had"
        static let always = "at any time"
        static let everywhere = "everywhere"
        static let state = "State"
        static let on = "on"
        static let ahead = "not yet"
        static let over = "over"
        static let none = "No offers: everybody pays the standard price from the first period on."
        static let make = "Make an offer"
        static let makeAbout =
            "What an offer is cannot be changed: it is ended, and another one is made."
        static let create = "Make the offer"
        static let dont = "Do not make it"
        static let identifier = "Identifier"
        static let identifierHint = "What the app names it by; 64 characters at most"
        static let referenceName = "Reference name"
        static let referenceHint = "The developer's name for it; customers do not see it"
        static let maybeEmpty = "May be empty"
        static let mode = "How it is paid"
        static let modes: [(value: String, text: String)] = [
            ("FREE_TRIAL", mode("FREE_TRIAL")), ("PAY_AS_YOU_GO", mode("PAY_AS_YOU_GO")),
            ("PAY_UP_FRONT", mode("PAY_UP_FRONT")),
        ]
        static let period = "Length of a period"
        static let periodHint = "Paid as one goes: as long as the plan's own"
        static let periodCount = "Number of periods"
        static let periodCountHint = "Only where it is paid as one goes: 1 to 12"
        static let price = "Price with the offer"
        static let priceHint =
            "Of a period, such as 2.99: the same number in every currency; empty where it is free"
        static let standardPrice = "Standard price"
        static let prices = "Other prices"
        static let pricesHint = "A storefront and a price a line, such as DEU 2.99; may be empty"
        static let ownPrices = "Prices of storefronts"
        static let begins = "Begins"
        static let beginsHint = "Such as 2027-01-01, or 2027-01-01 09:00; empty for at once"
        static let winBackBeginsHint = "Such as 2027-01-01: tomorrow at the earliest"
        static let ends = "Ends"
        static let endsHint = "The first moment at which nobody gets it; empty for never"
        static let storefronts = "Storefronts"
        static let storefrontsHint = "Such as USA, DEU; empty for everywhere"
        static let audiences = "Who redeems its codes"
        static let stackable = "Follows the introductory offer instead of replacing it"
        static let paidMonths = "Paid service, in months"
        static let paidMonthsHint = "The least that they had: 1 to 60"
        static let fromMonths = "Ended at least so many months ago"
        static let toMonths = "Ended at most so many months ago"
        static let sinceHint = "1 to 24; empty for any time"
        static let ended = "Ended"
        static let waitMonths = "Months between two such offers"
        static let waitMonthsHint = "2 to 24; empty for none"
        static let priority = "Which comes first"
        static let priorities: [(value: String, text: String)] = [
            ("NORMAL", "normal"), ("HIGH", "high: before others"),
        ]
        static let end = "End it"
        static let endButton = "End this offer"
        static let endAbout =
            "Nobody takes it up any more; who has done so has it to its end. One that has not "
            + "begun is forgotten."
        static let overAbout =
            "It is over. Who took it up in time has it to its end; another one is made under "
            + "another name."

        static let kinds: [(value: String, text: String)] = [
            (introductory, kind(introductory)), (promotional, kind(promotional)),
            (offerCode, kind(offerCode)), (winBack, kind(winBack)),
        ]
        static func kind(_ type: String) -> String {
            switch type {
            case introductory: "Introductory offer"
            case promotional: "Promotional offer"
            case offerCode: "Offer with codes"
            case winBack: "Win-back offer"
            default: happening(type)
            }
        }
        static func new(_ type: String) -> String {
            switch type {
            case introductory: "A new introductory offer"
            case offerCode: "A new offer with codes"
            case winBack: "A new win-back offer"
            default: "A new promotional offer"
            }
        }
        static func about(_ type: String) -> String {
            switch type {
            case introductory: "For who has not subscribed to the group yet, once."
            case offerCode: "For whoever redeems one of its codes, which are made afterwards."
            case winBack: "For who subscribed, and does no more."
            default: "For who subscribes or did, when the app offers it, with a signature."
            }
        }
        /// The kind as the command line calls it.
        static func command(_ type: String) -> String {
            switch type {
            case introductory: "introductory"
            case offerCode: "code"
            case winBack: "win-back"
            default: "promotional"
            }
        }
        static func mode(_ mode: String) -> String {
            switch mode {
            case "FREE_TRIAL": "free"
            case "PAY_AS_YOU_GO": "period by period"
            case "PAY_UP_FRONT": "up front, at once"
            case oneTime: "once"
            default: happening(mode)
            }
        }
        static func audience(_ audience: Offer.Audience) -> String {
            switch audience {
            case .new: "Who never subscribed redeems its codes"
            case .existing: "Who subscribes redeems its codes"
            case .expired: "Who subscribed before redeems its codes"
            }
        }
        static func audience(_ audience: OneTimeOffer.Audience) -> String {
            switch audience {
            case .nonSpender: "Who paid for nothing in the app redeems its codes"
            case .activeSpender: "Who paid in the last thirty days redeems its codes"
            case .churnedSpender: "Who paid before that alone redeems its codes"
            }
        }
        static func audience(named name: String) -> String {
            switch name {
            case "nonSpender": "who paid for nothing in the app"
            case "activeSpender": "who paid in the last thirty days"
            case "churnedSpender": "who paid before that alone"
            case "new": "who never subscribed"
            case "existing": "who subscribes"
            case "expired": "who subscribed before"
            default: name
            }
        }
        /// `P3M` is "3 months".
        static func length(_ text: String) -> String {
            guard let period = CalendarPeriod(iso8601: text) else { return text }
            let one = period.count == 1
            switch period.unit {
            case .day: return one ? "1 day" : "\(period.count) days"
            case .week: return one ? "1 week" : "\(period.count) weeks"
            case .month: return one ? "1 month" : "\(period.count) months"
            case .year: return one ? "1 year" : "\(period.count) years"
            }
        }
        static let freeOnce = "free, once"
        static func once(_ price: String) -> String { "\(price), once" }
        static func free(_ length: String) -> String { "free for \(length)" }
        static func payUpFront(_ price: String, _ length: String) -> String {
            "\(price) for \(length)"
        }
        static func payAsYouGo(_ price: String, _ length: String, times: Int) -> String {
            if times == 1 { return "\(price) for \(length), once" }
            let each = length.hasPrefix("1 ") ? String(length.dropFirst(2)) : length
            return "\(price) each \(each), \(times) times"
        }
        static func from(_ moment: String) -> String { "from \(moment)" }
        static func until(_ moment: String) -> String { "until \(moment)" }
        static func months(_ from: Int, to: Int) -> String { "\(from) to \(to) months ago" }
        static func wrongPrices(_ line: String) -> String {
            "Other prices: \(line) is no storefront and price such as DEU 2.99."
        }
        /// What is paid in at a storefront; nothing for one that there is not.
        static func currency(of storefront: String) -> String {
            Storefront(code: storefront)?.currency.code ?? ""
        }
    }

    enum Codes {
        static let title = "Offer codes"
        static func lead(_ app: String) -> String {
            "Codes of offers of \(app) that were made, newest first. They are good in this "
                + "environment only."
        }
        static let codes = "Codes"
        static let offer = "Offer"
        static let product = "Product"
        static let redeemed = "Redeemed"
        static let of = "Of"
        static let howMany = "Codes made"
        static let codesToMake = "Codes to make"
        static let madeBefore = "The offer has"
        static let madeThen = "It will have"
        static func ofThem(redeemed count: String) -> String { "\(count) of them redeemed" }
        static let newestOnly = "in the newest 200 batches"
        static let longest = "the longest there is: six months for one-time codes"
        static let cap = "Customers at most"
        static let made = "Made"
        static let expires = "Good until"
        static let state = "State"
        static let number = "Number"
        static let good = "good"
        static let expired = "expired"
        static let spent = "all redeemed"
        static let ended = "ended"
        static let endedAt = "Ended"
        static let none = "No codes were made here yet."
        static let allOfOffer = "All codes of this offer"
        static let make = "Make codes"
        static let makeAbout =
            "One-time codes are good for one customer each, and for six months at most. A custom "
            + "code is one text that many redeem, in the app or by a link."
        static let makeHere = "On the page of the offer that they are for:"
        static let noOffers =
            "There is no offer with codes yet: make one on the page of a product."
        static let custom = "Custom code"
        static let customHint = "3 to 64 letters and digits; empty for one-time codes"
        static let count = "How many"
        static let countHint = "One-time codes, or customers who redeem the custom one"
        static let noCount = "How many: write how many codes, or how many customers."
        static let expiresHint = "Such as 2027-01-01; empty for the longest there is"
        static let download = "Download the codes as CSV"
        static let secret =
            "Whoever has a code can redeem it: the download is for who hands them out."
        static let customPlaces =
            "A custom code is redeemed in the app or by a link, not in account settings: say so "
            + "where it is advertised."
        static let end = "End them"
        static let endButton = "End these codes"
        static let endAbout = "Nobody redeems them any more; what was redeemed stays."
        static let over = "They were ended: nobody redeems them any more."
        static let apps = "Codes of another app"

        /// What codes that were made together are called.
        static func name(_ custom: String?, count: Int) -> String {
            custom ?? (count == 1 ? "1 one-time code" : "\(count) one-time codes")
        }
        static func offer(_ name: String, of product: String) -> String { "\(name) (\(product))" }
    }
}
