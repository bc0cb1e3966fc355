import NIOHTTP1

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
        "price": "the price", "bundleId": "--bundle-id", "name": "--name",
        "notificationUrl": "--notify-production", "sandboxNotificationUrl": "--notify-sandbox",
        "sandboxRenewalLimit": "--sandbox-renewal-limit",
        "failingExtensions": "--failing-extensions", "gracePeriod": "--grace-period",
        "sandboxGracePeriod": "--sandbox-grace-period", "graceScope": "--grace-scope",
        "consumptionRequestReason": "--reason", "subtype": "the subtype",
        "requestIdentifier": "--request-identifier", "days": "--days",
        "storefrontCountryCodes": "--storefront", "after": "--after",
        "pendingRenewalDays": "--pending-renewal-days",
    ]

    /// The failure that a refusal ends with. What no store would take, whatever it holds, is wrong
    /// usage.
    static func failure(
        _ status: HTTPResponseStatus, code: String, message: String, member: String?
    ) -> Failure {
        var words = spoken(message, member)
        let remedy = remedy(status, code)
        // The store's own remedy, behind the colon, is one for programs.
        if remedy != nil, replaced.contains(code), let colon = words.lastRange(of: ": ") {
            words = String(words[..<colon.lowerBound]) + "."
        }
        let isUsage = ["invalidMember", "invalidParameter", "invalidQuantity"].contains(code)
        let option = member.flatMap { options[$0] }.flatMap { $0.hasPrefix("--") ? $0 : nil }
        var failure = Failure(isUsage ? .usage : .refused, words, remedy: remedy)
        failure.refusal = code
        failure.field = member
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

    /// The codes whose message ends with what a program would do.
    private static let replaced: Set = [
        "noNotificationURL", "paymentDeclined", "paymentPending", "reversedByBank", "sandboxOnly",
        "unknownAccount", "unknownApp", "unknownBill", "unknownFault", "unknownRefundRequest",
        "unknownSubscription",
    ]

    /// What to do at this terminal, where the store cannot know it.
    private static func remedy(_ status: HTTPResponseStatus, _ code: String) -> String? {
        switch code {
        case _ where status == .unauthorized:
            "The token is not this store's: take `operatorToken` from its ready file."
        case "unknownApp": "`perennial apps` lists those that there are and adds one."
        case "unknownProduct": "`perennial prices` lists the products that there are."
        case "unknownAccount":
            "`perennial customers` lists the accounts that there are; `buy` makes one."
        case "unknownTransaction": "`perennial timeline` shows those of a subscription."
        case "unknownSubscription": "`perennial status ACCOUNT` shows those of an account."
        case "unknownFault": "`perennial faults` lists those that there are."
        case "unknownRefundRequest": "`perennial refunds` lists the requests."
        case "notForSale": "`perennial availability PRODUCT` says where it is for sale."
        case "offSaleEverywhere":
            "`perennial availability PRODUCT on` does, and leaves it off where it was taken off "
                + "by --storefront."
        case "paymentDeclined": "`perennial pay ACCOUNT approve` gives another one."
        case "paymentPending":
            "`perennial bills --state pending` lists it, `perennial bills answer ID paid` answers "
                + "it."
        case "reversedByBank": "`perennial bills answer TRANSACTION restored` lets it come again."
        case "unknownBill": "`perennial bills` lists those that there are."
        case "sandboxOnly": "Name the store by its ready file, or by the URL of its Sandbox."
        case "alreadyRevoked":
            "`perennial timeline` shows the transactions of other periods; --transaction names one."
        case "noPriceIncrease": "`perennial price-change of` says when it is announced."
        case "noNotificationURL":
            "`perennial app set --notify http://127.0.0.1:9/` does, even if nobody listens there."
        default: nil
        }
    }
}

extension String {
    /// Where a text stands last.
    fileprivate func lastRange(of text: String) -> Range<String.Index>? {
        ranges(of: text).last
    }
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
