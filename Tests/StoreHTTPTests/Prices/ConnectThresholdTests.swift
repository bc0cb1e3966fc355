import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Connect: thresholds for consent")
struct ConnectThresholdTests {
    private static let path = "/connect/v1/consent-thresholds"

    @Test("They are listed by storefront, and set in one of them")
    func thresholds() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let all = try #require(
                try await client.ours(.get, Self.path)["thresholds"]?.array)
            #expect(all.count == Storefront.all.count)
            let set = try await client.ours(
                .patch, "\(Self.path)/JPN",
                #"{"nonAnnualAmount":750000,"alwaysConsent":true,"currency":"JPY"}"#)
            #expect(set["storefront"] == .string("JPN"))
            #expect(set["nonAnnualAmount"] == .integer(750_000))
            #expect(set["annualAmount"] == nil)
            #expect(set["alwaysConsent"] == .bool(true))
            #expect(set["origin"] == .string("operator"))
            #expect(set["isOwn"] == .bool(true))
            let japan = try await client.ours(.get, "\(Self.path)?storefront=JPN")
            #expect(japan["thresholds"]?.array?.count == 1)
            #expect(japan["thresholds"]?.array?.first?["nonAnnualAmount"] == .integer(750_000))
            let reset = try await client.ours(.patch, "\(Self.path)/JPN", #"{"reset":true}"#)
            #expect(reset["isOwn"] == .bool(false))
            #expect(reset["nonAnnualAmount"] == nil)
            #expect(reset["asOf"] == .string("2026-10-05"))
        }
    }

    @Test("What cannot be set is refused and changes nothing")
    func refused() async throws {
        let world = try await HTTPWorld()
        let before = try await Tables(world.world.database)
        try await world.with { client in
            let calls: [(storefront: String, body: String, complaint: String)] = [
                ("ZZZ", #"{"alwaysConsent":true}"#, "unknownStorefront"),
                ("usa", #"{"alwaysConsent":true}"#, "unknownStorefront"),
                ("USA", #"{"nonAnnualAmount":-10}"#, "invalidMember"),
                ("USA", #"{"annualAmount":1000000000001}"#, "invalidMember"),
                ("USA", #"{"annualAmount":4995}"#, "invalidSetting"),
                ("JPN", #"{"annualAmount":500}"#, "invalidSetting"),
                ("USA", #"{"annualAmount":5000,"currency":"EUR"}"#, "invalidSetting"),
                ("USA", #"{"annualAmount":5000,"currency":"XQX"}"#, "invalidSetting"),
                ("USA", #"{"alwaysConsent":"yes"}"#, "invalidMember"),
                ("USA", #"{"monthly":1}"#, "unknownMember"),
            ]
            for call in calls {
                let reply = try await client.ours(
                    .patch, "\(Self.path)/\(call.storefront)", call.body)
                #expect(reply.complaint == call.complaint, "\(call)")
            }
            let unknown = try await client.ours(.get, "\(Self.path)?storefront=ZZZ")
            #expect(unknown.complaint == "invalidMember")
            let stranger = try await client.ours(.get, Self.path, nil, as: .nothing)
            #expect(stranger.status == 401)
        }
        #expect(try await Tables(world.world.database).differences(from: before).isEmpty)
    }
}
