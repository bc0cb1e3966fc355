import Foundation
import Letters
import SubscriptionRules
import Testing

/// Letters of each kind, to readers of each language.
struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let letter: Letter

    var testDescription: String { name }

    /// A reader at home where the language is spoken.
    static let readers = [
        ("en", "en_US", "USA"), ("de", "de_DE", "DEU"), ("fr", "fr_FR", "FRA"),
        ("es", "es_MX", "MEX"), ("ja", "ja", "JPN"), ("ar", "ar_SA", "SAU"),
    ]

    static let all = readers.flatMap { language, locale, storefront in
        contents(in: home(storefront)).map { name, content in
            Sample(
                name: "\(name).\(language)",
                letter: letter(content, locale: locale, storefront: home(storefront)))
        }
    }

    static func home(_ code: String) -> Storefront {
        guard let storefront = Storefront(code: code) else { preconditionFailure(code) }
        return storefront
    }

    static func letter(
        _ content: CustomerMail, locale: String = "en_US", storefront: Storefront = .usa,
        app: String = "Gardens", account: String = "anna@example.com",
        support: String? = "https://gardens.example/help",
        privacy: String? = "https://gardens.example/privacy"
    ) -> Letter {
        Letter(
            content, app: app, supportURL: support, privacyURL: privacy,
            manageURL: "https://store.example/account", account: account, locale: locale,
            storefront: storefront)
    }

    static func instant(_ text: String) -> Instant {
        guard let instant = Instant(iso8601: text) else { preconditionFailure(text) }
        return instant
    }

    /// What is said, with prices of a storefront.
    static func contents(
        in home: Storefront, name: String = "Gardens of the World", other: String = "Small Plants"
    ) -> [(String, CustomerMail)] {
        let scale: Int64 = home.currency.decimals == 0 ? 100 : 1
        func money(_ milliunits: Int64) -> Money {
            Money(milliunits: home.currency.rounded(milliunits * scale), home.currency)
        }
        // The evening of 2 March in New York, the next morning in Tokyo.
        let day = instant("2026-03-03T02:30:00Z")
        let later = instant("2026-06-03T02:30:00Z")
        let upcoming = CustomerMail.Upcoming(
            name: name, at: day, price: money(4990), period: .month)
        let ending = CustomerMail.Upcoming(name: name, at: day, price: nil, period: .month)
        let quarter = CalendarPeriod(3, .month)
        return events(name, other, money, day, later) + [
            ("will-renew-one", .willRenew([upcoming])),
            (
                "will-renew-three",
                .willRenew([
                    upcoming, .init(name: other, at: later, price: money(11_990), period: quarter),
                    .init(name: "Herbs", at: later, price: money(39_990), period: .year),
                ])
            ),
            ("will-expire-one", .willExpire([ending])),
            (
                "will-expire-two",
                .willExpire([
                    ending,
                    .init(
                        name: other, at: later, price: nil, reasonToEnd: .notForSale,
                        period: quarter),
                ])
            ),
            ("cannot-pay", .cannotPay(upcoming)),
        ] + changes(name, other, money, day, later) + items(name, other, money, day)
    }

    /// What is asked about items of a subscription whose rest goes on.
    private static func items(
        _ name: String, _ other: String, _ money: (Int64) -> Money, _ day: Instant
    ) -> [(String, CustomerMail)] {
        func consent(_ names: [String], dependents: [String] = []) -> CustomerMail {
            .priceIncrease(
                .init(
                    needsConsent: true,
                    lines: names.map { .init(name: $0, old: money(4990), new: money(10_990)) },
                    dependents: dependents, restGoesOn: true, period: .month, at: day))
        }
        func conversion(_ names: String...) -> CustomerMail {
            .koreanConversion(
                .init(
                    lines: names.map { .init(name: $0, isFree: true, price: money(4990)) },
                    restGoesOn: true, period: .month, at: day, answerBy: day - .days(1)))
        }
        return [
            ("increase-consent-item", consent([name])),
            ("increase-consent-items", consent([name, other], dependents: ["Herbs"])),
            ("conversion-item", conversion(name)), ("conversion-items", conversion(name, other)),
        ]
    }

    private static func events(
        _ name: String, _ other: String, _ money: (Int64) -> Money, _ day: Instant, _ later: Instant
    ) -> [(String, CustomerMail)] {
        [
            (
                "welcome",
                .welcome(.init(name: name, price: money(4990), period: .month, renews: day))
            ),
            (
                "welcome-committed",
                .welcome(
                    .init(
                        name: name, price: money(4990), period: .month, renews: day,
                        commitment: money(59_880)))
            ),
            (
                "welcome-free",
                .welcome(
                    .init(
                        name: name, price: money(39_990), period: .year,
                        offer: .init(paid: money(0), until: day), renews: day))
            ),
            (
                "welcome-reduced",
                .welcome(
                    .init(
                        name: name, price: money(9990), period: CalendarPeriod(2, .month),
                        offer: .init(paid: money(1990), until: later), renews: day))
            ),
            (
                "receipt",
                .receipt(
                    .init(
                        order: "2000000000000017", at: day,
                        lines: [
                            .init(name: name, quantity: 1, amount: money(4990), until: later),
                            .init(name: other, quantity: 3, amount: money(2970), until: nil),
                            .init(
                                name: other, quantity: 1, amount: money(490),
                                insteadOf: money(990), until: nil),
                        ]))
            ),
            (
                "billing-grace",
                .billingProblem(
                    .init(name: name, price: money(4990), state: .retrying(accessUntil: later)))
            ),
            (
                "billing-retry",
                .billingProblem(
                    .init(name: name, price: money(4990), state: .retrying(accessUntil: nil)))
            ),
            (
                "billing-ended",
                .billingProblem(.init(name: name, price: money(4990), state: .ended))
            ),
        ]
    }

    private static func changes(
        _ name: String, _ other: String, _ money: (Int64) -> Money, _ day: Instant, _ later: Instant
    ) -> [(String, CustomerMail)] {
        func increase(_ needsConsent: Bool, _ names: String...) -> CustomerMail {
            .priceIncrease(
                .init(
                    needsConsent: needsConsent,
                    lines: names.map { .init(name: $0, old: money(4990), new: money(6990)) },
                    period: .month, at: day))
        }
        func conversion(_ isFree: Bool...) -> CustomerMail {
            .koreanConversion(
                .init(
                    lines: zip([name, other], isFree).map {
                        .init(name: $0, isFree: $1, price: money(4990))
                    }, period: .month, at: later, answerBy: later - .days(1)))
        }
        return [
            ("increase-consent", increase(true, name)),
            ("increase-notice", increase(false, name)),
            ("increase-notice-two", increase(false, name, other)),
            ("conversion-free", conversion(true)), ("conversion-reduced", conversion(false)),
            ("conversion-free-and-reduced", conversion(true, false)),
            ("extended", .renewalExtended(.init(name: name, old: day, new: later))),
            (
                "discontinued",
                .discontinued(
                    .init(
                        name: name, ends: day,
                        others: [
                            .init(
                                name: other, price: money(11_990), period: CalendarPeriod(6, .month)
                            ),
                            .init(name: "Herbs", price: money(1990), period: .week),
                        ]))
            ),
            ("discontinued-alone", .discontinued(.init(name: name, ends: day, others: []))),
            ("refund", .refundDecided(.init(name: name, bought: day, amount: money(4990)))),
            (
                "refund-unasked",
                .refundDecided(
                    .init(name: name, bought: day, amount: money(4990), isAsked: false))
            ),
            ("refund-declined", .refundDecided(.init(name: name, bought: day, amount: nil))),
            ("share", .sharing(.init(name: name))),
            ("shared", .sharing(.init(name: name, giver: "Maria"))),
        ]
    }

    static func golden(_ name: String) throws -> String {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Golden")
        return try String(
            contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
}
