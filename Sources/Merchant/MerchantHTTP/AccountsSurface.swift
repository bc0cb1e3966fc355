import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// What the developer's servers do with accounts: other names, what has happened, export and
/// erasure.
enum AccountsSurface {
    static let endpoints: [Endpoint] = [
        addAlias, listTransfers, getVersion, exportAccount, eraseAccount,
    ]

    private static let failures: [OperationDescription.Failure] = [
        .init(.notFound, "unknownApp"), .init(.badRequest, "reservedAccount"),
    ]

    /// Gives an account another name, and merges the account of that name into it.
    static let addAlias = Endpoint.tokenHolder(
        .post, "/v1/apps/{bundleId}/accounts/{account}/aliases", "addAlias",
        OperationDescription(
            .server, "Give an account another name",
            detail: "From then on both names answer as one, which cannot be undone. Where the "
                + "other name is an account already, its purchases, tokens and names move to the "
                + "account of the path, whose version becomes greater than both.",
            parameters: [CustomersSurface.bundleID, CustomersSurface.account],
            body: .members(
                .object(
                    "The other name.",
                    .required("alias", .text("The other name.", 1...255)))),
            success: .ok("What the account has now.", CustomerForms.customer.schema),
            failures: failures), audited: .subjectAndMember("alias")
    ) { call, input in
        let customer = try await call.merchant.alias(
            input.requiredText("alias"), to: try call.account(), of: try call.bundleID())
        return .object { CustomerForms.customer.write(customer, to: &$0) }
    }

    private static let paging = Paging(
        "transfers", "The newest first.", of: AccountForms.transfer.schema, .before,
        .identifier("The number of the last one."))

    /// What has happened to an account.
    static let listTransfers = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/accounts/{account}/transfers", "listAccountTransfers",
        OperationDescription(
            .server, "List how an account got and lost purchases",
            parameters: [CustomersSurface.bundleID, CustomersSurface.account]
                + paging.parameters,
            success: paging.success("The transfers.", "A page of them."), failures: failures)
    ) { call, input in
        let (account, bundleID) = (try call.account(), try call.bundleID())
        return try await paging.page(input) { before, limit in
            try await call.merchant.transfers(
                of: account, in: bundleID, before: before, limit: limit)
        } writing: { transfer, json in
            json.elementObject { AccountForms.transfer.write(transfer, to: &$0) }
        }
    }

    private static let version = Schema.identifier("A version of the account.")

    /// What an account had.
    static let getVersion = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/accounts/{account}/versions/{version}", "getAccountVersion",
        OperationDescription(
            .server, "Say what an account had after one of its versions",
            detail: "Judged at the moment of the last move up to that version, from what is known "
                + "today of the purchases that it had.",
            parameters: [
                CustomersSurface.bundleID, CustomersSurface.account, .path("version", version),
            ],
            success: .ok("What the account had then.", CustomerForms.customer.schema),
            failures: failures + [.init(.notFound, "unknownVersion")])
    ) { call, _ in
        let text = try call.pathText("version", version)
        let customer = try await call.merchant.customer(
            try call.account(), of: try call.bundleID(), at: Int64(text) ?? 0)
        return .object { CustomerForms.customer.write(customer, to: &$0) }
    }

    /// Everything that is kept about an account.
    static let exportAccount = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/accounts/{account}/export", "exportAccount",
        OperationDescription(
            .server, "Export everything that is kept about an account",
            detail: "With every signed text as it came.",
            parameters: [CustomersSurface.bundleID, CustomersSurface.account],
            success: .ok("All of it.", AccountForms.export.schema), failures: failures)
    ) { call, _ in
        let export = try await call.merchant.export(
            try call.account(), of: try call.bundleID())
        return .object { AccountForms.export.write(export, to: &$0) }
    }

    /// Erases an account.
    static let eraseAccount = Endpoint.tokenHolder(
        .delete, "/v1/apps/{bundleId}/accounts/{account}", "eraseAccount",
        OperationDescription(
            .server, "Erase an account",
            detail: "Its names, tokens and events are deleted, which cannot be undone. What it "
                + "owned stays without an owner, and no token binds that again. Erasing an account "
                + "that was never heard of changes nothing.",
            parameters: [CustomersSurface.bundleID, CustomersSurface.account],
            success: .ok("What was erased.", AccountForms.erased.schema), failures: failures),
        audited: .nobody
    ) { call, _ in
        let erased = try await call.merchant.erase(
            try call.account(), of: try call.bundleID())
        return .object { AccountForms.erased.write(erased, to: &$0) }
    }
}
