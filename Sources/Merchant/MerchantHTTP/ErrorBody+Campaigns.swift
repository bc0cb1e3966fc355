import HTTPSurface
import HTTPTypes
import Merchant

/// What is refused of campaigns.
extension ErrorBody {
    init(ofCampaign error: MerchantError) {
        switch error {
        case .campaignExists(let name):
            self.init(
                .conflict, "campaignExists",
                "A campaign \(name.prefix(64)) was started already: give the file another name.",
                field: "file")
        case .unknownCampaign(let name):
            self.init(
                .notFound, "unknownCampaign",
                "No campaign \(name.prefix(64)) was started: `perennial campaign run FILE --go` "
                    + "starts one.", field: "name")
        case .campaignState(let name, let state):
            self.init(
                .conflict, "campaignState",
                "The campaign \(name.prefix(64)) is \(state.rawValue), and does not do that.",
                field: "name")
        case .otherCampaignKind(let name):
            self.init(
                .conflict, "otherCampaignKind",
                "The campaign \(name.prefix(64)) is of another kind.", field: "name")
        case .unknownSheet(let number):
            self.init(
                .notFound, "unknownSheet",
                "The account has no sheet \(number), or it was answered or withdrawn: ask for the "
                    + "sheets again.", field: "id")
        case .actionNotOffered(let actions):
            self.init(
                .badRequest, "actionNotOffered",
                "The sheet offers \(actions.joined(separator: ", ")): send one of them.",
                field: "action")
        default: preconditionFailure("\(error) is about no campaign")
        }
    }
}
