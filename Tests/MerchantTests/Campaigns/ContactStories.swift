import Merchant
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// How customers are reached.
@Suite("Merchant: contacts", .timeLimit(.minutes(15)))
struct ContactStories {
    private func token(_ digits: String) throws -> PushToken {
        try #require(
            PushToken(String(repeating: digits, count: 32), environment: .sandbox))
    }

    private func contacts(of account: String, _ world: MerchantWorld) async throws -> [String] {
        let export = try await world.merchant.export(account, of: World.bundleID)
        return export.contacts.map { one in
            let tokens = one.pushTokens.map { String($0.token.prefix(2)) }
            return ([one.email ?? "-", one.locale ?? "-"] + tokens).joined(separator: " ")
        }
    }

    @Test(
        "A contact takes the place of the one before, is exported, and is erased with the account",
        arguments: Backend.available)
    func kept(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let merchant = world.merchant
        #expect(try await contacts(of: "ada", world).isEmpty)
        _ = try await merchant.setContact(
            AccountContact(
                email: "ada@example.com", locale: "de",
                pushTokens: [try token("AB"), try token("ab"), try token("cd")]),
            of: "ada", in: World.bundleID)
        #expect(try await contacts(of: "ada", world) == ["ada@example.com de ab cd"])
        let kept = try await merchant.setContact(
            AccountContact(pushTokens: [try token("ef")]), of: "ada", in: World.bundleID)
        #expect(kept.email == nil)
        #expect(kept.since == World.instant("2026-01-01"))
        #expect(try await contacts(of: "ada", world) == ["- - ef"])
        _ = try await merchant.erase("ada", of: World.bundleID)
        #expect(try await contacts(of: "ada", world).isEmpty)
    }

    @Test(
        "Where accounts are merged the one that stays keeps its contact, or gets the other's",
        arguments: Backend.available)
    func merged(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let merchant = world.merchant
        for account in ["bea", "cem", "dan"] {
            _ = try await merchant.setContact(
                AccountContact(email: "\(account)@example.com", pushTokens: [try token("ab")]),
                of: account, in: World.bundleID)
        }
        _ = try await merchant.alias("bea", to: "ada", of: World.bundleID)
        #expect(try await contacts(of: "ada", world) == ["bea@example.com - ab"])
        _ = try await merchant.alias("dan", to: "cem", of: World.bundleID)
        #expect(try await contacts(of: "cem", world) == ["cem@example.com - ab"])
    }

    @Test(
        "What is no address, no account or too many devices is refused, and nothing changes",
        arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let merchant = world.merchant
        func refusal(_ contact: AccountContact, of account: String) async throws -> String {
            do {
                _ = try await merchant.setContact(contact, of: account, in: World.bundleID)
                return "taken"
            } catch MerchantError.invalidContact(let member, _) {
                return member
            } catch let error as MerchantError {
                return "\(error)"
            }
        }
        #expect(try await refusal(AccountContact(email: "ada"), of: "ada") == "email")
        let many = try (10..<31).map { number in try token("\(number)") }
        #expect(try await refusal(AccountContact(pushTokens: many), of: "ada") == "pushTokens")
        #expect(
            try await refusal(AccountContact(), of: "null").hasPrefix("reservedAccount"))
        #expect(try await contacts(of: "ada", world).isEmpty)
        for text in [
            "", "ab", String(repeating: "xy", count: 32), String(repeating: "a", count: 65),
        ] {
            #expect(PushToken(text, environment: .production) == nil)
        }
    }
}
