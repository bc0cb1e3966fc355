import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Get Transaction Info and Get App Transaction Info")
struct ServerAPIInfoTests {
    @Test("The very transaction that was asked for comes back, signed", arguments: StoreEnvironment.allCases)
    func information(environment: StoreEnvironment) async throws {
        let world = try await HTTPWorld()
        let ada = try await world.world.visitor(in: environment)
        let bought = try #require(
            try await world.world.buy(
                "silver.monthly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"]))
        try await world.with(environment) { client in
            let reply = try await client.api(.get, "/v1/transactions/\(bought.transactionId)")
            #expect(reply.status == 200)
            #expect(reply.fields[.contentType] == "application/json")
            let signed = try #require(reply["signedTransactionInfo"]?.string)
            let payload = try await client.verifier().verifyTransaction(signed)
            #expect(payload.transactionId == bought.transactionId)
            #expect(payload.environment == environment.wire)
        }
    }
}

extension Client {
    /// Judges what the store signs as the app's server would.
    func verifier() throws -> SignedDataVerifier {
        SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: World.chain.rootDER), bundleID: World.bundleID,
            environment: environment.wire, appAppleID: World.appleID)
    }
}
