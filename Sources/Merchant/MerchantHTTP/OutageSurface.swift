import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import MerchantConfiguration
import MerchantRules

/// Outages: started here, and looked at.
enum OutageSurface {
    static let endpoints: [Endpoint] = [startOutage, getOutage, listSubscribers]

    /// Starts a campaign.
    static let startOutage = Endpoint.tokenHolder(
        .post, "/v1/operator/outages", "startOutage",
        OperationDescription(
            .theOperator, "Start an outage campaign",
            detail: "Extends renewal dates, which cannot be taken back. Answers at once: the "
                + "campaign goes on, also after a restart, and says how far it is. Starting it "
                + "again by the same file changes nothing.",
            body: .members(CampaignDocumentForm.body()),
            success: .accepted("It has begun.", OutageForms.report.schema),
            failures: [
                .init(.badRequest, "invalidCampaign"), .init(.notFound, "unknownApp"),
                .init(.conflict, "noServerAPI"), .init(.conflict, "campaignExists"),
            ])
    ) { call, input in
        let file = try CampaignsSurface.campaign(input)
        guard case .outage = file.definition.work else {
            throw ErrorBody(
                .badRequest, "invalidCampaign", "The campaign's `kind` must be outage here.",
                field: "file")
        }
        let begun = try await call.merchant.startOutage(
            file.definition, file: file.text, attachments: file.attachments)
        guard call.site.server.processesFirst else {
            return .object(status: .accepted) { OutageForms.report.write(begun, to: &$0) }
        }
        try await call.merchant.settleOutages(patience: .seconds(10))
        let report = try await call.merchant.outageReport(begun.name, of: begun.bundleID)
        return .object(status: .accepted) { OutageForms.report.write(report, to: &$0) }
    }

    private static let nameSchema = Schema.text("The campaign's name.", 1...255)
    private static let parameters = [
        OperationDescription.Parameter.path("bundleId", .text("The app.", 1...255)),
        OperationDescription.Parameter.path("name", nameSchema),
    ]

    /// How far it is.
    static let getOutage = Endpoint.tokenHolder(
        .get, "/v1/operator/outages/{bundleId}/{name}", "getOutage",
        OperationDescription(
            .theOperator, "Say how far an outage campaign is", parameters: parameters,
            success: .ok("The campaign.", OutageForms.report.schema),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownCampaign")])
    ) { call, _ in
        let report = try await call.merchant.outageReport(
            try call.pathText("name", nameSchema), of: try call.bundleID())
        return .object { OutageForms.report.write(report, to: &$0) }
    }

    private static let paging = Paging(
        "subscribers", "In the order in which the merchant has heard of them.",
        of: OutageForms.subscriber.schema, .after, .identifier("The number of the last one."))

    /// What became of whom.
    static let listSubscribers = Endpoint.tokenHolder(
        .get, "/v1/operator/outages/{bundleId}/{name}/subscribers", "listOutageSubscribers",
        OperationDescription(
            .theOperator, "List what became of each subscription of an outage campaign",
            parameters: parameters + paging.parameters + [
                .query(
                    "outcome",
                    .choice(
                        "Only with this one.",
                        OutageCampaignState.Outcome.allCases.map(\.rawValue)))
            ],
            success: paging.success("The subscriptions.", "A page of them."),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownCampaign")])
    ) { call, input in
        let name = try call.pathText("name", nameSchema)
        let bundleID = try call.bundleID()
        let outcome = input.parameter("outcome")?.string
            .flatMap(OutageCampaignState.Outcome.init(rawValue:))
        return try await paging.page(input) { after, limit in
            try await call.merchant.outageSubscribers(
                name, of: bundleID, outcome, after: after, limit: limit)
        } writing: { one, json in
            json.elementObject { OutageForms.subscriber.write(one, to: &$0) }
        }
    }
}
