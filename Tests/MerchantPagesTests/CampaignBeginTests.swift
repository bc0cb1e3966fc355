import AppStoreWire
import HTTPTypes
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Merchant pages: beginning a campaign", .timeLimit(.minutes(15)))
struct CampaignBeginTests {
    private static let new = "/console/campaigns/new"

    /// Pastes a file.
    ///
    /// - Returns: the path of its plan.
    private func plan(
        _ file: String, _ browser: Browser, _ others: [(String, String)] = []
    ) async throws -> String {
        let sight = try await browser.post(Self.new, [("file", file)] + others)
        #expect(sight.status == 303, "\(sight.text)")
        let location = try #require(sight.location)
        #expect(location.hasSuffix("?done=planCampaign"))
        return String(location.prefix { $0 != "?" })
    }

    private func campaigns(_ browser: Browser) async throws -> [JSONValue] {
        let answer = try await browser.call(.get, "/v1/operator/campaigns")
        return try #require(answer["campaigns"]?.array)
    }

    @Test(
        "A pasted file is planned, looked at and begun once, by a second form that names it",
        arguments: Backend.available)
    func begins(_ backend: Backend) async throws {
        let world = try await MerchantPagesWorld(backend)
        try await world.signedIn { browser in
            try await world.buy("silver.monthly", browser)
            try await world.deliver(browser)
            #expect(try await browser.get(Self.new).text.contains("name=\"file\""))
            let path = try await plan(SampleCampaigns.spring(), browser)
            #expect(try await campaigns(browser).isEmpty)

            let planned = try await browser.get(path)
            for part in [
                "included", "11.99", "drawn at random", "\(path)/rehearsal", "\(path)/begin",
            ] {
                #expect(planned.text.contains(part), "\(part)")
            }
            let before = try await world.tables()
            let page = try await browser.get("\(path)/begin")
            #expect(page.status == 200, "\(page.text)")
            #expect(page.text.contains("id=\"today\""))
            #expect(try await world.tables() == before)
            let form = try #require(page.hidden("form"))

            let wrong = try await browser.post(
                "\(path)/begin", [("form", form), ("campaign", "summer")])
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("otherName"))
            #expect(wrong.text.contains("href=\"\(path)/begin?"), "not back to the form")
            #expect(try await world.tables() == before)

            for _ in 1...2 {
                let sight = try await browser.post(
                    "\(path)/begin", [("form", form), ("campaign", "spring")])
                #expect(sight.status == 303, "\(sight.text)")
                #expect(
                    sight.location
                        == "/console/campaigns/\(World.bundleID)/spring?done=beginCampaign")
            }
            #expect(try await campaigns(browser).count == 1)
            let run = try await browser.call(
                .get, "/v1/apps/\(World.bundleID)/campaigns/spring")
            #expect(run["audience"] == .integer(1), "\(run.text)")
            let late = try await browser.get("\(path)/begin")
            #expect(late.text.contains(" disabled"))
            let again = try await browser.post("\(path)/begin", [("campaign", "spring")])
            #expect(again.status == 409)
            #expect(again.text.contains("campaignExists"))
        }
    }

    @Test("A rehearsal says what would come of it, and changes nothing")
    func rehearsal() async throws {
        let world = try await MerchantPagesWorld()
        try await world.signedIn { browser in
            try await world.buy("silver.monthly", browser)
            try await world.deliver(browser)
            let path = try await plan(SampleCampaigns.spring(), browser)
            let before = try await world.tables().rows["campaign_plan"]
            let form = try await browser.get("\(path)/rehearsal")
            #expect(form.status == 200)
            #expect(!form.text.contains("id=\"report\""))
            let shares = "agree=60&decline=10&cancel=5&seed=7"
            let sight = try await browser.get("\(path)/rehearsal?\(shares)")
            #expect(sight.status == 200, "\(sight.text)")
            #expect(sight.text.contains("id=\"report\""))
            #expect(try await campaigns(browser).isEmpty)
            #expect(try await world.tables().rows["campaign_plan"] == before)
            for (query, status) in [
                ("agree=x&seed=1", 400), ("agree=101&seed=1", 400),
                ("agree=90&decline=90&seed=1", 400),
            ] {
                let refused = try await browser.get("\(path)/rehearsal?\(query)")
                #expect(refused.status == status, "\(query)")
                #expect(refused.isPage)
            }
        }
    }

    @Test(
        "A file that is wrong is shown again with what is wrong, and nothing is kept",
        arguments: [
            ("", 400, "Paste the campaign"), ("kind: gift\n", 422, "price or outage"),
            ("apps: [\n", 422, "no YAML"),
            (SampleCampaigns.spring() + "\nsilent: keepAsking\n", 422, "merchantManaged"),
            ("campaign: \"</textarea><x-evil>\"\n", 422, "small letters"),
            (
                SampleCampaigns.spring().replacing(World.bundleID, with: "com.example.none"),
                404, "serves no app"
            ),
        ] as [(String, Int, String)])
    func wrong(file: String, status: Int, reason: String) async throws {
        let world = try await MerchantPagesWorld()
        try await world.signedIn { browser in
            let before = try await world.tables().rows["campaign_plan"]
            let sight = try await browser.post(Self.new, [("file", file)])
            #expect(sight.status == status, "\(sight.text)")
            #expect(sight.isPage)
            #expect(sight.text.contains(reason), "\(sight.text)")
            #expect(!sight.text.contains("<x-evil"))
            #expect(file.isEmpty || sight.text.contains("<textarea id=\"draft-file\""))
            #expect(try await world.tables().rows["campaign_plan"] == before)
        }
    }

    @Test("Each file that a campaign names has a field, and is kept as it was pasted")
    func attachments() async throws {
        let world = try await MerchantPagesWorld()
        try await world.signedIn { browser in
            try await world.buy("silver.monthly", browser)
            let asked = try await browser.post(Self.new, [("file", SampleCampaigns.closed)])
            #expect(asked.status == 422)
            #expect(asked.text.contains("name=\"name0\" value=\"who.txt\""))
            #expect(asked.text.contains("name=\"text0\""))
            // As browsers send lines.
            let path = try await plan(
                SampleCampaigns.closed.replacing("\n", with: "\r\n"), browser,
                [("name0", "who.txt"), ("text0", "ada\r\nbea\r\n")])
            let number = try #require(path.split(separator: "/").last)
            let kept = try await browser.call(
                .get, "/v1/operator/campaigns/plans/\(number)/file")
            #expect(kept["file"] == .string(SampleCampaigns.closed))
            let file = try #require(kept["attachments"]?.array?.first)
            #expect(file["name"] == .string("who.txt"))
            #expect(file["text"] == .string("ada\nbea\n"))
            let changed = try await browser.get("\(Self.new)?plan=\(number)")
            #expect(changed.text.contains("campaign: closed"))
            #expect(changed.text.contains("ada\nbea"))
            let planned = try await browser.get(path)
            #expect(planned.status == 200)
            #expect(!planned.text.contains("/rehearsal"))
        }
    }

    @Test("An outage where no store can be called is not begun, and the page says why")
    func outage() async throws {
        let world = try await MerchantPagesWorld()
        try await world.signedIn { browser in
            try await world.buy("silver.monthly", browser)
            let path = try await plan(
                SampleCampaigns.closed, browser, [("name0", "who.txt"), ("text0", "ada\n")])
            let page = try await browser.get("\(path)/begin")
            #expect(page.text.contains("cannot be taken back"))
            #expect(!page.text.contains("id=\"today\""))
            let sight = try await browser.post("\(path)/begin", [("campaign", "closed")])
            #expect(sight.status == 409)
            #expect(sight.text.contains("noServerAPI"))
            #expect(try await campaigns(browser).isEmpty)
        }
    }

    @Test("A plan that a later one has replaced begins nothing")
    func replaced() async throws {
        let world = try await MerchantPagesWorld()
        try await world.signedIn { browser in
            try await world.buy("silver.monthly", browser)
            let path = try await plan(SampleCampaigns.spring(), browser)
            let later = try await plan(SampleCampaigns.spring(), browser)
            #expect(later != path)
            let sight = try await browser.post("\(path)/begin", [("campaign", "spring")])
            #expect(sight.status == 404)
            #expect(sight.text.contains("unknownPlan"))
            #expect(try await campaigns(browser).isEmpty)
        }
    }
}
