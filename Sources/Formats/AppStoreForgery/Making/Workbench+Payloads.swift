import AppStoreSigning
import AppStoreWire
import FoundationEssentials

extension Workbench {
    /// The genuine payload of a subject.
    static func payload(
        of subject: ForgerySubject, _ material: ForgeryMaterial, _ forger: Forger, _ nonces: Nonces
    ) throws -> [UInt8] {
        switch subject {
        case .transaction: material.transaction.jsonBytes()
        case .renewalInfo: try renewalInfo(material).jsonBytes()
        case .notification: try notification(material, forger, nonces).jsonBytes()
        case .appTransaction: material.appTransaction.jsonBytes()
        case .requestToken: requestToken(material, forger).bytes
        case .inAppRequest: inAppRequest(material, forger, nonces).bytes
        case .receipt: preconditionFailure("receipts are made on a bench of their own")
        }
    }

    private static func renewalInfo(
        _ material: ForgeryMaterial
    ) throws -> JWSRenewalInfoDecodedPayload {
        guard let info = material.renewalInfo else { throw ForgeryImpossible.notASubscription }
        return info
    }

    /// A notification such as the store would send of the purchase.
    private static func notification(
        _ material: ForgeryMaterial, _ forger: Forger, _ nonces: Nonces
    ) throws -> ResponseBodyV2DecodedPayload {
        let signer = JWSSigner(chain: forger.chain)
        let transaction = material.transaction
        var kind: (type: NotificationTypeV2, subtype: Subtype?) = (.oneTimeCharge, nil)
        if material.renewalInfo != nil {
            kind =
                transaction.transactionReason == .renewal
                ? (.didRenew, nil) : (.subscribed, .initialBuy)
        }
        let isProduction = transaction.environment == .production
        return ResponseBodyV2DecodedPayload(
            notificationType: kind.type, subtype: kind.subtype, notificationUUID: nonces.own,
            data: NotificationData(
                appAppleId: isProduction ? material.appAppleID : nil,
                bundleId: transaction.bundleId, environment: transaction.environment,
                signedTransactionInfo: try signer.sign(transaction),
                signedRenewalInfo: try material.renewalInfo.map { try signer.sign($0) },
                status: material.status),
            version: "2.0", signedDate: transaction.signedDate)
    }

    /// The claims of a token as Apple's clients make them.
    private static func requestToken(_ material: ForgeryMaterial, _ forger: Forger) -> RawObject {
        let issued = Int64(material.now.rounded(.down))
        var claims = RawObject()
        claims.add("iss", forger.key.issuerID)
        claims.add("iat", raw: "\(issued)")
        claims.add("exp", raw: "\(issued + 300)")
        claims.add("aud", RequestToken.audience)
        claims.add("bid", material.transaction.bundleId)
        return claims
    }

    /// The claims of a request for something that is charged once.
    private static func inAppRequest(
        _ material: ForgeryMaterial, _ forger: Forger, _ nonces: Nonces
    ) -> RawObject {
        let issued = Int64(material.now.rounded(.down))
        let request = AdvancedCommerceOneTimeChargeCreateRequest(
            requestInfo: AdvancedCommerceRequestInfo(requestReferenceId: nonces.reference),
            currency: material.transaction.currency ?? "USD",
            taxCode: AdvancedCommerceTaxCategory.known[0].oneTimeCharge,
            item: AdvancedCommerceOneTimeChargeItem(
                sku: "forged-seeds", displayName: "Seeds", description: "A bag of seeds",
                price: 1990))
        var claims = RawObject()
        claims.add("iss", forger.key.issuerID)
        claims.add("iat", raw: "\(issued)")
        claims.add("aud", InAppRequestToken.audience)
        claims.add("bid", material.transaction.bundleId)
        claims.add("nonce", nonces.own)
        claims.add("request", Data(request.jsonBytes()).base64EncodedString())
        return claims
    }

    /// The purchase as it was before it was revoked or replaced, signed when it was made.
    var earlierTransaction: JWSTransactionDecodedPayload {
        var transaction = material.transaction
        transaction.signedDate = transaction.purchaseDate
        transaction.revocationDate = nil
        transaction.revocationReason = nil
        transaction.revocationType = nil
        transaction.revocationPercentage = nil
        transaction.isUpgraded = nil
        return transaction
    }
}
