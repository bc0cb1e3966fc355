import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: families")
struct FamilyPageTests {
    private static let families = "/console/families"

    /// A world in which ada has bought something for ever that a family can share.
    private func world(_ backend: Backend = .sqlite) async throws -> ConsoleWorld {
        let world = try await ConsoleWorld(backend)
        for account in ["ada", "bea", "carl", "dora"] {
            _ = try await world.world.device(account)
        }
        _ = try await world.world.store.purchase(
            PurchaseRequest(productID: "lifetime"), by: try await world.world.device("ada"))
        return world
    }

    /// Makes ada's family with bea, and says where its page is.
    private func makeFamily(_ browser: Browser) async throws -> String {
        let page = try await browser.get(
            "\(Self.families)/new?organiser=ada&members=bea&preview=1")
        let made = try await browser.submit(page, to: Self.families)
        let path = try #require(made.location).replacing("?done=createFamily", with: "")
        #expect(path.hasPrefix("\(Self.families)/"))
        return path
    }

    @Test(
        "A family is made, joined, left and ended, and each act first shows what it will do",
        arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let world = try await world(backend)
        let store = world.world.store
        try await world.signedIn { browser in
            let before = try await world.tables()
            let ahead = try await browser.get(
                "\(Self.families)/new?organiser=ada&members=bea&preview=1")
            #expect(ahead.words.contains("shared with bea"), "\(ahead.words)")
            #expect(try await world.changes(since: before) == [])
            let family = try await makeFamily(browser)
            let page = try await browser.get(family)
            for words in ["Family of ada", "2 of 6", "organiser", "lifetime", "bea since Jan 1"] {
                #expect(page.words.contains(words), "\(words)")
            }
            let customer = try await browser.get("/console/customers/bea")
            #expect(customer.links.contains(family))
            for words in ["Shared by the family", "no subscription of their own", "ada"] {
                #expect(customer.words.contains(words), "\(words)")
            }
            // Carl joins.
            let joining = try await browser.get("\(family)/join?account=carl&preview=1")
            #expect(joining.words.contains("shared with carl"))
            let joined = try await browser.submit(joining, to: "\(family)/join")
            #expect(joined.location == "\(family)?done=doFamilyAct")
            #expect(try await browser.get(family).words.contains("3 of 6"))
            // What ada bought is shared no more, and again.
            let shared = try await browser.get(family)
            let change = try #require(shared.links.first { $0.contains("/share?transaction=") })
            for (sharing, words) in [("off", "no longer shared"), ("on", "shared with bea")] {
                let asked = try await browser.get(change)
                #expect(
                    asked.markup.contains {
                        $0.name == "option" && $0.attributes["selected"] != nil
                            && $0.attributes["value"] == sharing
                    })
                let told = try await browser.get("\(change)&sharing=\(sharing)&preview=1")
                #expect(told.words.contains(words), "\(told.words)")
                _ = try await browser.submit(told, to: "\(family)/share")
                let isShared = try await browser.get(family).words.contains("bea since")
                #expect(isShared == (sharing == "on"))
            }
            // Bea is removed, and the rest goes with the family.
            let page3 = try await browser.get(family)
            let removal = try #require(page3.links.first { $0.contains("remove?account=bea") })
            let going = try await browser.get(removal)
            #expect(going.words.contains("no longer shared with bea"))
            _ = try await browser.submit(going, to: "\(family)/remove")
            let id = try #require(Int64(family.split(separator: "/").last ?? ""))
            #expect(
                try await store.family(id, in: .production).0.members.map(\.account)
                    == ["ada", "carl"])
            let ending = try await browser.get("\(family)/end?preview=1")
            let ended = try await browser.submit(ending, to: "\(family)/end")
            #expect(ended.location == "\(Self.families)?done=doFamilyAct")
            #expect(try await browser.get(family).status == 404)
            #expect(try await browser.get(Self.families).words.contains("There is no family yet"))
        }
    }

    @Test("What cannot be is said on the page of the form, and changes nothing")
    func refused() async throws {
        let world = try await world()
        try await world.signedIn { browser in
            let family = try await makeFamily(browser)
            let before = try await world.tables()
            for (path, status) in [
                ("\(Self.families)/new?organiser=bea&members=&preview=1", 409),
                ("\(Self.families)/new?organiser=nobody&members=&preview=1", 404),
                ("\(Self.families)/new?organiser=&members=&preview=1", 400),
                ("\(family)/join?account=nobody&preview=1", 404),
                ("\(family)/join?account=bea&preview=1", 409),
                ("\(family)/join?account=&preview=1", 400),
                ("\(family)/remove?account=ada&preview=1", 409),
                ("\(family)/remove?account=carl&preview=1", 409),
                ("\(family)/share?transaction=1&sharing=on&preview=1", 404),
                ("\(family)/dance", 404), ("\(Self.families)/17/join", 404),
                ("\(Self.families)/x", 404), ("\(Self.families)?account=nobody", 404),
            ] {
                let sight = try await browser.get(path)
                #expect(sight.status == status, "\(path): \(sight.status)")
                #expect(sight.text.contains("id=\"problem\""), "\(path)")
                expectSafe(sight)
            }
            // A form that was left open is refused too, where it was.
            let late = try await browser.post("\(family)/join", [("account", "bea")])
            #expect(late.status == 409)
            #expect(late.text.contains("id=\"problem\""))
            #expect(late.text.contains("action=\"\(family)/join\""))
            #expect(try await world.changes(since: before) == [])
        }
    }
}
