import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

/// verifyReceipt, which servers called until there was the App Store Server API, and thousands
/// still do (RCP-1). It lies beside the other surfaces, at both ports.
enum ReceiptSurface {
    static let endpoints: [Endpoint] = [verifyReceipt]

    /// Verifies a receipt. Every verdict is a status of 200.
    static let verifyReceipt = Endpoint(
        .post, "/verifyReceipt", "verifyReceipt", on: .verifyReceipt,
        description: OperationDescription(
            .tools, "Verify a receipt",
            detail: "As Apple's, which is deprecated since June 2023. The body is JSON with "
                + "`receipt-data` in Base64, `password` and `exclude-old-transactions`, whatever "
                + "Content-Type it has. Every verdict is answered 200 and told by `status`; "
                + "another method than POST is 21000.",
            body: .file("The request."),
            success: .ok(
                "The verdict.", .anything("Its `status`, and with 0 and 21006 what was bought.")))
    ) { call in
        let body = try await call.body(upTo: call.site.server.options.limits.file)
        if let fault = try await call.faultOfReceipts() { return answer(fault) }
        return answer(
            try await call.store.verifyReceipt(
                Array(body.readableBytesView), in: call.environment))
    }

    /// What every answer says besides (RFC 8594).
    static func answer(_ reply: ReceiptReply) -> Response {
        var response = Response.json(reply)
        if let name = HTTPField.Name("Deprecation") {
            response.headers[name] = "Mon, 05 Jun 2023 00:00:00 GMT"
        }
        return response
    }
}

extension Call {
    /// Lets the operator's fault rules hold the call up, or answer it: with the status that a rule
    /// names; otherwise one call too many is 21005, Apple's retryable error 21100 with
    /// `is_retryable`, the other internal one 21199, anything else 21009. Which app it is about is
    /// not known yet, so a rule for one app does not apply.
    fileprivate func faultOfReceipts() async throws -> ReceiptReply? {
        let verdict = try await store.judgeCall(
            to: CallFault.verifyReceipt, by: Caller(bundleID: "", environment: environment))
        if verdict.wait.milliseconds > 0 {
            await site.server.wait(.milliseconds(verdict.wait.milliseconds))
        }
        switch verdict.refusal {
        case nil: return nil
        case .limit: return .refused(.unavailable)
        case .error(.generalInternalRetryable):
            return .failing(VerifyReceiptStatus(rawValue: 21100))
        case .error(.generalInternal):
            return .failing(VerifyReceiptStatus(rawValue: 21199))
        case .error(let error): return .failing(error.receiptStatus ?? .internalDataAccess)
        }
    }
}

extension ReceiptReply {
    /// A refusal that a fault rule asks for. Internal errors say whether to try again: all but the
    /// last, 21199.
    fileprivate static func failing(_ status: VerifyReceiptStatus) -> ReceiptReply {
        let isInternal = VerifyReceiptStatus.internalErrors.contains(status.rawValue)
        return .ofApp(
            VerifyReceiptResponse(
                status: status, isRetryable: isInternal ? status.rawValue != 21199 : nil))
    }
}

/// Errors as verifyReceipt tells them: with 200 and a status.
struct ReceiptErrors: ErrorForm {
    func answer(to error: any Error) -> Response? { nil }

    func answer(to trouble: RequestTrouble) -> Response {
        switch trouble {
        case .bodyTooLarge: .empty(.contentTooLarge)
        case .methodNotAllowed: ReceiptSurface.answer(.refused(.notPost))
        case .passing: ReceiptSurface.answer(.refused(.unavailable))
        case .failed: ReceiptSurface.answer(.refused(.internalDataAccess))
        // Nothing of these can be met here.
        case .unauthenticated, .tooOften, .unknownPath: .empty(.notFound)
        }
    }

    // MARK: Descriptions

    var codeMember: String { "status" }
    var hasNumbers: Bool { true }

    func fields(of status: Int) -> [(name: String, about: String)] { [] }

    func failures(of operation: OperationDescription) -> [OperationDescription.Failure] {
        [.init(bare: .contentTooLarge)]
    }
}
