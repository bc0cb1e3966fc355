import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

/// What devices ask about receipts.
extension StorefrontSurface {
    private static let receiptAnswer = OperationDescription.Success.ok(
        "The receipt.",
        .object(
            "A receipt.",
            .required(
                "receipt", .text("In Base64, as apps send it to their servers.")),
            .required(
                "deviceIdentifier",
                .uuid(
                    "The device that it is sealed for, as its vendor identifier: the name of the "
                        + "device where that is a UUID."))))

    /// The app receipt, the file at `appStoreReceiptURL`.
    static let getReceipt = Endpoint.device(
        .get, "/storefront/v1/receipt", "getReceipt",
        OperationDescription(
            .device, "Get the app receipt",
            detail: "Of everything that the customer bought in this app, as it is now; consumables "
                + "leave it once they are finished. Its root certificate is in the file that the "
                + "ready file names as `receiptRootCertificateFile`.",
            success: receiptAnswer)
    ) { call, device, _ in
        let receipt = try await call.store.receipt(for: device)
        return .object { receipt.write(to: &$0) }
    }

    /// The receipt of one transaction, as apps had it until iOS 6.
    static let getTransactionReceipt = Endpoint.device(
        .get, "/storefront/v1/transactions/{transactionId}/receipt", "getTransactionReceipt",
        OperationDescription(
            .device, "Get the receipt of one transaction, in the form of iOS 6",
            parameters: [.path("transactionId", .identifier("The transaction."))],
            success: receiptAnswer, failures: [.init(.notFound, "unknownTransaction")])
    ) { call, device, _ in
        let receipt = try await call.store.receipt(
            ofTransaction: try call.pathIdentifier("transactionId", of: .transaction), for: device)
        return .object { receipt.write(to: &$0) }
    }
}

extension MadeReceipt {
    func write(to json: inout JSONWriter) {
        json.field("receipt", base64)
        json.field("deviceIdentifier", deviceIdentifier)
    }
}
