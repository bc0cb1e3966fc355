public import AppStoreWire
import FoundationEssentials
import SwiftASN1
import X509

/// What is in a receipt, for people to read as JSON: every attribute with its number, its name and
/// its value. Nothing is verified.
public struct ReceiptDescription: WireEncodable, Sendable {
    private enum Content {
        case app(ReceiptContainer, [ReceiptAttribute])
        case transaction(TransactionReceipt)
    }

    private let content: Content

    /// Reads a receipt of either kind; throws ``ReceiptVerificationError/Code/malformed`` or
    /// ``ReceiptVerificationError/Code/tooLarge``.
    ///
    /// An app receipt may lack attributes, or have some that nobody knows: they are told as they
    /// are.
    public init(of bytes: [UInt8]) throws(ReceiptVerificationError) {
        switch ReceiptFormat(of: bytes) {
        case .appReceipt:
            let container = try ReceiptContainer(parsing: bytes)
            content = .app(container, try ReceiptAttribute.decode(payload: container.payload))
        case .transactionReceipt:
            content = .transaction(try TransactionReceipt(parsing: bytes))
        case nil:
            throw ReceiptVerificationError(
                .malformed,
                "A receipt begins with the byte 30 in hexadecimal, or with a brace: is it still in "
                    + "Base64?")
        }
    }

    /// Writes an object.
    public func encode(to json: inout JSONWriter) {
        switch content {
        case .app(let container, let attributes):
            json.object { json in
                json.field("format", ReceiptFormat.appReceipt.rawValue)
                json.array("attributes") { json in Self.encode(attributes, to: &json) }
                json.object("container") { json in container.describe(to: &json) }
            }
        case .transaction(let receipt):
            json.object { json in
                json.field("format", ReceiptFormat.transactionReceipt.rawValue)
                json.field("environment", receipt.environment)
                json.field("pod", receipt.pod)
                json.field("receipt", receipt.info)
            }
        }
    }

    private static func encode(_ attributes: [ReceiptAttribute], to json: inout JSONWriter) {
        for attribute in attributes.sorted(by: { $0.type < $1.type }) {
            json.elementObject { json in
                json.field("type", attribute.type)
                json.field("name", names[attribute.type])
                json.field("version", attribute.version)
                encode(value: attribute, to: &json)
            }
        }
    }

    private static func encode(value attribute: ReceiptAttribute, to json: inout JSONWriter) {
        if attribute.type == 17,
            let inner = try? ReceiptAttribute.read(
                attribute.value, limit: ReceiptLimit.transactionAttributes, "A transaction")
        {
            json.array("attributes") { json in encode(inner, to: &json) }
            return
        }
        // Sixteen bytes by chance may look like a text.
        let value =
            opaqueTypes.contains(attribute.type) ? .bytes : ReceiptAttributeValue(attribute.value)
        switch value {
        case .integer(let number): json.field("value", number)
        case .text(let text): json.field("value", text)
        case .bytes: json.field("hex", hexadecimal(attribute.value))
        }
    }

    fileprivate static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let opaqueTypes: Set<Int64> = [4, 5, 6, 7]

    /// Those whose meaning is known.
    private static let names: [Int64: String] = [
        0: "environment", 1: "appAppleId", 2: "bundleId", 3: "appVersion", 4: "opaqueValue",
        5: "deviceHash", 6: "opaqueSix", 7: "opaqueSeven", 8: "requestDate", 9: "toolVersion",
        10: "ageRating", 11: "developerId", 12: "creationDate", 15: "downloadId",
        16: "versionExternalIdentifier", 17: "inApp", 18: "originalPurchaseDate",
        19: "originalAppVersion", 21: "expirationDate", 1701: "quantity", 1702: "productId",
        1703: "transactionId", 1704: "purchaseDate", 1705: "originalTransactionId",
        1706: "originalPurchaseDate", 1707: "productType", 1708: "expiresDate",
        1710: "storeItemId", 1711: "webOrderLineItemId", 1712: "cancellationDate",
        1713: "isTrialPeriod", 1719: "isInIntroOfferPeriod", 1721: "promotionalOfferId",
    ]
}

extension ReceiptContainer {
    fileprivate func describe(to json: inout JSONWriter) {
        json.field("digests", digests.map(\.description))
        json.array("certificates") { json in
            for der in certificates {
                let certificate = try? Certificate(derEncoded: der)
                json.elementObject { json in
                    json.field("bytes", der.count)
                    json.field("subject", certificate?.subject.description)
                    json.field("issuer", certificate?.issuer.description)
                    json.field(
                        "serialNumber",
                        certificate.map { ReceiptDescription.hexadecimal($0.serialNumber.bytes) })
                    json.field(
                        "notBefore",
                        certificate.map { Self.date($0.notValidBefore.timeIntervalSince1970) })
                    json.field(
                        "notAfter",
                        certificate.map { Self.date($0.notValidAfter.timeIntervalSince1970) })
                }
            }
        }
        json.array("signers") { json in
            for signer in signers {
                json.elementObject { json in
                    json.field("serialNumber", ReceiptDescription.hexadecimal(signer.serialNumber))
                    json.field("digest", signer.digest.description)
                    json.field("algorithm", signer.algorithm.description)
                    json.field("signature", ReceiptDescription.hexadecimal(signer.signature))
                }
            }
        }
    }

    private static func date(_ seconds: Double) -> String {
        ReceiptDateText.write(Int64(seconds) * 1000)
    }
}
