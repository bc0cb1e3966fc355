import Letters
import Mail
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: mails and the relay")
struct RelayStories {
    /// A world in which Anna has bought coins, and the receipt is due.
    private func world(_ backend: Backend, _ outcomes: RelayOutcome...) async throws -> (
        World, ScriptedRelay
    ) {
        let relay = ScriptedRelay(outcomes)
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, mailroom: .lines(relay))
        let anna = try await world.device("anna@example.com")
        _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: anna)
        return (world, relay)
    }

    private func only(_ world: World) async throws -> MailboxEntry {
        try #require(try await world.store.mailbox(in: .production).first)
    }

    @Test("What the relay takes is the message of the mailbox", arguments: Backend.available)
    func delivered(_ backend: Backend) async throws {
        let (world, relay) = try await world(backend)
        #expect(try await only(world).state == "waiting")
        try await world.store.deliverMails()
        let mail = try await only(world)
        #expect(mail.state == "delivered")
        #expect(mail.attempts.map(\.outcome) == ["DELIVERED"])
        #expect(mail.attempts.map(\.reply) == ["250 Taken"])
        let message = try await world.store.mailMessage(mail.id, in: .production)
        #expect(relay.taken.map(\.message) == [String(decoding: message, as: UTF8.self)])
        #expect(relay.taken.map(\.to) == ["anna@example.com"])
        #expect(relay.taken[0].message.contains("Message-ID: <\(mail.messageID)>\r\n"))
        #expect(mail.messageID.hasSuffix("@shop.example"))
        // Nothing is left to do.
        try await world.store.deliverMails()
        #expect(relay.taken.count == 1)
        await #expect(throws: StoreError.unknown(.mail, "\(mail.id)")) {
            try await world.store.mail(mail.id, in: .sandbox)
        }
    }

    @Test("A refusal for good is kept with what was said", arguments: Backend.available)
    func bounced(_ backend: Backend) async throws {
        let (world, relay) = try await world(
            backend, .refused(RelayReply(code: 550, text: "No such mailbox")))
        try await world.store.deliverMails()
        let mail = try await only(world)
        #expect(mail.state == "refused")
        #expect(mail.attempts.map(\.reply) == ["550 No such mailbox"])
        _ = try await world.store.advance(to: World.instant("2026-02-15"))
        try await world.store.deliverMails()
        #expect(relay.taken.count == 1)
    }

    @Test(
        "What the relay has not taken is sent again, the same, by the world's clock",
        arguments: Backend.available)
    func postponed(_ backend: Backend) async throws {
        let (world, relay) = try await world(
            backend, .postponed(.reply(RelayReply(code: 451, text: "Later"))),
            .unknown(.connectionLost))
        try await world.store.deliverMails()
        #expect(try await only(world).nextAttempt == World.instant("2026-01-15T00:05:00Z"))
        _ = try await world.store.advance(to: World.instant("2026-01-15T00:04:59Z"))
        try await world.store.deliverMails()
        #expect(relay.taken.count == 1)
        _ = try await world.store.advance(to: World.instant("2026-01-15T00:05:00Z"))
        try await world.store.deliverMails()
        // Nobody knows whether it arrived: the same again, so that whoever has it twice can tell.
        #expect(try await only(world).nextAttempt == World.instant("2026-01-15T00:20:00Z"))
        _ = try await world.store.advance(to: World.instant("2026-01-15T00:20:00Z"))
        try await world.store.deliverMails()
        let mail = try await only(world)
        #expect(mail.state == "delivered")
        #expect(mail.attempts.map(\.outcome) == ["POSTPONED", "UNKNOWN", "DELIVERED"])
        #expect(
            mail.attempts.map(\.reply) == ["451 Later", "the connection was lost", "250 Taken"])
        #expect(Set(relay.taken.map(\.message)).count == 1)
    }

    @Test("After four days a relay that is down is given up on", arguments: Backend.available)
    func givenUp(_ backend: Backend) async throws {
        let relay = ScriptedRelay(Array(repeating: .postponed(.noConnection), count: 20))
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, mailroom: .lines(relay))
        let anna = try await world.device("anna@example.com")
        _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: anna)
        while let next = try await only(world).nextAttempt {
            _ = try await world.store.advance(to: next)
            try await world.store.deliverMails()
        }
        let mail = try await only(world)
        #expect(mail.state == "givenUp")
        #expect(mail.attempts.count == 9)
        #expect(mail.attempts.last?.at == World.instant("2026-01-18T17:20:00Z"))
    }

    @Test("One customer's mails go out in their order", arguments: Backend.available)
    func order(_ backend: Backend) async throws {
        let (world, relay) = try await world(backend)
        let anna = try await world.device("anna@example.com")
        for _ in 0..<5 {
            _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: anna)
        }
        try await world.store.deliverMails()
        let identifiers = try await world.store.mailbox(in: .production).reversed()
            .map(\.messageID)
        #expect(relay.taken.count == 6)
        for (sent, id) in zip(relay.taken, identifiers) { #expect(sent.message.contains(id)) }
    }
}
