import AppStoreWire
import HTTPSurface
import NIOHTTP1
import StoreHTTP

/// What a store refuses, in the words of the command line: the store names members and paths, which
/// nobody types.
enum Refusal {
    /// What is typed for a member of a request.
    private static let options = [
        "existing": "--existing preserve|apply", "start": "--start", "quantity": "--quantity",
        "count": "the number", "limit": "--limit", "until": "--until", "to": "--to",
        "from": "--from", "by": "--by", "times": "--times", "percent": "--percent",
        "seed": "--seed", "operation": "--operation", "errorCode": "--error", "type": "--type",
        "account": "the account", "productId": "the product", "storefront": "the storefront",
        "price": "the price", "bundleId": "--bundle-id",
        "consumptionRequestReason": "--reason", "subtype": "the subtype",
        "requestIdentifier": "--request-identifier", "days": "--days",
        "storefrontCountryCodes": "--storefront", "after": "--after",
        "notificationType": "--type", "cohortPrice": "the cohort",
    ].merging(AppForm.settings.settings.map { ($0.name, "--\($0.option)") }) { own, _ in own }

    /// Members whose limits no store moves; others go by what it holds and by its clock.
    private static let fixed: Set = [
        "after", "by", "consumptionRequestReason", "count", "errorCode", "percent", "seed",
        "subtype", "times",
    ]

    /// Whether no store would take it.
    private static func isUsage(_ code: String, _ member: String?) -> Bool {
        switch code {
        case "invalidMember", "invalidParameter", "invalidQuantity", "missingMember", "otherKind":
            true
        case "invalidSetting": member.map(fixed.contains) ?? false
        default: false
        }
    }

    /// The failure that a refusal ends with. What no store would take, whatever it holds, is wrong
    /// usage.
    ///
    /// - Parameter problem: what is wrong alone, where the store says it apart from its remedy.
    static func failure(
        _ status: HTTPResponseStatus, code: String, message: String, problem: String? = nil,
        member: String?, _ appleError: APIError? = nil
    ) -> Failure {
        let remedy =
            appleError.flatMap { MerchantRemedies.remedy($0.code) }
            ?? remedy(status, code, member)
        // The store's own remedy is one for programs.
        let said = remedy == nil ? message : problem ?? message
        // Apple's errors are about the members of its JSON, which are not typed.
        let words = appleError == nil ? spoken(said, member) : said
        let option = member.flatMap { options[$0] }.flatMap { $0.hasPrefix("--") ? $0 : nil }
        var failure = Failure(isUsage(code, member) ? .usage : .refused, words, remedy: remedy)
        failure.refusal = code
        failure.field = member
        failure.appleError = appleError
        failure.option = option.flatMap { words.contains($0) ? nil : $0 }
        return failure
    }

    private static func spoken(_ message: String, _ member: String?) -> String {
        var words = message
        if let member, let option = options[member] {
            words = words.replacing("`\(member)` cannot be set so", with: option)
        }
        for (member, option) in options {
            words = words.replacing("`\(member)`", with: option)
        }
        return words.replacing(": send ", with: ": give ")
    }

    /// What to do at this terminal, where the store cannot know it. Words in capitals are filled
    /// in where the names are at hand (`StoreClient.explained`).
    private static func remedy(
        _ status: HTTPResponseStatus, _ code: String, _ member: String?
    ) -> String? {
        guard status != .unauthorized else {
            return "The token is not this store's: take `operatorToken` from its ready file."
        }
        return member.flatMap { remedies["\(code) \($0)"] } ?? remedies[code]
    }

    /// By the code, or by the code and the member.
    private static let remedies: [String: String] = [
        "alreadySubscribed":
            "`perennial status ACCOUNT` shows the subscription; `perennial plan ACCOUNT OTHER` "
            + "changes its plan, `perennial renewal ACCOUNT off` ends it.",
        "appExists":
            "`perennial app list` lists those that there are; `perennial serve FILE.storekit "
            + "--bundle-id ID` starts with other products of one.",
        "noScheduledPrice":
            "`perennial price changes --product PRODUCT` shows what was scheduled, and what "
            + "became of it.",
        "invalidSetting cohortPrice":
            "`perennial price schedule PRODUCT STOREFRONT PRICE` changes the list price; "
            + "`perennial price cohorts PRODUCT` shows who pays what.",
        "notRefunded":
            "`perennial refunds issue --transaction TRANSACTION` refunds it; `perennial bills show "
            + "TRANSACTION` shows how its payment stands.",
        "unknownApp": "`perennial app list` lists those that there are and adds one.",
        "unknownProduct": "`perennial price list` lists the products that there are.",
        "unknownAccount":
            "`perennial customer list` lists the accounts that there are; `perennial buy PRODUCT "
            + "--account ACCOUNT` makes one.",
        "unknownDevice": "`perennial customer devices ACCOUNT` lists those that there are.",
        "unknownTransaction": "`perennial timeline SUBSCRIPTION --all` shows those of one.",
        "unknownSubscription": "`perennial status ACCOUNT` shows those of an account.",
        "unknownCode":
            "`perennial offer codes list` lists the codes that there are; `perennial offer codes "
            + "create PRODUCT OFFER --count 10` makes codes of an offer.",
        "unknownFault": "`perennial fault list` lists those that there are.",
        "unknownRefundRequest": "`perennial refunds` lists the requests.",
        "unknownNotification": "`perennial notifications` lists those that there are.",
        "unknownMassExtension": "`perennial extensions` lists those that there are.",
        "unknownCohort": "`perennial price cohorts PRODUCT` shows who pays what.",
        "notForSale": "`perennial product availability PRODUCT` says where it is for sale.",
        "notBilledMonthly":
            "`perennial product monthly-billing PRODUCT` says whether it is sold month by month.",
        "stillForSale": "`perennial product availability PRODUCT off` does.",
        "productDeleted":
            "`perennial price list PRODUCT` shows what it cost; `perennial price list` lists those "
            + "that are sold.",
        "offSaleEverywhere":
            "`perennial product availability PRODUCT on` does, and leaves it off where it was "
            + "taken off "
            + "by --storefront.",
        "paymentsNotAllowed": "`perennial customer set ACCOUNT --can-make-payments on` does.",
        "purchaseInterrupted":
            "`perennial requests` lists it, `perennial requests approve REQUEST` settles it.",
        "requestClosed": "`perennial requests` shows how each ended.",
        "unknownPurchaseRequest": "`perennial requests` lists those that there are.",
        "sandboxCannotApprove": "`perennial app set --sandbox-approvals on` does.",
        "paymentDeclined": "`perennial pay ACCOUNT approve` gives another one.",
        "paymentPending":
            "`perennial bills --state pending` lists it, `perennial bills answer BILL paid` "
            + "answers it.",
        "reversedByBank": "`perennial bills answer TRANSACTION restored` lets it come again.",
        "unknownBill": "`perennial bills` lists those that there are.",
        "sandboxOnly": "Name the store by its ready file, or by the URL of its Sandbox.",
        "alreadyRevoked": "`perennial status ACCOUNT` lists what else was bought.",
        "noPriceIncrease": "`perennial price of SUBSCRIPTION` says when it is announced.",
        "noNotificationURL":
            "`perennial app set --notify http://127.0.0.1:9/` does, even if nobody listens there.",
        "clockIsSystem":
            "`perennial serve FILE.storekit --data DIRECTORY --clock running` makes a world whose "
            + "clock can be moved; `perennial world forks create NAME` copies this one into such "
            + "a world.",
        "unknownSnapshot": "`perennial world snapshots` lists those that there are.",
        "rateLimitExceeded":
            "`perennial serve FILE.storekit --rate-limits none` keeps no limits.",
        "unknownFork": "`perennial world forks` lists those that there are.",
        "nameTaken":
            "Choose another name; `perennial world snapshots` and `perennial world forks` list "
            + "those that "
            + "there are, and remove them.",
        "tooManyCopies":
            "`perennial world snapshots` and `perennial world forks` list those that there "
            + "are, and remove "
            + "them.",
        "hasOutsideBank": "`perennial world forks create NAME` makes a copy that asks no bank.",
    ]
}

/// What a request gives, or nil where the store refuses it with a code that is no surprise.
func unless<Value>(
    refused code: String, _ request: () async throws -> Value
) async throws -> Value? {
    do {
        return try await request()
    } catch let failure as Failure where failure.refusal == code {
        return nil
    }
}
