import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import SubscriptionRules

/// How customers are reached.
enum ContactSurface {
    static let endpoints: [Endpoint] = [setContact]

    private static let device = ObjectForm<PushToken>(
        "A device that takes pushes.",
        .text("token", "In hexadecimal digits.", \.token),
        .choice("environment", "Which of Apple's push services knows it.", \.environment))

    static let contact = ObjectForm<AccountContact>(
        "How an account's customer is reached.",
        .optionalText("email", "The address for mail.", \.email),
        .optionalText("locale", "A language tag such as de or pt-BR.", \.locale),
        .list("pushTokens", "The devices.", \.pushTokens, of: device),
        .optionalMoment("since", "When it was set last.", \.since))

    /// Sets how an account's customer is reached.
    static let setContact = Endpoint.tokenHolder(
        .put, "/v1/apps/{bundleId}/accounts/{account}/contact", "setContact",
        OperationDescription(
            .app, "Set how an account's customer is reached",
            detail: "In place of what was kept before: what is left out is removed. Campaigns "
                + "write there; nothing else does.",
            parameters: [CustomersSurface.bundleID, CustomersSurface.account],
            body: .members(
                .object(
                    "Where.",
                    .optional("email", .text("The address for mail.", 3...254)),
                    .optional("locale", .text("A language tag such as de or pt-BR.", 2...35)),
                    .optional("pushTokens", .list("The devices.", of: device.schema)))),
            success: .ok("What is kept.", contact.schema),
            failures: [
                .init(.notFound, "unknownApp"), .init(.badRequest, "reservedAccount"),
                .init(.badRequest, "invalidContact"),
            ])
    ) { call, input in
        let kept = try await call.merchant.setContact(
            try wanted(input), of: try call.account(), in: try call.bundleID())
        return .object { contact.write(kept, to: &$0) }
    }

    private static func wanted(_ input: Input) throws(MerchantError) -> AccountContact {
        var tokens: [PushToken] = []
        for one in input.objects("pushTokens") ?? [] {
            guard
                let environment = PushToken.Environment(rawValue: one.requiredText("environment")),
                let token = PushToken(one.requiredText("token"), environment: environment)
            else {
                throw .invalidContact("pushTokens", "tokens of 64 to 400 hexadecimal digits")
            }
            tokens.append(token)
        }
        return AccountContact(
            email: input.text("email"), locale: input.text("locale"), pushTokens: tokens)
    }
}
