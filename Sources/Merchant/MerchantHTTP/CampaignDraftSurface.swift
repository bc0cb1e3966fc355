import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import MerchantConfiguration
import PlacedYAML

/// What stands before a campaign begins: its file is checked, and read back from its plan.
enum CampaignDraftSurface {
    static let endpoints: [Endpoint] = [checkCampaign, getPlanFile, getPlanToday]

    private struct Problem: Sendable {
        let line: Int64?
        let member: String?
        let message: String

        init(_ problem: ConfigurationProblem) {
            line = problem.line.map { Int64($0) }
            member = problem.member.isEmpty ? nil : problem.member
            message = problem.message
        }
    }

    private struct NamedFile: Sendable {
        let name: String
        let isGiven: Bool
    }

    private struct Checked: Sendable {
        let bundleID: String?
        let name: String?
        let kind: String?
        let problems: [Problem]
        let files: [NamedFile]
    }

    private static let problem = ObjectForm<Problem>(
        "Something that is wrong with a file.",
        .optional("line", .integer("The line, from 1; absent where none is to blame."), \.line),
        .optionalText("member", "The member; absent where it is the file as a whole.", \.member),
        .text("message", "What is wrong and what to do.", \.message))

    private static let namedFile = ObjectForm<NamedFile>(
        "A file that the campaign names.",
        .text("name", "As the campaign names it.", \.name),
        .boolean("given", "Whether it was sent with the campaign.", \.isGiven))

    private static let checked = ObjectForm<Checked>(
        "What was found in a campaign's file.",
        .optionalText("bundleId", "The app; absent where something is wrong.", \.bundleID),
        .optionalText("campaign", "The campaign's name; absent likewise.", \.name),
        .optionalText("kind", "price or outage; absent likewise.", \.kind),
        .list(
            "problems", "At most fifty, in the order of the file; none where it can be planned.",
            \.problems, of: problem),
        .list("files", "As far as the file could be read.", \.files, of: namedFile))

    /// Says what is wrong with a campaign's file.
    static let checkCampaign = Endpoint.tokenHolder(
        .post, "/v1/operator/campaigns/check", "checkCampaign",
        OperationDescription(
            .theOperator, "Check a campaign's file",
            detail: "Says everything that is wrong with it, and which files it names. Keeps, sends "
                + "and calls nothing.",
            body: .members(CampaignDocumentForm.body()),
            success: .ok("What was found.", checked.schema))
    ) { call, input in
        let document = try CampaignDocumentForm.read(input)
        let given = document.texts
        let found = CampaignFile.check(document.file, named: "file", attachments: given)
        let answer = Checked(
            bundleID: found.definition?.bundleID, name: found.definition?.name,
            kind: found.definition?.kind.rawValue,
            // As many as anybody mends at a time: a file may have one in each byte.
            problems: found.problems.prefix(50).map { Problem($0) },
            files: found.names.map { NamedFile(name: $0, isGiven: given[$0] != nil) })
        return .object { checked.write(answer, to: &$0) }
    }

    // MARK: The file of a plan

    /// What a plan was made of.
    static let getPlanFile = Endpoint.tokenHolder(
        .get, "/v1/operator/campaigns/plans/{id}/file", "getCampaignPlanFile",
        OperationDescription(
            .theOperator, "Read the file of a plan back",
            detail: "With the files that it names, by name. Send both to `run` to start what was "
                + "planned.",
            parameters: [CampaignsSurface.planNumber],
            success: .ok("The file.", CampaignDocumentForm.document.schema),
            failures: [.init(.notFound, "unknownPlan")])
    ) { call, _ in
        let source = try await call.merchant.campaignSource(
            ofPlan: try CampaignsSurface.number(in: call))
        return .object { CampaignDocumentForm.document.write(CampaignDocument(source), to: &$0) }
    }

    /// What would go out within a day.
    static let getPlanToday = Endpoint.tokenHolder(
        .get, "/v1/operator/campaigns/plans/{id}/today", "getCampaignPlanToday",
        OperationDescription(
            .theOperator, "Say what a planned price campaign would do within a day of its plan",
            parameters: [CampaignsSurface.planNumber],
            success: .ok("How much.", CampaignRunForms.today.schema),
            failures: [
                .init(.notFound, "unknownPlan"), .init(.conflict, "otherCampaignKind"),
                .init(.conflict, "unreadableCampaign"),
            ])
    ) { call, _ in
        let number = try CampaignsSurface.number(in: call)
        let plan = try await call.merchant.campaignPlan(number)
        guard plan.kind == CampaignDefinition.Kind.price.rawValue else {
            throw MerchantError.otherCampaignKind(plan.name)
        }
        let definition = try CampaignListSurface.definition(
            of: try await call.merchant.campaignSource(ofPlan: number))
        let today = try await call.merchant.today(of: plan, by: definition)
        return .object { CampaignRunForms.today.write(today, to: &$0) }
    }
}
