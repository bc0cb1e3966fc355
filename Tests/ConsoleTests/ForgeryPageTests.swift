import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: forgeries")
struct ForgeryPageTests {
    @Test(
        "Kinds are listed by what they are about, and one is made of a purchase to copy",
        arguments: Backend.available, StoreEnvironment.allCases)
    func make(_ backend: Backend, _ environment: StoreEnvironment) async throws {
        let world = try await ConsoleWorld(backend)
        let id = try await world.subscribe("ada", in: environment)
        try await world.subscribe("bob", to: "gold.monthly", in: environment)
        let before = try await world.tables()
        try await world.signedIn(environment) { browser in
            let list = try await browser.get("/console/forgeries")
            #expect(list.links.contains("/console/forgeries/transaction-signature-flipped"))
            #expect(!list.links.contains("/console/forgeries/request-token-expired"))
            #expect(list.words.contains("VERIFICATION_FAILURE"))
            #expect(list.words.contains("never look at the third"))
            let tokens = try await browser.get("/console/forgeries?about=request-token")
            #expect(tokens.links.contains("/console/forgeries/request-token-expired"))
            #expect(tokens.words.contains("perennial forge --about request-token"))

            let page = try await browser.get(
                "/console/forgeries/transaction-signature-flipped?app=com.example.app"
                    + "&transaction=\(id)")
            #expect(page.status == 200)
            for words in [
                "One bit of the signature", "refuse it", "wrongSignature", "VERIFICATION_FAILURE",
                "\"transactionId\": \"\(id)\"", "perennial forge transaction-signature-flipped",
                "eyJ",
            ] {
                #expect(page.words.contains(words), "\(words)")
            }
            // Whoever only reads of a kind makes none.
            let read = try await browser.get("/console/forgeries/transaction-replayed")
            #expect(read.status == 200 && !read.words.contains("eyJ"))
            #expect(read.words.contains("A server has to look by itself."))
            let query = "?app=com.example.app&transaction="
            let replayed = try await browser.get(
                "/console/forgeries/transaction-replayed\(query)")
            #expect(replayed.status == 200)
            #expect(replayed.words.contains("To be shown before"))
            let large = try await browser.get("/console/forgeries/notification-oversized\(query)")
            #expect(large.status == 200 && large.text.utf8.count < 100_000)
            let empty = try await browser.get("/console/forgeries/transaction-text-empty\(query)")
            #expect(empty.words.contains("The text is empty"))
        }
        #expect(try await world.changes(since: before).filter { $0 != "sign_in" } == [])
    }

    @Test("What cannot be made is said, beside the field where one was filled in")
    func refusals() async throws {
        let world = try await ConsoleWorld()
        let app = "?app=com.example.app"
        try await world.signedIn { browser in
            let nothing = try await browser.get("/console/forgeries/transaction-genuine\(app)")
            #expect(nothing.status == 409 && nothing.words.contains("Nobody has bought anything"))
            try await world.subscribe("ada")
            let alone = try await browser.get(
                "/console/forgeries/transaction-of-another-customer\(app)")
            #expect(alone.status == 409 && alone.words.contains("let a second customer buy first"))
            let unknown = try await browser.get(
                "/console/forgeries/transaction-genuine\(app)&transaction=7")
            #expect(unknown.status == 404 && unknown.words.contains("no transaction 7"))
            for text in ["seven", "<script>alert(1)</script>", "-1"] {
                let query = text.replacing("<", with: "%3C").replacing(">", with: "%3E")
                let wrong = try await browser.get(
                    "/console/forgeries/transaction-genuine\(app)&transaction=\(query)")
                #expect(wrong.status == 400, "\(text)")
                #expect(!wrong.text.contains("<script>alert"))
            }
            #expect(try await browser.get("/console/forgeries/nothing").status == 404)
            let other = try await browser.get("/console/forgeries/transaction-genuine?app=a.b")
            #expect(other.status == 404)
        }
        try await world.signedIn(.sandbox) { browser in
            try await world.subscribe("ada", in: .sandbox)
            let page = try await browser.get(
                "/console/forgeries/notification-wrong-app-apple-id\(app)")
            #expect(page.status == 409 && page.words.contains("in Production only"))
        }
    }
}
