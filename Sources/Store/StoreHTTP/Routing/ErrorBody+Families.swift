import HTTPSurface
import HTTPTypes
import Store

// MARK: What is said of families

extension ErrorBody {
    /// Why a family is not changed, or what it shares is not.
    static func family(_ error: StoreError.FamilyError) -> ErrorBody {
        switch error {
        case .inFamily(let account):
            ErrorBody(
                .conflict, "inFamily",
                "\(account.shortened) is in a family already: it must leave that one first.",
                field: "account")
        case .notInFamily(let account):
            ErrorBody(
                .conflict, "notInFamily",
                account.isEmpty
                    ? "The customer is in no family: the operator makes one at "
                        + "/connect/v1/families."
                    : "\(account.shortened) is not in this family: GET /connect/v1/families says "
                        + "who is.")
        case .isFull(let most):
            ErrorBody(
                .conflict, "familyIsFull",
                "A family has \(most) people at most, the organiser included: remove one first.",
                field: "account")
        case .isOrganiser(let account):
            ErrorBody(
                .conflict, "isOrganiser",
                "\(account.shortened) is the organiser: end the family instead.",
                field: "account")
        case .isShared(let id):
            ErrorBody(
                .conflict, "familyShared",
                "\(id) came by Family Sharing: only its purchaser can do that.")
        case .notShareable(let id):
            ErrorBody(
                .conflict, "notShareable",
                "\(id) cannot be shared with a family: its product does not allow it.")
        }
    }

    static func unknownFamily(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownFamily",
            "There is no family \(id) here: GET /connect/v1/families lists those there are.")
    }
}
