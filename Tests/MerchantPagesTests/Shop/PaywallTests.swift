import HTTPTypes
import MerchantPages
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Shop: what is for sale")
struct PaywallTests {
    @Test("An option has its name, what each period brings, the total, and one way to the store")
    func options() async throws {
        try await ShopWorld().signedIn { shopper in
            let sight = try await shopper.get("/shop")
            #expect(sight.status == 200)
            for shown in [
                "Subscribe to Garden", "Silver (Family)", "Every period brings: Ten plants",
                #"<p class="total">$9.99 per month</p>"#,
                #"<p class="total">$99.99 per year</p>"#, "Comes to $8.34 per month.",
                "Saves 17%.", "It renews by itself until you cancel.",
                #"href="http://127.0.0.1:8080/account/buy/silver.yearly""#,
                "Subscribe: Silver Year, $99.99 per year", "You use it up", "once and keep it",
                "does not renew", "up to five others", "Restore Purchases", "Redeem Code",
                "Already subscribed?", #"href="/shop/terms""#, #"href="/shop/privacy""#,
                "at least 24 hours", "Free for everybody",
            ] { #expect(sight.text.contains(shown), "\(shown)") }
            // The store confirms: nothing here asks a second time (SHP-1).
            #expect(!sight.text.contains(#"action="/shop/buy"#))
            // What only the merchant's own descriptions sell.
            #expect(!sight.text.contains("Generic"))
        }
    }

    @Test("An introductory offer names its price, its length and the price afterwards at once")
    func introductions() async throws {
        try await ShopWorld().signedIn { shopper in
            let text = try await shopper.get("/shop").text
            #expect(text.contains("Free for 1 week. Then $9.99 per month, charged by itself from"))
            #expect(text.contains("$0.99 per month for 3 months, then $4.99 per month."))
            #expect(text.contains("Try It Free: Silver, 1 week"))
        }
    }

    @Test("Somebody who subscribes is sent to the plan, and is offered no trial again")
    func subscribers() async throws {
        let world = try await ShopWorld()
        try await world.buy("silver.monthly")
        try await world.signedIn { shopper in
            let page = try await shopper.get("/shop")
            let restored = try await shopper.post(
                "/shop/restore", [("form", page.hidden("form") ?? "")])
            #expect(restored.location == "/shop/content?done=restore")
            let sent = try await shopper.get("/shop")
            #expect(sent.status == 303)
            #expect(sent.location == "/shop/plan")
            let plan = try await shopper.get("/shop/plan").text
            // The store has not said yet whether it renews.
            #expect(plan.contains("Paid until"))
            #expect(plan.contains(#"href="/shop?all=true""#))
            #expect(plan.contains("http://127.0.0.1:8080/account/subscriptions/"))
            let all = try await shopper.get("/shop?all=true").text
            #expect(!all.contains("Free for 1 week"))
            // Of another group nothing was bought.
            #expect(all.contains("for 3 months, then"))
        }
    }

    @Test("Somebody who may not pay sees why, and no purchase")
    func mayNotPay() async throws {
        let world = try await ShopWorld()
        world.beside.set(ShopHome(storefront: "USA", canPay: false))
        try await world.signedIn { shopper in
            for path in ["/shop", "/shop/compact"] {
                let text = try await shopper.get(path).text
                #expect(text.contains("switched off"), "\(path)")
                #expect(!text.contains("/account/buy/"), "\(path)")
            }
        }
    }

    @Test("The form for a watch has Close first, and everything that the large one must say")
    func compact() async throws {
        try await ShopWorld().signedIn { shopper in
            let text = try await shopper.get("/shop/compact").text
            #expect(text.contains(#"data-environment="compact""#))
            let close = try #require(text.firstRange(of: ">Close<"))
            let first = try #require(text.firstRange(of: "class=\"total\""))
            #expect(close.lowerBound < first.lowerBound)
            for shown in [
                "On the watch you choose", "Every period brings", "Free for 1 week. Then $9.99",
                "Restore Purchases", "Terms of Use", "Privacy Policy", "at least 24 hours",
            ] { #expect(text.contains(shown), "\(shown)") }
            // Each of the six has its price and its own button.
            #expect(text.ranges(of: #"class="total""#).count == 6)
            #expect(text.ranges(of: #"class="act" href="http"#).count == 6)
        }
    }

    @Test("The shop is a part of the app, asks for nothing, and leaves confirming to the store")
    func frame() async throws {
        try await ShopWorld().signedIn { shopper in
            for path in ["/shop", "/shop/plan", "/shop/content", "/shop/help"] {
                let text = try await shopper.get(path).text
                for shown in [
                    #"<a class="site" href="/shop/content"><bdi>Garden</bdi></a>"#,
                    #"<a href="/shop/content""#, #"<a href="/shop""#, #"<a href="/shop/help""#,
                    #"/pages.css">"#,
                ] { #expect(text.contains(shown), "\(path) \(shown)") }
            }
            let text = try await shopper.get("/shop").text
            let inputs = text.ranges(of: "<input ").count
            #expect(inputs == text.ranges(of: #"<input type="hidden""#).count)
            for field in ["<select", "<textarea"] { #expect(!text.contains(field), "\(field)") }
            let actions = text.ranges(of: #"action=""#).map { range in
                String(text[range.upperBound...].prefix { $0 != "\"" })
            }
            #expect(Set(actions) == ["/shop/restore", "/shop/sign-out"])
        }
    }

    @Test("The page of one's plan leads to all plans, for who has none too")
    func settings() async throws {
        try await ShopWorld().signedIn { shopper in
            let plan = try await shopper.get("/shop/plan").text
            #expect(plan.contains("You have not bought it."))
            #expect(plan.contains(#"href="/shop?all=true""#))
            let all = try await shopper.get("/shop?all=true").text
            #expect(all.contains("Subscribe: Silver Year, $99.99 per year"))
        }
    }

    @Test("Names and agreements of others are text, and lead only to addresses of the web")
    func hostileText() async throws {
        try await ShopWorld().signedIn { shopper in
            let text = try await shopper.get("/shop").text
            #expect(!text.contains("<b>News"))
            #expect(text.contains("&lt;b&gt;News&lt;/b&gt;"))
            let terms = try await shopper.get("/shop/terms")
            #expect(terms.status == 200)
            #expect(!terms.text.contains("href=\"javascript"))
            #expect(try await shopper.get("/shop/privacy").text.contains("https://example.com"))
        }
    }

    @Test(
        "Everything is said in the reader's language, and Arabic runs from right to left",
        arguments: [
            ("de", "Garden abonnieren", "ltr"), ("fr", "S’abonner à Garden", "ltr"),
            ("es", "Suscribirse a Garden", "ltr"), ("ja", "Gardenに登録", "ltr"),
            ("ar", "الاشتراك في", "rtl"), ("en", "Subscribe to Garden", "ltr"),
            ("xx", "Subscribe to Garden", "ltr"),
        ])
    func languages(_ language: String, _ title: String, _ direction: String) async throws {
        try await ShopWorld().signedIn { shopper in
            for path in ["/shop", "/shop/compact", "/shop/content", "/shop/help", "/shop/plan"] {
                let sight = try await shopper.get(path, [.acceptLanguage: language])
                #expect(sight.status == 200, "\(path)")
                #expect(sight.text.contains(#"dir="\#(direction)""#), "\(path)")
            }
            #expect(
                try await shopper.get("/shop", [.acceptLanguage: language]).text.contains(title))
        }
    }
}
