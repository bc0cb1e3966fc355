/// Whoever serves the forks of a store beside it, on ports of their own.
public protocol ForkHost: Sendable {
    /// Makes a fork and serves it; returns when it answers.
    ///
    /// - Throws: as `Store.fork`.
    func open(fork name: String, delivers: Bool) async throws -> ServedFork

    /// The forks that are there, in the order of their names.
    ///
    /// - Parameters:
    ///   - name: only those behind it; nil for all.
    ///   - limit: how many at most.
    func forks(after name: String?, limit: Int) async throws -> [ServedFork]

    /// Ends a fork, and removes it with all that it holds.
    ///
    /// - Throws: `StoreError.unknown(.fork)`.
    func remove(fork name: String) async throws
}

/// A fork, and where it answers.
public struct ServedFork: Sendable, Hashable {
    public let copy: WorldCopy
    /// Where it answers; nil where this process does not serve it.
    public let address: Address?

    /// Where a fork answers.
    public struct Address: Sendable, Hashable {
        public let productionURL: String
        public let sandboxURL: String
        /// The path of its ready file, on the machine that serves it.
        public let readyFile: String

        public init(productionURL: String, sandboxURL: String, readyFile: String) {
            self.productionURL = productionURL
            self.sandboxURL = sandboxURL
            self.readyFile = readyFile
        }
    }

    public init(copy: WorldCopy, address: Address?) {
        self.copy = copy
        self.address = address
    }
}
