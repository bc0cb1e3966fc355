import AppStoreSigning
import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules
import TimeAndChance

/// In-App Purchase keys of an app: with them its developer's servers sign request tokens and
/// offers (API-2, PRO-1).
extension ConnectSurface {
    private static let keyPath = "/connect/v1/apps/{bundleId}/keys"

    private static let keyPages = Paging(
        "keys", "Newest first.", of: .named("Key"), .before,
        .integer("The id of the last one of the page before."))

    /// The keys of an app.
    static let listKeys = Endpoint.operatorOnly(
        .get, keyPath, "listKeys",
        OperationDescription(
            .theOperator, "List the keys of an app, revoked ones too",
            detail: "The key that the store was started with is good for every app and stands in "
                + "no list.",
            parameters: [bundleIDParameter] + keyPages.parameters,
            success: keyPages.success("A page of them.", "Keys."),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        let issuerID = call.site.server.gate.issuerID
        return try await keyPages.page(input) { before, limit in
            try await call.store.keys(
                bundleID: call.text("bundleId"), before: before, limit: limit)
        } writing: { key, json in
            json.elementObject { key.write(to: &$0, issuerID) }
        }
    }

    /// Gives an app a key.
    static let addKey = Endpoint.operatorOnly(
        .post, keyPath, "addKey",
        OperationDescription(
            .theOperator, "Give an app a key",
            detail: "With `publicKey` the private half stays where it was made. Without it the "
                + "store makes a key and gives the private half out with this answer and never "
                + "again: it keeps the public half alone. Either is good for request tokens and "
                + "for both forms of signatures of promotional offers, of this app, in both "
                + "environments.",
            parameters: [bundleIDParameter],
            body: .members(
                .object(
                    "The key.",
                    .optional("name", .text("What the operator calls it.", 1...64)),
                    .optional(
                        "keyId",
                        .text(
                            "Its identifier, ten capital letters and digits; made up unless given.",
                            10...10, .visible)),
                    .optional(
                        "publicKey", .text("Its public half: P-256 in PEM.", 1...1024, .lines)))),
            success: .created("The key.", .named("NewKey")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.badRequest, "invalidPublicKey"),
                .init(.notFound, "unknownApp"), .init(.conflict, "keyTaken"),
            ])
    ) { call, input in
        var chance = MachineGenerator()
        let gate = call.site.server.gate
        let made = APIKey.generate(using: &chance, issuerID: gate.issuerID)
        let keyID = input.text("keyId") ?? made.keyID
        guard !gate.isCommon(keyID) else { throw StoreError.setting(.keyTaken(keyID)) }
        let given = try input.text("publicKey").map { text throws(ErrorBody) in
            guard let key = try? VerificationKey(publicKeyPEM: text) else {
                throw ErrorBody.notAPublicKey
            }
            return key
        }
        let key = try await call.store.addKey(
            AppKeyOrder(
                keyID: keyID, name: input.text("name") ?? "",
                publicKey: given ?? VerificationKey(made)),
            bundleID: call.text("bundleId"))
        var answer = Response.object(status: .created) { json in
            key.write(to: &json, gate.issuerID)
            json.field("privateKey", given == nil ? made.privateKeyPEM : nil)
        }
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    /// Revokes a key.
    static let revokeKey = Endpoint.operatorOnly(
        .post, keyPath + "/{keyId}/revoke", "revokeKey",
        OperationDescription(
            .theOperator, "Revoke a key of an app",
            detail: "From then on its request tokens are refused, those too that are not expired, "
                + "and its signatures of offers. Revoking it twice is the same as once; rewinding "
                + "the world brings it not back.",
            parameters: [
                bundleIDParameter, .path("keyId", .text("The key's identifier.", 1...64, .visible)),
            ],
            success: .ok("How it stands.", .named("Key")),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownKey")])
    ) { call, _ in
        let key = try await call.store.revokeKey(
            call.text("keyId"), bundleID: call.text("bundleId"))
        return .object { key.write(to: &$0, call.site.server.gate.issuerID) }
    }

    // MARK: Shapes

    private static let keyMembers: [Schema.Member] = [
        .required("id", .identifier("Its number.")),
        .required("keyId", .text("Its identifier: `kid`.")),
        .required("issuerId", .text("The team's identifier: `iss`.")),
        .optional("name", .text("What the operator calls it.")),
        .required("publicKey", .text("Its public half in PEM.")),
        .required("added", .moment("When the app got it.")),
        .optional("revoked", .moment("Since when it is not good any more.")),
    ]

    static let keySchema = Schema.object("An In-App Purchase key of an app.", keyMembers)

    static let newKeySchema = Schema.object(
        "A key that was made or taken over.",
        keyMembers + [
            .optional(
                "privateKey",
                .text(
                    "The private half, PKCS#8 in PEM, where the store has made it: a `.p8` file. "
                        + "It is given out here and nowhere else."))
        ])
}

extension AppKey {
    fileprivate func write(to json: inout JSONWriter, _ issuerID: String) {
        json.field("id", String(id))
        json.field("keyId", keyID)
        json.field("issuerId", issuerID)
        json.field("name", name.isEmpty ? nil : name)
        json.field("publicKey", publicKeyPEM)
        json.field("added", added.iso8601)
        json.field("revoked", revoked?.iso8601)
    }
}
