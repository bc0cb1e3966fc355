import HTTPSurface
import HTTPTypes
import Store

/// The surfaces of the store.
extension Surface {
    static let storefront = Surface(
        "storefront", "What StoreKit does for an app on a customer's device.",
        root: "storefront", errors: own)

    static let connect = Surface(
        "connect", "What App Store Connect and a sandbox control panel do.", root: "connect",
        errors: own)

    static let tools = Surface(
        "tools", "Description, liveness and metrics.", root: nil, errors: own)

    static let serverAPI = Surface(
        "app-store-server-api", "What a developer's server asks and tells the App Store.",
        root: "inApps", errors: ServerAPIErrors())

    static let verifyReceipt = Surface(
        "verify-receipt", "What servers asked of receipts before there was the server API.",
        root: nil, errors: ReceiptErrors())

    static let advancedCommerce = Surface(
        "advanced-commerce", "What a developer's server asks of what it describes itself.",
        root: "advancedCommerce", errors: ServerAPIErrors())

    /// How all surfaces of our own tell errors.
    private static let own = CodedErrors(
        program: "store", translate: { ($0 as? StoreError).map { ErrorBody($0) } },
        explain: { error, request in
            guard Store.isDamage(error) else { return nil }
            return ErrorBody(
                .internalServerError, "damaged",
                "What is stored is damaged: the log says where under request \(request), "
                    + "`perennial world check` all of it.")
        })
}

extension OperationDescription.Access {
    /// Whoever shows the token of a sign-in.
    static let device = token("device")
    /// Whoever shows the operator's token.
    static let theOperator = token("operator")
    /// Whoever shows a request token for the App Store Server API.
    static let developer = token("developer")
}
