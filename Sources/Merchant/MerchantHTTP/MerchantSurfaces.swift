import AppStoreSigning
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// The surfaces of the merchant.
extension Surface {
    static let apple = Surface(
        "apple", "Where the App Store, or a store that speaks as it does, sends notifications.",
        root: "apple", errors: own)

    static let customers = Surface(
        "customers", "What apps and the developer's servers send and ask.", root: "v1",
        errors: own)

    static let merchantTools = Surface(
        "tools", "Description, liveness and metrics.", root: nil, errors: own)

    private static let own = CodedErrors(
        program: "merchant", translate: { error in (error as? MerchantError).map { ErrorBody($0) } }
    )
}

extension OperationDescription.Access {
    /// Whoever shows the app's token, or the server's.
    static let app = token("app")
    /// Whoever shows the server's token, or the operator's.
    static let server = token("server")
    /// Whoever shows the operator's token.
    static let theOperator = token("operator")
}

extension ErrorBody {
    init(_ error: MerchantError) {
        switch error {
        case .unknownApp(let bundleID):
            self.init(
                .notFound, "unknownApp",
                "This merchant serves no app \(bundleID.prefix(128))",
                remedy: "its configuration names those that it does", field: "bundleId")
        case .notVerified(let reason):
            self.init(
                .badRequest, "notVerified",
                "What was sent proves nothing (\(reason.code.rawValue)): \(reason.reason)")
        case .intake(let refusal): self.init(refusal)
        case .ownedByAnother, .keptByOwner, .stillActive, .sharedByTooMany:
            self.init(ofTransfer: error)
        case .reservedAccount, .unknownVersion, .unknownPurchase, .unknownOrder, .storeUnavailable:
            self.init(ofAccount: error)
        case .noServerAPI(let bundleID, let environment):
            self.init(
                .conflict, "noServerAPI",
                "The configuration of \(bundleID.prefix(128)) does not say where the App Store "
                    + "Server API of \(environment.name) is: give it `api`.", field: "bundleId")
        case .unknownRebuild(let number):
            self.init(.notFound, "unknownRebuild", "No rebuild has the number \(number).")
        case .invalidContact(let member, let rule):
            self.init(
                .badRequest, "invalidContact", "`\(member)` must be \(rule).", field: member)
        case .unknownPlan(let number):
            self.init(
                .notFound, "unknownPlan",
                "There is no plan \(number): a later plan of the campaign has taken its place, "
                    + "or it was never made.", field: "id")
        case .campaignExists, .unknownCampaign, .campaignState, .otherCampaignKind,
            .unknownSheet, .actionNotOffered:
            self.init(ofCampaign: error)
        case .unknownDeadLetter(let number):
            self.init(
                .notFound, "unknownDeadLetter",
                "No dead letter has the number \(number).")
        case .stillSetAside(let number, let problem):
            self.init(
                .conflict, "setAside",
                "Dead letter \(number) is meant for an app or environment that is not served "
                    + "(\(problem))",
                remedy: "serve that app or environment, and replay it")
        }
    }
}

/// Every endpoint of a merchant.
enum MerchantRoutes {
    static let all: [Endpoint] =
        AppleSurface.endpoints + CustomersSurface.endpoints + PurchasesSurface.endpoints
        + AccountsSurface.endpoints + ContactSurface.endpoints + CampaignsSurface.endpoints
        + CampaignDraftSurface.endpoints
        + OutageSurface.endpoints
        + CampaignRunsSurface.endpoints + SheetsSurface.endpoints
        + EventsSurface.endpoints + OverviewSurface.endpoints
        + OperatorSurface.endpoints + NotificationsSurface.endpoints
        + CampaignListSurface.endpoints + FiguresSurface.endpoints
        + ShopLinkSurface.endpoints + MerchantTools.endpoints

    static let table = with([])

    /// - Parameter pages: those for people.
    static func with(_ pages: [Endpoint]) -> RouteTable<MerchantSite> {
        RouteTable(all + pages, at: "merchant", elsewhere: .merchantTools)
    }
}
