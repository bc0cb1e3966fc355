import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import MerchantConfiguration
import PlacedYAML

/// Campaigns: planned here, and nothing more.
enum CampaignsSurface {
    static let endpoints: [Endpoint] = [planCampaign, getPlan, listSubscribers, sampleSubscribers]

    /// Plans a campaign.
    static let planCampaign = Endpoint.tokenHolder(
        .post, "/v1/operator/campaigns/plan", "planCampaign",
        OperationDescription(
            .theOperator, "Plan a campaign",
            detail: "Says of each subscriber whether the campaign reaches it, why, and what comes "
                + "when, and keeps that with the prices of today. Sends nothing and calls nobody. "
                + "An earlier plan of the same name goes, unless it was started.",
            body: .members(CampaignDocumentForm.body()),
            success: .ok("The plan.", CampaignForms.plan.schema),
            failures: [
                .init(.badRequest, "invalidCampaign"), .init(.notFound, "unknownApp"),
            ])
    ) { call, input in
        let file = try campaign(input)
        let plan = try await call.merchant.plan(
            file.definition, file: file.text, attachments: file.attachments)
        return .object { CampaignForms.plan.write(plan, to: &$0) }
    }

    /// What a request brings: no file of the server's is opened.
    static func campaign(_ input: Input) throws(ErrorBody) -> CampaignFile {
        let document = try CampaignDocumentForm.read(input)
        do {
            return try CampaignFile.read(
                document.file, named: "file", attachments: document.texts)
        } catch {
            throw ErrorBody(
                .badRequest, "invalidCampaign",
                // As many as anybody mends at a time: a file may have one in each byte.
                error.problems.prefix(50).map(\.description).joined(separator: " "), field: "file")
        }
    }

    static let planSchema = Schema.identifier("The plan's number.")
    static let planNumber = OperationDescription.Parameter.path("id", planSchema)

    /// A plan that was made.
    static let getPlan = Endpoint.tokenHolder(
        .get, "/v1/operator/campaigns/plans/{id}", "getCampaignPlan",
        OperationDescription(
            .theOperator, "Say what a plan adds up to", parameters: [planNumber],
            success: .ok("The plan.", CampaignForms.plan.schema),
            failures: [.init(.notFound, "unknownPlan")])
    ) { call, _ in
        let plan = try await call.merchant.campaignPlan(try number(in: call))
        return .object { CampaignForms.plan.write(plan, to: &$0) }
    }

    private static let paging = Paging(
        "subscribers", "In the order in which the merchant has heard of them.",
        of: CampaignForms.subscriber.schema, .after,
        .identifier("The number of the last one."))

    /// Who is in a plan.
    static let listSubscribers = Endpoint.tokenHolder(
        .get, "/v1/operator/campaigns/plans/{id}/subscribers", "listPlannedSubscribers",
        OperationDescription(
            .theOperator, "List what a plan says of each subscriber",
            parameters: [planNumber] + paging.parameters + [
                .query(
                    "decision",
                    .choice("Only with this one.", PlanDecision.allCases.map(\.rawValue))),
                .query("reason", .choice("Only for this one.", PlanReasons.all)),
            ],
            success: paging.success("The subscribers.", "A page of them."),
            failures: [.init(.notFound, "unknownPlan")])
    ) { call, input in
        let plan = try number(in: call)
        let filter = PlanFilter(
            decision: input.parameter("decision")?.string.flatMap(PlanDecision.init(rawValue:)),
            reason: input.parameter("reason")?.string)
        return try await paging.page(input) { after, limit in
            try await call.merchant.subscribers(of: plan, filter, after: after, limit: limit)
        } writing: { one, json in
            json.elementObject { CampaignForms.subscriber.write(one, to: &$0) }
        }
    }

    private struct Sample: Sendable { let subscribers: [PlannedSubscriber] }

    private static let sample = ObjectForm<Sample>(
        "Some subscribers of a plan.",
        .list(
            "subscribers", "As they were drawn.", \.subscribers, of: CampaignForms.subscriber))

    /// Some of them, to read.
    static let sampleSubscribers = Endpoint.tokenHolder(
        .get, "/v1/operator/campaigns/plans/{id}/sample", "samplePlannedSubscribers",
        OperationDescription(
            .theOperator, "Draw some subscribers of a plan at random",
            detail: "The same seed draws the same.",
            parameters: [
                planNumber, .query("count", .integer("How many; 20 unless given.", 1...200)),
                .query("seed", .integer("Any number; 0 unless given.")),
            ],
            success: .ok("The subscribers.", sample.schema),
            failures: [.init(.notFound, "unknownPlan")])
    ) { call, input in
        let count = input.parameter("count")?.integer ?? 20
        let drawn = Sample(
            subscribers: try await call.merchant.sample(
                of: try number(in: call), count: Int(count),
                seed: input.parameter("seed")?.integer ?? 0))
        return .object { sample.write(drawn, to: &$0) }
    }

    /// The plan that the path names.
    static func number(in call: Call) throws -> Int64 {
        guard let number = Int64(try call.pathText("id", planSchema)) else {
            throw MerchantError.unknownPlan(0)
        }
        return number
    }
}
