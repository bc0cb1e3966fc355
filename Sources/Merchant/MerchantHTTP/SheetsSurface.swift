import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import SubscriptionRules

/// What the app shows customers about a price.
enum SheetsSurface {
    static let endpoints: [Endpoint] = [listSheets, answerSheet]

    private static let sheet = ObjectForm<PriceSheet>(
        "A price sheet: what the app shows.",
        .integer("id", "Its number.", \.id),
        .text("originalTransactionId", "The subscription.", \.originalTransactionID),
        .text("occasion", "notice, consent or koreanConversion.", \.occasion),
        .text("title", "Its title.", \.title), .text("body", "Its words.", \.body),
        .optionalText("locale", "The language of its words.", \.locale),
        .texts("items", "What it tells of.", \.items),
        .integer("oldPrice", "What a period costs, in milliunits.", \.oldPrice),
        .integer("newPrice", "What it costs from the date on, in milliunits.", \.newPrice),
        .text("currency", "The currency of both.", \.currency),
        .moment("renewal", "The first renewal at the new price.", \.renewal),
        .optionalMoment("answerBy", "The last moment for an answer to count for it.", \.answerBy),
        .choice(
            "withoutAnswer",
            "What follows where the customer says nothing: the renewal charges the new price, "
                + "the price stays, or the subscription ends.", \.withoutAnswer),
        .texts("buttons", "The actions that it offers, in order.", \.buttonNames))

    private struct Sheets: Sendable { let sheets: [PriceSheet] }

    private static let sheets = ObjectForm<Sheets>(
        "The sheets of an account.",
        .list("sheets", "The oldest first: show one after the other.", \.sheets, of: sheet))

    private static let failures: [OperationDescription.Failure] = [
        .init(.notFound, "unknownApp"), .init(.badRequest, "reservedAccount"),
    ]

    /// What the app is to show.
    static let listSheets = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/accounts/{account}/sheets", "listSheets",
        OperationDescription(
            .app, "List the price sheets that the app shows",
            detail: "A request that was on the screen comes back after a week, a notice never.",
            parameters: [
                CustomersSurface.bundleID, CustomersSurface.account,
                .query("seen", .boolean("Also those that do not come back yet.")),
            ],
            success: .ok("The sheets.", sheets.schema), failures: failures)
    ) { call, input in
        let found = try await call.merchant.sheets(
            of: try call.account(), in: try call.bundleID(),
            withSeen: input.parameter("seen")?.bool ?? false)
        return .object { sheets.write(Sheets(sheets: found), to: &$0) }
    }

    private static let id = Schema.identifier("The number of the sheet.")

    /// What the customer did with one.
    static let answerSheet = Endpoint.tokenHolder(
        .post, "/v1/apps/{bundleId}/accounts/{account}/sheets/{id}", "answerSheet",
        OperationDescription(
            .app, "Say what the customer did with a price sheet",
            detail: "Send `shown` once it is on the screen, then the button that was tapped. An "
                + "answer about a price is kept with the words that were shown.",
            parameters: [
                CustomersSurface.bundleID, CustomersSurface.account, .path("id", id),
            ],
            body: .members(
                .object(
                    "What.",
                    .required(
                        "action",
                        .choice(
                            "What the customer did.",
                            PriceSheet.Action.allCases.map(\.rawValue))))),
            success: .ok("The sheets that are left.", sheets.schema),
            failures: failures + [
                .init(.notFound, "unknownSheet"), .init(.badRequest, "actionNotOffered"),
            ])
    ) { call, input in
        guard let number = Int64(try call.pathText("id", id)),
            let action = PriceSheet.Action(rawValue: input.requiredText("action"))
        else { throw MerchantError.unknownSheet(0) }
        let left = try await call.merchant.answer(
            action, sheet: number, of: try call.account(), in: try call.bundleID())
        // Beside a store that is played with nobody else does what follows.
        if call.site.server.processesFirst {
            try await call.merchant.workOnCampaigns(patience: .seconds(10))
        }
        return .object { sheets.write(Sheets(sheets: left), to: &$0) }
    }
}

extension PriceSheet {
    fileprivate var buttonNames: [String] { buttons.map(\.rawValue) }
}
