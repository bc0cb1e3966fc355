import AppStoreWire
import CryptoExtras
import Foundation
import SwiftASN1
import Testing
import X509

@testable import AppStoreSigning

extension ReceiptChain {
    /// The chain whose keys lie beside the golden files, so that receipts come out the same.
    static let shared: ReceiptChain = {
        guard let folder = Bundle.module.resourceURL?.appending(path: "Golden") else {
            fatalError("the test bundle has no resources")
        }
        do { return try load(from: folder.path) } catch { fatalError("\(error)") }
    }()

    private static let keys: [_RSA.Signing.PrivateKey] = {
        do {
            return try (0..<3).map { _ in try _RSA.Signing.PrivateKey(keySize: .bits2048) }
        } catch { fatalError("\(error)") }
    }()

    /// A chain of other keys, that may lack markers or be valid at another time.
    static func irregular(
        notBefore: Int64 = Instants.year2000, notAfter: Int64 = Instants.year2101,
        leafMarkers: [ASN1ObjectIdentifier] = [MarkerExtension.leaf],
        intermediateMarkers: [ASN1ObjectIdentifier] = [MarkerExtension.intermediate]
    ) throws -> ReceiptChain {
        var issuance = issuance(
            notBefore: notBefore, notAfter: notAfter, subjectSuffix: "irregular", root: keys[0],
            intermediate: keys[1], leaf: keys[2])
        issuance.leafMarkers = leafMarkers
        issuance.intermediateMarkers = intermediateMarkers
        return try ReceiptChain(
            certificates: (
                root: issuance.makeRoot(), intermediate: issuance.makeIntermediate(),
                leaf: issuance.makeLeaf()
            ),
            keys: (intermediate: keys[1], leaf: keys[2]))
    }
}

extension ReceiptSigner {
    static let shared: ReceiptSigner = {
        do { return try ReceiptSigner(chain: .shared) } catch { fatalError("\(error)") }
    }()
}

/// Receipts of all kinds.
enum Receipts {
    /// The device that they are made for.
    static let device = Array(UInt8(0xA0)..<0xB0)

    /// A month of a magazine, bought and renewed, with a trial and an offer.
    static let production: AppReceipt = {
        var receipt = AppReceipt(
            environment: .production, bundleID: "org.example.garden", appVersion: "42",
            creationDate: Instants.year2025,
            inApp: [
                InAppReceipt(
                    quantity: 1, productID: "magazine.monthly", transactionID: "70000000000001",
                    purchaseDate: Instants.year2025 - 3_000_000_000,
                    originalTransactionID: "70000000000001",
                    originalPurchaseDate: Instants.year2025 - 2_999_999_000,
                    productType: .autoRenewable, expiresDate: Instants.year2025 - 400_000_000,
                    storeItemID: 1_234_567_890, webOrderLineItemID: 70_000_000_000_101,
                    isTrialPeriod: true, isInIntroOfferPeriod: false),
                InAppReceipt(
                    quantity: 1, productID: "magazine.monthly", transactionID: "70000000000002",
                    purchaseDate: Instants.year2025 - 400_000_000,
                    originalTransactionID: "70000000000001",
                    originalPurchaseDate: Instants.year2025 - 2_999_999_000,
                    productType: .autoRenewable, expiresDate: Instants.year2025 + 2_000_000_000,
                    storeItemID: 1_234_567_890, webOrderLineItemID: 70_000_000_000_102,
                    cancellationDate: Instants.year2025 - 1000, isTrialPeriod: false,
                    isInIntroOfferPeriod: true, promotionalOfferID: "spring"),
                InAppReceipt(
                    quantity: 10, productID: "seeds", transactionID: "70000000000003",
                    purchaseDate: Instants.year2025 - 1000,
                    originalTransactionID: "70000000000003",
                    originalPurchaseDate: Instants.year2025 - 1000, productType: .consumable,
                    storeItemID: 1_234_567_891, isTrialPeriod: false),
            ],
            appAppleID: 1_234_567_800, requestDate: Instants.year2025, toolVersion: 4,
            ageRating: "4+", developerID: 987_654_321, downloadID: 500_000_000_000_000_000,
            versionExternalIdentifier: 880_000_000,
            originalPurchaseDate: Instants.year2025 - 30_000_000_000, originalAppVersion: "17")
        receipt.seal(forDevice: device)
        return receipt
    }()

    /// Nothing was bought yet.
    static let sandbox: AppReceipt = {
        var receipt = AppReceipt(
            environment: .sandbox, bundleID: "org.example.garden", appVersion: "42",
            creationDate: Instants.year2025, inApp: [], appAppleID: 0, toolVersion: 4,
            ageRating: "4+", developerID: 0, downloadID: 0, versionExternalIdentifier: 0,
            originalPurchaseDate: AppReceipt.sandboxOriginalPurchaseDate,
            originalAppVersion: AppReceipt.sandboxOriginalAppVersion)
        receipt.seal(forDevice: device)
        return receipt
    }()

    /// The few attributes that Xcode writes.
    static let xcode: AppReceipt = {
        var receipt = AppReceipt(
            environment: .xcode, bundleID: "org.example.garden", appVersion: "1",
            creationDate: Instants.year2025,
            inApp: [
                InAppReceipt(
                    quantity: 1, productID: "magazine.monthly", transactionID: "0",
                    purchaseDate: Instants.year2025 - 1000,
                    expiresDate: Instants.year2025 + 2_000_000_000, isInIntroOfferPeriod: false,
                    otherAttributes: [])
            ],
            // 1 January 4001.
            expirationDate: 64_092_211_200_000, otherAttributes: [])
        receipt.seal(forDevice: device)
        return receipt
    }()

    static let all = [production, sandbox, xcode]

    /// Whatever the order of its sets is.
    static func normal(_ receipt: AppReceipt) -> AppReceipt {
        var receipt = receipt
        receipt.otherAttributes.sort { $0.type < $1.type }
        receipt.inApp.sort { $0.transactionID < $1.transactionID }
        for index in receipt.inApp.indices {
            receipt.inApp[index].otherAttributes.sort { $0.type < $1.type }
        }
        return receipt
    }
}
