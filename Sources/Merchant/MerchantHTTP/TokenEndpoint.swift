import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// What changes nothing although it is no GET, and so is not audited.
private enum Unaudited {
    static let names: Set = ["settleMerchant", "checkCampaign"]
}

/// What the audit log says that an operation is about.
enum AuditedSubject: Sendable {
    /// What the path names, else the account of the body.
    case subject
    /// The account of the path, and the other name that the body gives it.
    case subjectAndMember(String)
    /// Nobody: the log forgets an erased name, and must not hear it again.
    case nobody
}

extension Endpoint {
    /// An operation for whoever shows a token that the description names, or a higher one. The
    /// token of an app opens that app alone. What the operator or a server changes is audited.
    static func tokenHolder(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, isBrief: Bool = false,
        _ description: OperationDescription, audited: AuditedSubject = .subject,
        handle: @escaping @Sendable (Call, Input) async throws -> Response
    ) -> Endpoint {
        let isOfApp = path.contains("{bundleId}")
        var described = description
        if isOfApp { described.failures.append(.init(.forbidden, "otherApp")) }
        if description.access != .app { described.failures.append(.init(.forbidden, "forbidden")) }
        described.failures.append(.init(.tooManyRequests, "tooManyRequests"))
        let subjects = description.parameters.filter { $0.place == .path && $0.name != "bundleId" }
            .map(\.name)
        let changes = method != .get && !Unaudited.names.contains(name)
        return Endpoint(
            method, path, name, on: .customers, isBrief: isBrief, described,
            admit: { call in
                let holder = try call.holder()
                guard holder.opens(description.access) else {
                    throw ErrorBody(
                        .forbidden, "forbidden",
                        "The \(holder.scope.rawValue)'s token does not open this",
                        remedy: "show the \(description.access.token ?? "operator")'s")
                }
                // What a page asks for is counted with nobody's requests.
                if call.site.caller == nil {
                    try call.site.server.gate.admit(holder, at: call.server.machineTime())
                }
                if isOfApp { try holder.checkApp(of: call) }
            },
            handle: { call, input in
                guard changes else { return try await handle(call, input) }
                let holder = try call.holder()
                guard holder.scope != .app else { return try await handle(call, input) }
                let named = subjects.compactMap { call.parameter($0) }.first
                let about = audited.names(named ?? input.text("account"), input)
                let act = AuditedAct(
                    at: call.server.machineTime(), scope: holder.scope.rawValue,
                    bundleID: isOfApp ? call.parameter("bundleId") : nil, route: name,
                    subject: about.subject, otherName: about.otherName)
                return try await call.merchant.audited(act, code: { ErrorBody.code(of: $0) }) {
                    try await handle(call, input)
                }
            })
    }
}

extension AuditedSubject {
    fileprivate func names(
        _ subject: String?, _ input: Input
    ) -> (subject: String?, otherName: String?) {
        switch self {
        case .subject: (subject, nil)
        case .subjectAndMember(let member): (subject, input.text(member))
        case .nobody: (nil, nil)
        }
    }
}

extension TokenHolder {
    /// Refuses the token of another app.
    fileprivate func checkApp(of call: Call) throws {
        guard let bundleID, bundleID != call.parameter("bundleId") else { return }
        throw ErrorBody(
            .forbidden, "otherApp",
            "The token is of the app \(bundleID): show the one of the app that the path names.",
            field: "bundleId")
    }
}

extension Call {
    /// Whose token was shown.
    ///
    /// - Throws: `Unauthenticated` where none was, or a wrong one.
    func holder() throws(Unauthenticated) -> TokenHolder {
        if let caller = site.caller { return caller.holder }
        guard let holder = site.server.tokens.holder(of: try bearerToken()) else {
            throw Unauthenticated()
        }
        return holder
    }
}

extension ErrorBody {
    /// What programs branch on, of anything that was thrown.
    fileprivate static func code(of error: any Error) -> String {
        if let body = error as? ErrorBody { return body.code }
        if let error = error as? MerchantError { return ErrorBody(error).code }
        return "failed"
    }
}
