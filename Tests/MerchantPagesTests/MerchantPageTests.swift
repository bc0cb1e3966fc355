import AppStoreWire
import HTTPTypes
import Store
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Merchant pages: what they show and do", .timeLimit(.minutes(15)))
struct MerchantPageTests {
    private static func body(_ file: String, go: Bool = false) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("file", file)
            if go { json.field("go", true) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The plan's number.
    private func plan(_ browser: Browser) async throws -> Int64 {
        let plan = try await browser.call(
            .post, "/v1/operator/campaigns/plan", Self.body(SampleCampaigns.spring()))
        return try #require(plan["id"]?.integer)
    }

    private func start(_ browser: Browser) async throws {
        let begun = try await browser.call(
            .post, "/v1/operator/campaigns/run", Self.body(SampleCampaigns.spring(), go: true))
        #expect(begun.status == 200, "\(begun.text)")
    }

    @Test(
        "Every page answers, and names a call that does the same", arguments: Backend.available)
    func pages(_ backend: Backend) async throws {
        let world = try await MerchantPagesWorld(backend)
        try await world.signedIn { browser in
            try await world.buy("silver.monthly", browser)
            try await world.deliver(browser)
            let number = try await plan(browser)
            try await start(browser)
            let own = "/console/customers/\(World.bundleID)/ada"
            let spring = "/console/campaigns/\(World.bundleID)/spring"
            for path in [
                "/console", "/console/customers", "/console/customers?search=a&state=active", own,
                "\(own)/events", "/console/unowned", "/console/unowned/\(World.bundleID)/1",
                "/console/notifications", "/console/notifications?state=processed&type=SUBSCRIBED",
                "/console/dead-letters", "/console/gaps", "/console/campaigns", spring,
                "\(spring)/subscribers", "\(spring)/messages", "\(spring)/texts",
                "\(spring)/move/pause", "\(spring)/move/stop", "/console/plans/\(number)",
                "/console/plans/\(number)/subscribers", "/console/outages", "/console/figures",
                "/console/campaigns/new", "/console/campaigns/new?plan=\(number)",
                "/console/plans/\(number)/begin", "/console/plans/\(number)/rehearsal",
                "/console/figures/\(World.bundleID)/transactions?day=2026-01-01",
            ] {
                let sight = try await browser.get(path)
                #expect(sight.status == 200, "\(path): \(sight.text)")
                #expect(sight.isPage, "\(path)")
                #expect(sight.text.contains("<details class=\"same\">"), "\(path)")
                #expect(sight.text.contains(" /v1/"), "\(path)")
                #expect(!sight.text.contains("style=\""), "\(path)")
                #expect(!sight.text.contains("<script>"), "\(path)")
            }
        }
    }

    @Test(
        "A customer's page shows access, the drawing of the life and what it rests on",
        arguments: Backend.available)
    func customer(_ backend: Backend) async throws {
        let world = try await MerchantPagesWorld(backend)
        try await world.signedIn { browser in
            try await world.buy("silver.monthly", browser)
            try await world.deliver(browser)
            let list = try await browser.get("/console/customers")
            #expect(list.text.contains("/console/customers/\(World.bundleID)/ada"))
            let page = try await browser.get("/console/customers/\(World.bundleID)/ada")
            for part in [
                "silver.monthly", "<svg", "SUBSCRIBED", "bought ", "will renew",
                "perennial merchant why ada",
            ] {
                #expect(page.text.contains(part), "\(part)")
            }
        }
    }

    @Test(
        "What is not there is a page that says so",
        arguments: [
            ("/console/nothing", 404), ("/console/customers/com.example.none/ada", 404),
            ("/console/dead-letters/7", 404), ("/console/dead-letters/x", 404),
            ("/console/campaigns/com.example.app/none", 404), ("/console/plans/7", 404),
            ("/console/plans/x", 400), ("/console/plans/7/begin", 404),
            ("/console/plans/7/rehearsal", 404), ("/console/campaigns/new?plan=7", 404),
            ("/console/campaigns/new?plan=x", 400), ("/console/figures?app=com.example.none", 404),
            ("/console/figures?days=0", 400), ("/console/notifications?state=lost", 400),
            ("/console/notifications?before=x", 400),
            ("/console/customers?state=asleep", 400),
            ("/console/figures/com.example.app/transactions?after=x", 400),
            ("/console/outages/com.example.app/none", 404),
            ("/console/campaigns/com.example.app/none/move/dance", 404),
        ] as [(String, Int)])
    func refused(path: String, status: Int) async throws {
        try await MerchantPagesWorld().signedIn { browser in
            let sight = try await browser.get(path)
            #expect(sight.status == status, "\(sight.text)")
            #expect(sight.isPage)
        }
    }

    @Test("A dead letter that there is not is not replayed, and the page says so")
    func unknownLetter() async throws {
        try await MerchantPagesWorld().signedIn { browser in
            let sight = try await browser.post("/console/dead-letters/7/replay")
            #expect(sight.status == 404)
            #expect(sight.text.contains("unknownDeadLetter"))
        }
    }

    @Test(
        "A purchase nobody owns is claimed on its page, once however often it is sent",
        arguments: Backend.available)
    func claim(_ backend: Backend) async throws {
        let world = try await MerchantPagesWorld(backend)
        try await world.signedIn { browser in
            // The store tells of it, and no app has sent it.
            _ = try await world.world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"),
                by: try await world.world.device("ada"))
            try await world.deliver(browser)
            let unowned = try await browser.call(.get, "/v1/operator/unowned")
            let id = try #require(
                unowned["purchases"]?.array?.first?["originalTransactionId"]?.string)
            let path = "/console/unowned/\(World.bundleID)/\(id)"
            let page = try await browser.get(path)
            let form = try #require(page.hidden("form"))
            let values = [("form", form), ("account", "ada")]
            for _ in 1...2 {
                let sight = try await browser.post("\(path)/claim", values)
                #expect(sight.status == 303)
                #expect(
                    sight.location
                        == "/console/customers/\(World.bundleID)/ada?done=claimPurchase")
            }
            let audit = try await browser.call(.get, "/v1/operator/audit")
            #expect(audit["entries"]?.array?.count == 1)
            #expect(audit["entries"]?.array?.first?["scope"] == .string("operator"))
            let refused = try await browser.post("\(path)/claim", [("account", "bea")])
            #expect(refused.status == 409)
            #expect(refused.text.contains("ownedByAnother"))
        }
    }

    @Test(
        "A campaign is moved by its page only once that is confirmed",
        arguments: Backend.available)
    func moves(_ backend: Backend) async throws {
        let world = try await MerchantPagesWorld(backend)
        try await world.signedIn { browser in
            try await world.buy("silver.monthly", browser)
            try await start(browser)
            let spring = "/console/campaigns/\(World.bundleID)/spring"
            for (move, state) in [("pause", "paused"), ("resume", "running"), ("stop", "stopped")] {
                let before = try await world.tables()
                let page = try await browser.get("\(spring)/move/\(move)")
                #expect(try await world.tables() == before)
                let form = try #require(page.hidden("form"))
                let sight = try await browser.post("\(spring)/move/\(move)", [("form", form)])
                #expect(sight.status == 303)
                let run = try await browser.call(
                    .get, "/v1/apps/\(World.bundleID)/campaigns/spring")
                #expect(run["state"] == .string(state))
            }
            let late = try await browser.get("\(spring)/move/resume")
            #expect(late.text.contains(" disabled"))
            #expect(try await browser.post("\(spring)/move/resume").status == 409)
        }
    }

    @Test("Names that want to be markup stay text on every page")
    func hostile() async throws {
        for name in [
            "<x-evil>", "\"><x-evil>", "</title></svg><x-evil>", "{{{.x-evil}}}<x-evil>",
            "x-evil/../..",
        ] {
            let world = try await MerchantPagesWorld()
            try await world.signedIn { browser in
                try await world.buy("silver.monthly", browser, as: name)
                try await world.deliver(browser)
                let encoded = Browser.percent(name)
                for path in [
                    "/console/customers", "/console/customers?search=\(encoded)",
                    "/console/customers/\(World.bundleID)/\(encoded)",
                    "/console/customers/\(World.bundleID)/\(encoded)/events?purchase=\(encoded)",
                    "/console/notifications?type=\(encoded)", "/console/\(encoded)",
                    "/console/unowned/\(World.bundleID)/1?account=\(encoded)",
                    "/console/figures/\(World.bundleID)/transactions?day=2026-01-01",
                    "/console/sign-in?to=\(encoded)&code=\(encoded)",
                ] {
                    let sight = try await browser.get(path)
                    #expect(sight.isPage, "\(path)")
                    #expect(!sight.text.contains("<x-evil"), "\(path)")
                    #expect(!sight.text.contains("\"><x"), "\(path)")
                }
            }
        }
    }
}
