import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import MerchantConfiguration
import MerchantRules
import SubscriptionRules

/// Campaigns that run.
enum CampaignRunsSurface {
    static let endpoints: [Endpoint] = [
        runCampaign, rehearseCampaign, nextMoment, getCampaign, pause, resume, stop,
        listMessages, listSubscribers, getConsents, getReport,
    ]

    /// Starts a campaign, or says what it would do.
    static let runCampaign = Endpoint.tokenHolder(
        .post, "/v1/operator/campaigns/run", "runCampaign",
        OperationDescription(
            .theOperator, "Start a campaign",
            detail: "Without `go` nothing is started, sent or called: the answer has the plan, and "
                + "what would happen within a day. With it the campaign runs by itself from then "
                + "on, and its name is taken.",
            body: .members(
                CampaignDocumentForm.body(
                    .optional("go", .boolean("Whether it starts; false unless given.")))),
            success: .ok(
                "What began, or would.",
                .object(
                    "What began, or would.",
                    .optional("plan", CampaignForms.plan.schema),
                    .optional("today", CampaignRunForms.today.schema),
                    .optional("run", CampaignRunForms.run.schema))),
            failures: [
                .init(.badRequest, "invalidCampaign"), .init(.notFound, "unknownApp"),
                .init(.conflict, "campaignExists"),
            ])
    ) { call, input in
        let file = try CampaignsSurface.campaign(input)
        if input.boolean("go") == true {
            let run = try await call.merchant.start(
                file.definition, file: file.text, attachments: file.attachments,
                works: call.site.server.processesFirst)
            return .object { json in
                json.object("run") { CampaignRunForms.run.write(run, to: &$0) }
            }
        }
        let plan = try await call.merchant.plan(
            file.definition, file: file.text, attachments: file.attachments)
        let today = try await call.merchant.today(of: plan, by: file.definition)
        return .object { json in
            json.object("plan") { CampaignForms.plan.write(plan, to: &$0) }
            json.object("today") { CampaignRunForms.today.write(today, to: &$0) }
        }
    }

    /// Plays a campaign with answers that were made up.
    static let rehearseCampaign = Endpoint.tokenHolder(
        .post, "/v1/operator/campaigns/rehearse", "rehearseCampaign",
        OperationDescription(
            .theOperator, "Rehearse a price campaign",
            detail: "Plays it to its end on the merchant's registers alone, with answers by shares "
                + "and a seed: nothing is kept, sent or called, and no store is asked or copied.",
            body: .members(
                CampaignDocumentForm.body(
                    .optional(
                        "agree", .integer("How many of 100 agree; 60 unless given.", 0...100)),
                    .optional(
                        "decline", .integer("How many of 100 decline; 10 unless given.", 0...100)),
                    .optional(
                        "cancel",
                        .integer("How many of 100 turn renewal off; 5 unless given.", 0...100)),
                    .optional("seed", .text("What they are drawn by; 1 unless given.", 1...64)))),
            success: .ok("What would come of it.", CampaignRunForms.report.schema),
            failures: [
                .init(.badRequest, "invalidCampaign"), .init(.notFound, "unknownApp"),
                .init(.badRequest, "invalidShares"), .init(.conflict, "otherCampaignKind"),
            ])
    ) { call, input in
        let file = try CampaignsSurface.campaign(input)
        let shares = [("agree", 60), ("decline", 10), ("cancel", 5)].map { name, usual in
            Int(input.integer(name) ?? Int64(usual)) * 10
        }
        guard
            let answers = RehearsedAnswers(
                seed: input.text("seed") ?? "1", agreeing: shares[0], declining: shares[1],
                cancelling: shares[2])
        else {
            throw ErrorBody(
                .badRequest, "invalidShares",
                "The shares are more than 100 together: lower one of them.", field: "agree")
        }
        let report = try await call.merchant.rehearse(file.definition, answers: answers)
        return .object { CampaignRunForms.report.write(report, to: &$0) }
    }

    /// When something is due.
    static let nextMoment = Endpoint.tokenHolder(
        .get, "/v1/operator/campaigns/next", "nextCampaignMoment",
        OperationDescription(
            .theOperator, "Say when campaigns have something to do",
            success: .ok(
                "When.",
                .object(
                    "When.",
                    .optional("moment", .moment("The next moment; absent where nothing is due.")))))
    ) { call, _ in
        let next = try await call.merchant.nextCampaignMoment()
        return .object { $0.field("moment", next?.iso8601) }
    }

    // MARK: One campaign

    private static let nameSchema = Schema.text("The campaign.", 1...64)
    private static let place: [OperationDescription.Parameter] = [
        CustomersSurface.bundleID, .path("name", nameSchema),
    ]
    private static let unknown: [OperationDescription.Failure] = [
        .init(.notFound, "unknownApp"), .init(.notFound, "unknownCampaign"),
    ]
    private static let otherKind = OperationDescription.Failure(.conflict, "otherCampaignKind")

    private static func name(in call: Call) throws -> String {
        try call.pathText("name", nameSchema)
    }

    /// How far it is.
    static let getCampaign = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/campaigns/{name}", "getCampaign",
        OperationDescription(
            .theOperator, "Say how far a campaign is", parameters: place,
            success: .ok("The campaign.", CampaignRunForms.run.schema), failures: unknown)
    ) { call, _ in
        let run = try await call.merchant.campaignRun(
            try name(in: call), of: try call.bundleID())
        return .object { CampaignRunForms.run.write(run, to: &$0) }
    }

    static let pause = moving("pause", "pauseCampaign", "Hold a campaign up", to: .paused)
    static let resume = moving("resume", "resumeCampaign", "Let a campaign go on", to: .running)
    static let stop = moving("stop", "stopCampaign", "End a campaign", to: .stopped)

    private static func moving(
        _ word: String, _ operation: String, _ about: String, to state: CampaignRunState
    ) -> Endpoint {
        Endpoint.tokenHolder(
            .post, "/v1/apps/{bundleId}/campaigns/{name}/\(word)", operation,
            OperationDescription(
                .theOperator, about, parameters: place,
                success: .ok("The campaign.", CampaignRunForms.run.schema),
                failures: unknown + [.init(.conflict, "campaignState")])
        ) { call, _ in
            let run = try await call.merchant.move(
                try name(in: call), of: try call.bundleID(), to: state,
                works: call.site.server.processesFirst)
            return .object { CampaignRunForms.run.write(run, to: &$0) }
        }
    }

    // MARK: Lists

    private static let originalParameter = OperationDescription.Parameter.query(
        "originalTransactionId", .text("Only of this subscription.", 1...64))

    private static let messagePaging = Paging(
        "messages", "In the order in which they were written.",
        of: CampaignRunForms.message.schema, .after, .identifier("The number of the last one."))

    /// Its messages.
    static let listMessages = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/campaigns/{name}/messages", "listCampaignMessages",
        OperationDescription(
            .theOperator, "List the messages of a campaign",
            parameters: place + messagePaging.parameters + [
                .query("channel", .choice("Only on this one.", ["mail", "sheet", "push"])),
                .query(
                    "state",
                    .choice("Only these.", CampaignMessageState.allCases.map(\.rawValue))),
                originalParameter,
            ],
            success: messagePaging.success("The messages.", "A page of them."),
            failures: unknown + [otherKind])
    ) { call, input in
        let (campaign, bundleID) = (try name(in: call), try call.bundleID())
        let channel = input.parameter("channel")?.string
        let state = input.parameter("state")?.string.flatMap(CampaignMessageState.init(rawValue:))
        let original = input.parameter("originalTransactionId")?.string
        return try await messagePaging.page(input) { after, limit in
            try await call.merchant.campaignMessages(
                campaign, of: bundleID, channel: channel, state: state,
                originalTransactionID: original, after: after, limit: limit)
        } writing: { one, json in
            json.elementObject { CampaignRunForms.message.write(one, to: &$0) }
        }
    }

    private static let subscriberPaging = Paging(
        "subscribers", "In the order in which the merchant has heard of them.",
        of: CampaignRunForms.subscriber.schema, .after,
        .identifier("The number of the last one."))

    /// Whom a report counts.
    static let listSubscribers = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/campaigns/{name}/subscribers", "listCampaignSubscribers",
        OperationDescription(
            .theOperator, "List the subscribers of a campaign",
            parameters: place + subscriberPaging.parameters + [
                .query(
                    "outcome",
                    .choice("Only with this one.", CampaignOutcome.allCases.map(\.rawValue))),
                .query("cohort", .text("Only of this one.", 1...64)), originalParameter,
            ],
            success: subscriberPaging.success("The subscribers.", "A page of them."),
            failures: unknown + [otherKind])
    ) { call, input in
        let (campaign, bundleID) = (try name(in: call), try call.bundleID())
        let filter = CampaignFilter(
            outcome: input.parameter("outcome")?.string.flatMap(CampaignOutcome.init(rawValue:)),
            cohort: input.parameter("cohort")?.string,
            originalTransactionID: input.parameter("originalTransactionId")?.string)
        return try await subscriberPaging.page(input) { after, limit in
            try await call.merchant.campaignSubscribers(
                campaign, of: bundleID, filter, after: after, limit: limit)
        } writing: { one, json in
            json.elementObject { CampaignRunForms.subscriber.write(one, to: &$0) }
        }
    }

    private static let original = Schema.text("The subscription.", 1...64)

    /// The proof of consent.
    static let getConsents = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/campaigns/{name}/consents/{originalTransactionId}",
        "getCampaignConsents",
        OperationDescription(
            .theOperator, "Export what proves a subscriber's answers",
            detail: "Each answer is a text with its SHA-256, and names that of the answer before. "
                + "It does not name the account, and stays when that is erased.",
            parameters: place + [.path("originalTransactionId", original)],
            success: .ok("The answers.", CampaignRunForms.consents.schema),
            failures: unknown + [otherKind, .init(.notFound, "unknownPurchase")])
    ) { call, _ in
        let found = try await call.merchant.consents(
            try name(in: call), of: try call.bundleID(),
            originalTransactionID: try call.pathText("originalTransactionId", original))
        return .object { CampaignRunForms.consents.write(found, to: &$0) }
    }

    /// What has come of it.
    static let getReport = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/campaigns/{name}/report", "getCampaignReport",
        OperationDescription(
            .theOperator, "Report what has come of a campaign",
            detail:
                "Every number opens to subscribers: list them with the same outcome and cohort.",
            parameters: place,
            success: .ok("The report.", CampaignRunForms.report.schema),
            failures: unknown + [otherKind])
    ) { call, _ in
        let report = try await call.merchant.campaignReport(
            try name(in: call), of: try call.bundleID())
        return .object { CampaignRunForms.report.write(report, to: &$0) }
    }
}
