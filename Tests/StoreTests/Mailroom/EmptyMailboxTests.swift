import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("The mailbox, empty")
struct EmptyMailboxTests {
    @Test("Who has no address is the reason, until there is one", arguments: Backend.available)
    func address(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false, mailroom: .lines())
        let store = world.store
        #expect(try await store.whyMailboxIsEmpty(in: .production) == .nothingDue)
        let kim = try await world.device("kim")
        _ = try await world.subscribe("silver.monthly", by: kim)
        #expect(try await store.whyMailboxIsEmpty(in: .production) == .noAddress)
        #expect(try await store.whyMailboxIsEmpty(of: "kim", in: .production) == .noAddress)
        _ = try await world.device("anna@example.com")
        #expect(try await store.whyMailboxIsEmpty(in: .production) == .nothingDue)
        #expect(try await store.whyMailboxIsEmpty(of: "kim", in: .production) == .noAddress)
        #expect(
            try await store.whyMailboxIsEmpty(of: "anna@example.com", in: .production)
                == .nothingDue)
        await #expect(throws: StoreError.unknown(.account, "bea")) {
            _ = try await store.whyMailboxIsEmpty(of: "bea", in: .production)
        }
    }

    @Test("Where there are mails the conditions hide them", arguments: Backend.available)
    func filtered(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false, mailroom: .lines())
        let anna = try await world.device("anna@example.com")
        _ = try await world.device("kim")
        _ = try await world.subscribe("silver.monthly", by: anna)
        try await world.store.settle()
        #expect(try await world.store.whyMailboxIsEmpty(in: .production) == .filtered)
        let kim = try await world.store.whyMailboxIsEmpty(of: "kim", in: .production)
        #expect(kim == .noAddress)
        #expect(try await world.store.whyMailboxIsEmpty(in: .sandbox) == .sandboxMailsOff)
    }

    @Test("Mails that are off are the reason", arguments: Backend.available)
    func off(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false, mailroom: .lines()) {
            $0.mails = .nobody
        }
        _ = try await world.device("anna@example.com")
        for environment in StoreEnvironment.allCases {
            #expect(try await world.store.whyMailboxIsEmpty(in: environment) == .mailsOff)
        }
        try await world.store.configure(bundleID: World.bundleID) {
            $0.mails = .everybody
            $0.sandboxMails = true
        }
        _ = try await world.device("kim")
        for environment in StoreEnvironment.allCases {
            #expect(try await world.store.whyMailboxIsEmpty(in: environment) == .nothingDue)
        }
        let silent = try await World(backend, isListening: false)
        #expect(try await silent.store.whyMailboxIsEmpty(in: .production) == .mailsOff)
    }
}
