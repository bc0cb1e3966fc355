import HTTPTypes
import Storage
import Store
import StoreHTTP
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: while the database is away")
struct OutageTests {
    @Test("Every page says so, and comes back by itself", arguments: Backend.available)
    func away(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let page = try await browser.get("/console/clock/ahead?until=P1M")
            await world.world.database.close()
            for path in [
                "/console", "/console/customers", "/console/customers/ada",
                "/console/customers?q=a", "/console/clock", "/console/clock/ahead?until=P1M",
                "/console/subscriptions/\(id)", "/console/subscriptions/\(id)/expire",
            ] {
                let sight = try await browser.get(path)
                #expect(sight.status == 503, "\(path)")
                #expect(sight.fields[.retryAfter] == "5", "\(path)")
                #expect(sight.isPage, "\(path)")
                #expect(sight.text.contains("data-again"), "\(path)")
                expectSafe(sight)
            }
            let sight = try await browser.submit(page, to: "/console/clock/advance")
            #expect(sight.status == 503)
            #expect(sight.isPage)
            // Whoever comes now is let in, and out.
            #expect(try await browser.get("/console/sign-in").status == 200)
            #expect(try await browser.post("/console/sign-out").status == 303)
            browser.cookie = nil
            try await browser.signIn()
        }
    }
}
