import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Connect: clock, apps and catalogue")
struct ConnectTests {
    private static let path = "/connect/v1"

    @Test("The clock is read and moved, and says how much happened")
    func clock() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let empty = try await client.ours(.get, "\(Self.path)/clock")
            #expect(empty["now"] == .string("2026-01-01T00:00:00Z"))
            #expect(empty["nowMilliseconds"] == .integer(1_767_225_600_000))
            #expect(empty["mode"] == .string("frozen"))
            #expect(empty["nextEvent"] == nil)
            try await client.buy("silver.monthly", as: try await client.signIn())
            let busy = try await client.ours(.get, "\(Self.path)/clock")
            #expect(busy["nextEvent"] == .string("2026-02-01T00:00:00Z"))
            let year = try await client.ours(
                .post, "\(Self.path)/clock/advance", #"{"to":"2027-01-01T00:00:00Z"}"#)
            #expect(year["now"] == .string("2027-01-01T00:00:00Z"))
            #expect(year["changes"] == .integer(12))
            let month = try await client.ours(
                .post, "\(Self.path)/clock/advance", #"{"by":"P1M"}"#)
            #expect(month["now"] == .string("2027-02-01T00:00:00Z"))
            #expect(month["changes"] == .integer(1))
        }
    }

    @Test(
        "A move that cannot be made moves nothing",
        arguments: [
            (#"{}"#, 400, "eitherByOrTo"),
            (#"{"by":"P1M","to":"2027-01-01T00:00:00Z"}"#, 400, "eitherByOrTo"),
            (#"{"by":"1 month"}"#, 400, "invalidMember"), (#"{"by":"-P1M"}"#, 400, "invalidMember"),
            (#"{"to":"tomorrow"}"#, 400, "invalidMember"), (#"{"to":7}"#, 400, "invalidMember"),
            (#"{"to":"2025-12-31T23:59:59Z"}"#, 409, "clockWouldGoBack"),
            (#"{"to":"2100-01-01T00:00:00Z"}"#, 400, "clockOutOfRange"),
            (#"{"by":"P100Y"}"#, 400, "clockOutOfRange"), (#"{"By":"P1M"}"#, 400, "unknownMember"),
        ] as [(String, Int, String)])
    func refusedMove(body: String, status: Int, code: String) async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(.post, "\(Self.path)/clock/advance", body)
            #expect(reply.status == status)
            #expect(reply.complaint == code)
        }
        #expect(try await world.everything() == before)
    }

    @Test("An app is added, listed, set up and read")
    func apps() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let added = try await client.ours(
                .post, "\(Self.path)/apps", #"{"bundleId":"com.example.two","appAppleId":42}"#)
            #expect(added.status == 201)
            #expect(added["name"] == .string("com.example.two"))
            #expect(added["productCount"] == .integer(0))
            let list = try await client.ours(.get, "\(Self.path)/apps")
            #expect(list["apps"]?.array?.count == 2)
            // Without a number it is the one after the highest.
            let third = try await client.ours(
                .post, "\(Self.path)/apps", #"{"bundleId":"com.example.three"}"#)
            #expect(third["appAppleId"] == .integer(1_000_000_002), "\(third.text)")
            let changed = try await client.ours(
                .patch, "\(Self.path)/apps/com.example.two",
                #"""
                {"name":"Two","gracePeriod":"SIXTEEN_DAYS","sandboxGracePeriod":"THREE_DAYS",
                 "graceScope":"PAID_TO_PAID_ONLY","billingZone":"pacific",
                 "upgradeInTrial":"keepsTrial","sandboxRenewalLimit":0,
                 "notificationUrl":"https://developer.example/hook",
                 "sandboxNotificationUrl":"http://127.0.0.1:8080/"}
                """#)
            #expect(changed.status == 200)
            #expect(changed["sandboxRenewalLimit"] == nil)
            #expect(changed["gracePeriod"] == .string("SIXTEEN_DAYS"))
            let read = try await client.ours(.get, "\(Self.path)/apps/com.example.two")
            #expect(read.body == changed.body)
            let undone = try await client.ours(
                .patch, "\(Self.path)/apps/com.example.two",
                #"{"gracePeriod":"NONE","notificationUrl":"","sandboxRenewalLimit":6}"#)
            #expect(undone["gracePeriod"] == nil)
            #expect(undone["notificationUrl"] == nil)
            #expect(undone["sandboxRenewalLimit"] == .integer(6))
            #expect(undone["sandboxGracePeriod"] == .string("THREE_DAYS"))
        }
    }

    @Test(
        "A setting that cannot be right changes nothing",
        arguments: [
            #"{"gracePeriod":"FOUR_DAYS"}"#, #"{"gracePeriod":null}"#, #"{"graceScope":"ALL"}"#,
            #"{"billingZone":"Mars"}"#, #"{"sandboxRenewalLimit":1001}"#,
            #"{"sandboxRenewalLimit":-1}"#, #"{"notificationUrl":"developer.example"}"#,
            #"{"notificationUrl":"ftp://developer.example"}"#, #"{"notificationUrl":"https://"}"#,
            #"{"notificationUrl":"https://a b"}"#, #"{"name":""}"#, #"{"name":"x","nam":"y"}"#,
            #"{"storefront":"ZZZ"}"#,
        ])
    func invalidSettings(body: String) async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(
                .patch, "\(Self.path)/apps/\(World.bundleID)", body)
            #expect(reply.status == 400)
            #expect(["invalidMember", "unknownMember"].contains(reply.complaint))
        }
        #expect(try await world.everything() == before)
    }

    @Test("Bundle identifiers and Apple ids belong to one app each")
    func appExists() async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        try await world.with { client in
            for body in [
                #"{"bundleId":"com.example.app","appAppleId":7}"#,
                #"{"bundleId":"com.example.new","appAppleId":1000000001}"#,
            ] {
                let reply = try await client.ours(.post, "\(Self.path)/apps", body)
                #expect(reply.status == 409)
                #expect(reply.complaint == "appExists")
            }
        }
        #expect(try await world.everything() == before)
    }

    @Test("What is not there is not found, wherever it is asked for")
    func unknown() async throws {
        let world = try await HTTPWorld()
        let app = "\(Self.path)/apps/com.example.nobody"
        let price = #"{"price":1000}"#
        let known = "\(Self.path)/apps/\(World.bundleID)/products"
        try await world.with { client in
            let calls: [(HTTPRequest.Method, String, String?, String)] = [
                (.get, app, nil, "unknownApp"), (.patch, app, "{}", "unknownApp"),
                (.get, "\(app)/catalogue", nil, "unknownApp"),
                (.put, "\(app)/products/p/prices/USA", price, "unknownApp"),
                (.put, "\(known)/p/prices/USA", price, "unknownProduct"),
                (.put, "\(known)/coins/prices/usa", price, "unknownStorefront"),
                (.put, "\(known)/p/availability", #"{"forSale":true}"#, "unknownProduct"),
                (.get, "\(Self.path)/customers/nobody", nil, "unknownAccount"),
                (.patch, "\(Self.path)/customers/no", #"{"storefront":"DEU"}"#, "unknownAccount"),
                (
                    .put, "\(Self.path)/customers/no/payment-method",
                    #"{"behaviour":"approve"}"#, "unknownAccount"
                ), (.get, "\(Self.path)/customers/%00", nil, "unknownAccount"),
                (.get, "\(Self.path)/subscriptions/77", nil, "unknownSubscription"),
                (.get, "\(Self.path)/subscriptions/x", nil, "unknownSubscription"),
                (.get, "\(Self.path)/subscriptions/77/timeline", nil, "unknownSubscription"),
                (.post, "\(Self.path)/subscriptions/77/expire", nil, "unknownSubscription"),
            ]
            let before = try await world.everything()
            for (method, path, body, code) in calls {
                let reply = try await client.ours(method, path, body)
                #expect(reply.status == 404, "\(path)")
                #expect(reply.complaint == code, "\(path)")
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test("A StoreKit configuration is imported and read back with its prices")
    func catalogue() async throws {
        let world = try await HTTPWorld(catalogue: Catalogue())
        let path = "\(Self.path)/apps/\(World.bundleID)"
        try await world.with { client in
            let imported = try await client.ours(
                .put, "\(path)/catalogue", ConnectTests.configuration(price: "4.99"))
            #expect(imported.status == 200, "\(imported.text)")
            #expect(imported["products"] == .integer(2))
            #expect(imported["groups"] == .integer(1))
            #expect(imported["warnings"]?.array != nil)
            let set = try await client.ours(
                .put, "\(path)/products/plus.monthly/prices/JPN", #"{"price":700000}"#)
            #expect(set.status == 204)
            for (body, status) in [
                (#"{"forSale":false,"storefront":"DEU"}"#, 204), (#"{"forSale":false}"#, 204),
            ] {
                let reply = try await client.ours(
                    .put, "\(path)/products/gems/availability", body)
                #expect(reply.status == status)
            }
            let read = try await client.ours(.get, "\(path)/catalogue")
            let products = try #require(read["products"]?.array)
            #expect(products.compactMap { $0["id"]?.string } == ["gems", "plus.monthly"])
            let plus = products[1]
            #expect(plus["price"] == .integer(4990))
            #expect(plus["prices"]?.array?.first?["currency"] == .string("JPY"))
            let offers = plus["subscription"]?["offers"]?.array
            #expect(offers?.first?["type"] == .string("INTRODUCTORY"))
            #expect(products[0]["forSale"] == .bool(false))
            #expect(products[0]["offSale"] == .array([.string("DEU")]))
            let token = try await client.signIn()
            let sold = try await client.ours(
                .get, "/storefront/v1/products", as: .bearer(token))
            #expect(
                sold["products"]?.array?.compactMap { $0["id"]?.string } == ["plus.monthly"])
        }
    }

    @Test("A configuration that cannot be read says where and what to do")
    func invalidCatalogue() async throws {
        let world = try await HTTPWorld()
        let path = "\(Self.path)/apps/\(World.bundleID)/catalogue"
        let before = try await world.everything()
        try await world.with { client in
            for body in ["", "{", "[]", ConnectTests.configuration(price: "4,99")] {
                let reply = try await client.ours(.put, path, body)
                #expect(reply.status == 400)
                #expect(reply.complaint == "invalidCatalogue")
                let finding = try #require(reply["findings"]?.array?.first)
                #expect(finding["path"]?.string != nil)
                #expect(finding["remedy"]?.string?.isEmpty == false)
            }
            let nobody = try await client.ours(
                .put, "\(Self.path)/apps/nobody/catalogue",
                ConnectTests.configuration(price: "4.99"))
            #expect(nobody.complaint == "unknownApp")
        }
        #expect(try await world.everything() == before)
    }

    @Test(
        "A price that the currency cannot have is refused",
        arguments: [
            (#"{"price":1995}"#, "invalidSetting"), (#"{"price":-1}"#, "invalidMember"),
            (#"{"price":1.99}"#, "invalidMember"), (#"{"price":"1990"}"#, "invalidMember"),
            (#"{"price":1000000000001}"#, "invalidMember"), (#"{}"#, "missingMember"),
        ])
    func invalidPrice(body: String, code: String) async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(
                .put, "\(Self.path)/apps/\(World.bundleID)/products/coins/prices/USA", body)
            #expect(reply.status == 400)
            #expect(reply.complaint == code)
        }
        #expect(try await world.everything() == before)
    }

    /// A small file as Xcode writes it.
    static func configuration(price: String, storefront: String = "") -> String {
        #"""
        {"identifier":"AB12CD34","nonRenewingSubscriptions":[],
         "products":[{"displayPrice":"0.99","familyShareable":false,"internalID":"1",
           "localizations":[{"description":"Many","displayName":"Gems","locale":"en_US"}],
           "productID":"gems","referenceName":"Gems","type":"Consumable"}],
         "settings":{"_storefront":"\#(storefront)"},
         "subscriptionGroups":[{"id":"G1","localizations":[],"name":"Plus",
           "subscriptions":[{"adHocOffers":[],"codeOffers":[],"displayPrice":"\#(price)",
             "familyShareable":false,"groupNumber":1,"internalID":"2",
             "introductoryOffer":{"internalID":"3","numberOfPeriods":1,"paymentMode":"free",
               "subscriptionPeriod":"P1W"},
             "localizations":[],"productID":"plus.monthly","recurringSubscriptionPeriod":"P1M",
             "referenceName":"Plus","subscriptionGroupID":"G1",
             "type":"RecurringSubscription"}]}],
         "version":{"major":4,"minor":0}}
        """#
    }
}
