import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import MerchantConfiguration
import PlacedYAML
import SubscriptionRules

/// Which campaigns there are, and what they say.
enum CampaignListSurface {
    static let endpoints: [Endpoint] = [listCampaigns, listPlans, listTexts]

    private static let filters: [OperationDescription.Parameter] = [
        .query("app", .text("Only of this app.", 1...255)),
        .query("campaign", .text("Only of this name.", 1...255)),
        .query(
            "kind", .choice("Only these.", CampaignDefinition.Kind.allCases.map(\.rawValue))),
    ]

    private static func filter(_ input: Input) -> CampaignListFilter {
        CampaignListFilter(
            bundleID: input.parameter("app")?.string, name: input.parameter("campaign")?.string,
            kind: input.parameter("kind")?.string)
    }

    private static let campaign = ObjectForm<ListedCampaign>(
        "A campaign that was started.",
        .integer("id", "Its number, in the order of starting.", \.id),
        .text("bundleId", "The app.", \.bundleID), .text("campaign", "Its name.", \.name),
        .text("kind", "price or outage.", \.kind), .text("state", "How far it is.", \.state),
        .moment("started", "When it was started.", \.started),
        .moment("moved", "When its state changed last.", \.moved),
        .optionalText("problem", "Why it stands still, where it does.", \.problem))

    private static let campaignPaging = Paging(
        "campaigns", "The newest first.", of: campaign.schema, .before,
        .identifier("The number of the last one."))

    /// Those that were started.
    static let listCampaigns = Endpoint.tokenHolder(
        .get, "/v1/operator/campaigns", "listCampaigns",
        OperationDescription(
            .theOperator, "List the campaigns that were started",
            parameters: campaignPaging.parameters + filters,
            success: campaignPaging.success("The campaigns.", "A page of them."),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        let wanted = filter(input)
        return try await campaignPaging.page(input) { before, limit in
            try await call.merchant.campaigns(where: wanted, before: before, limit: limit)
        } writing: { one, json in
            json.elementObject { campaign.write(one, to: &$0) }
        }
    }

    private static let plan = ObjectForm<ListedPlan>(
        "A plan of a campaign.",
        .integer("id", "Its number.", \.id), .text("bundleId", "The app.", \.bundleID),
        .text("campaign", "The campaign's name.", \.name),
        .text("kind", "price or outage.", \.kind),
        .moment("plannedAt", "When it was made.", \.plannedAt))

    private static let planPaging = Paging(
        "plans", "The newest first.", of: plan.schema, .before,
        .identifier("The number of the last one."))

    /// Those that are kept.
    static let listPlans = Endpoint.tokenHolder(
        .get, "/v1/operator/campaigns/plans", "listCampaignPlans",
        OperationDescription(
            .theOperator, "List the plans that are kept",
            parameters: planPaging.parameters + filters,
            success: planPaging.success("The plans.", "A page of them."),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        let wanted = filter(input)
        return try await planPaging.page(input) { before, limit in
            try await call.merchant.campaignPlans(where: wanted, before: before, limit: limit)
        } writing: { one, json in
            json.elementObject { plan.write(one, to: &$0) }
        }
    }

    // MARK: Texts

    /// A text in one language, as one of those whom the campaign reaches would read it.
    private struct SampleText: Sendable {
        let channel: String
        let locale: String?
        let title: String
        let body: String
        let from: String?
        let url: String?
    }

    private struct Texts: Sendable { let texts: [SampleText] }

    private static let text = ObjectForm<SampleText>(
        "What a campaign says on a channel, in one language.",
        .text("channel", "mail, sheet or push.", \.channel),
        .optionalText(
            "locale", "The language; absent for every language without words of its own.",
            \.locale),
        .text("title", "Its subject or title.", \.title), .text("body", "Its words.", \.body),
        .optionalText("from", "The sender of a mail.", \.from),
        .optionalText("url", "What a push opens.", \.url))

    private static let texts = ObjectForm<Texts>(
        "What a campaign says.",
        .list("texts", "By channel; the words for everybody first.", \.texts, of: text))

    private static let nameSchema = Schema.text("The campaign.", 1...64)

    /// What a campaign says in each language.
    static let listTexts = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/campaigns/{name}/texts", "listCampaignTexts",
        OperationDescription(
            .theOperator, "Show what a campaign says, on each channel and in each language",
            detail: "Prices and dates are those of the first whom it reaches; where nobody is "
                + "known yet their places stay in braces. Takes the campaign that was started, "
                + "else the newest plan.",
            parameters: [CustomersSurface.bundleID, .path("name", nameSchema)],
            success: .ok("The texts.", texts.schema),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownCampaign"),
                .init(.conflict, "unreadableCampaign"),
            ])
    ) { call, _ in
        let source = try await call.merchant.campaignSource(
            try call.pathText("name", nameSchema), of: try call.bundleID())
        let found = Texts(texts: all(in: try definition(of: source), source.example))
        return .object { texts.write(found, to: &$0) }
    }

    /// What the file says that is kept of a campaign.
    static func definition(
        of source: CampaignSource
    ) throws(ErrorBody) -> CampaignDefinition {
        do {
            return try CampaignFile.read(
                source.file, named: "file", attachments: source.attachments
            ).definition
        } catch {
            throw ErrorBody(
                .conflict, "unreadableCampaign",
                "The file that is kept of the campaign cannot be read any more: "
                    + error.problems.prefix(3).map(\.description).joined(separator: " "))
        }
    }

    private static func all(
        in definition: CampaignDefinition, _ example: [CampaignPlace: String]
    ) -> [SampleText] {
        let texts = definition.texts
        var all: [SampleText] = []
        if let mail = texts.mail {
            all += each(
                "mail", mail.subject, mail.text, example,
                from: mail.name.map { "\($0) <\(mail.from)>" } ?? mail.from)
        }
        if let sheet = texts.sheet { all += each("sheet", sheet.title, sheet.body, example) }
        if let push = texts.push {
            all += each("push", push.title, push.body, example, url: push.url)
        }
        return all
    }

    private static func each(
        _ channel: String, _ title: CampaignText, _ body: CampaignText,
        _ example: [CampaignPlace: String], from: String? = nil, url: String? = nil
    ) -> [SampleText] {
        let own = Set(title.translations.keys).union(body.translations.keys).sorted()
        let locales: [String?] = [nil] + own.map { Optional($0) }
        return locales.map { locale in
            func filled(_ text: CampaignText) -> String {
                example.reduce(text.text(for: locale)) {
                    $0.replacing($1.key.mark, with: $1.value)
                }
            }
            return SampleText(
                channel: channel, locale: locale, title: filled(title), body: filled(body),
                from: from, url: url)
        }
    }
}
