import Crypto
import Storage
import TimeAndChance

/// Whose world a database may hold: the certificates that sign for it belong to it, since every
/// client that trusts the old ones would refuse what others sign.
public struct WorldOwnership: Sendable, Hashable {
    /// The SHA-256 of the root certificate as DER, hexadecimal.
    public let rootFingerprint: String
    /// Whether a database without a world is refused, since there was one.
    public let mustExist: Bool
    /// Whether a world of other certificates is taken over.
    public let adopts: Bool

    public init(rootDER: [UInt8], mustExist: Bool, adopts: Bool) {
        rootFingerprint = SHA256.hash(data: rootDER).hexadecimal
        self.mustExist = mustExist
        self.adopts = adopts
    }

    /// Leaves the fingerprint in a world that has none, and refuses one that has another.
    func check(in session: any Session) throws {
        guard var world = try World(session),
            world.rootFingerprint != rootFingerprint
        else { return }
        guard world.rootFingerprint == nil || adopts else { throw WorldIsForeign() }
        world.rootFingerprint = rootFingerprint
        try world.save(session)
    }
}

/// The database holds a world that other certificates sign for.
public struct WorldIsForeign: Error, Sendable, Hashable {}

/// The database holds no world although it should.
public struct WorldIsMissing: Error, Sendable, Hashable {}
