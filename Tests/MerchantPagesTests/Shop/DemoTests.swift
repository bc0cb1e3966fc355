import MerchantPages
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing
import TimeAndChance

@Suite("Demo: three parts on one page")
struct DemoTests {
    private func open(_ shopper: Browser, _ world: ShopWorld) async throws {
        let door = try await shopper.get(world.demo.link(now: SystemTime.now()))
        let code = try #require(door.hidden("code"))
        #expect(try await shopper.post("/demo/open", [("code", code)]).status == 303)
    }

    @Test("A link opens it once; without one there is nothing, and no clock is moved")
    func link() async throws {
        let world = try await ShopWorld()
        try await world.with { shopper in
            let shut = try await shopper.get("/")
            #expect(shut.text.contains("perennial dev"))
            #expect(try await shopper.post("/demo/clock", [("step", "P1D")]).location == "/")
            let link = world.demo.link(now: SystemTime.now())
            let code = try #require(try await shopper.get(link).hidden("code"))
            #expect(try await shopper.post("/demo/open", [("code", code)]).status == 303)
            #expect(try await shopper.post("/demo/open", [("code", code)]).status == 422)
            #expect(try await shopper.post("/demo/open", [("code", "x")]).status == 422)
        }
        #expect(world.beside.advances.isEmpty)
    }

    @Test("It shows the phone, the store's console and the merchant's answer, and frames no others")
    func columns() async throws {
        let world = try await ShopWorld()
        try await world.buy("silver.monthly")
        try await world.with { shopper in
            try await open(shopper, world)
            let sight = try await shopper.get("/")
            for shown in [
                #"src="/shop/content""#, #"src="http://127.0.0.1:8080/console/customers/ada""#,
                "Silver", "Garden Club", "Your purchase is paid.", "A day later", "A month later",
            ] { #expect(sight.text.contains(shown), "\(shown)") }
            #expect(sight.policy.contains("frame-src 'self' http://127.0.0.1:8080"))
            #expect(sight.policy.contains("frame-ancestors 'none'"))
            #expect(try await shopper.get("/shop/content").text.contains("Unlocked"))
        }
    }

    @Test("The clock is moved day by day, and by nothing but a day or a month")
    func clock() async throws {
        let world = try await ShopWorld()
        try await world.with { shopper in
            try await open(shopper, world)
            #expect(try await shopper.post("/demo/clock", [("step", "P1D")]).status == 303)
            #expect(world.beside.advances.count == 1)
            #expect(try await shopper.post("/demo/clock", [("step", "P1Y")]).status == 404)
            #expect(
                try await shopper.post("/demo/clock", [("step", "P1D")], from: "same-site").status
                    == 403)
            #expect(world.beside.advances.count == 1)
        }
    }

    @Test("Another customer is looked at, and what can be no name is refused")
    func customers() async throws {
        let world = try await ShopWorld()
        try await world.with { shopper in
            try await open(shopper, world)
            #expect(try await shopper.post("/demo/customer", [("account", "bea")]).status == 303)
            #expect(try await shopper.get("/").text.contains("/console/customers/bea"))
            #expect(try await shopper.post("/demo/customer").status == 400)
        }
    }
}
