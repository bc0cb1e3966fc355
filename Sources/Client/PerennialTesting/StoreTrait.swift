public import AppStoreWire
public import Testing

/// Gives each test a store of its own, in this process: `@Suite(.perennial("Garden.storekit"))`.
///
/// A test finds it as ``TestStore/current``. Stores share nothing, so tests run beside each other.
public struct StoreTrait: TestTrait, SuiteTrait, TestScoping {
    private let options: StoreOptions

    init(_ options: StoreOptions) { self.options = options }

    /// Each test of a suite gets a store, not the suite.
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let store = try await TestStore.open(options)
        do {
            try await TestStore.$running.withValue(store) { try await function() }
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}

extension Trait where Self == StoreTrait {
    /// A store that sells what a catalogue has.
    ///
    /// - Parameters:
    ///   - catalogue: a `.storekit` file beside the test's package, or one built in code.
    ///   - bundleID: the app's bundle identifier.
    ///   - start: what the clock shows first, as ISO 8601 text. It stands still until a test moves
    ///     it.
    ///   - environment: in `.sandbox` a month takes five minutes.
    public static func perennial(
        _ catalogue: TestCatalogue, bundleID: String = "com.example.app",
        start: String = "2026-01-31T10:00:00Z", environment: Environment = .production
    ) -> StoreTrait {
        StoreTrait(
            StoreOptions(
                catalogue: catalogue, bundleID: bundleID, start: start, environment: environment))
    }
}

/// How a store begins.
struct StoreOptions: Sendable, Hashable {
    var catalogue: TestCatalogue
    var bundleID: String
    var start: String
    var environment: Environment
}

/// Why a test has no store, with the remedy.
public struct TestStoreFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
