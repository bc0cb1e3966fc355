import AppStoreSigning
import ArgumentParser
import FoundationEssentials
import TimeAndChance

/// A UUID that nobody else has.
enum FreshUUID {
    static func text() -> String {
        DerivedUUID.text(seed: Randomness.token(""), purpose: "command line", number: 0)
    }
}

/// The key that a developer's server signs with.
struct SigningKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Sign with this private key. (default: the one that the ready file names)",
            valueName: "file"),
        completion: .file())
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Its identifier. (default: ID in the name SubscriptionKey_ID.p8)", valueName: "id"))
    var keyID: String?

    @Option(
        help: ArgumentHelp(
            "The issuer id that goes with it. (default: the ready file's)", valueName: "uuid"))
    var issuerID: String?

    func validate() throws {
        guard key != nil || (keyID == nil && issuerID == nil) else {
            throw ValidationError("--key-id and --issuer-id say more of a --key.")
        }
    }

    /// The key that is meant.
    func read(at store: StoreOptions) throws -> APIKey {
        guard let key else {
            guard store.url == nil else {
                throw Failure.usage(
                    "The private key is the one that the ready file names: leave --url out, or "
                        + "give --key and --issuer-id.")
            }
            return try APIKey.of(ReadyFile.read(StoreAddress.readyFile(store.ready)))
        }
        let name = key.split(separator: "/").last.map(String.init) ?? key
        let named = name.wholeMatch(of: /SubscriptionKey_(.+)\.p8/).map { String($0.output.1) }
        guard let keyID = keyID ?? named else {
            throw Failure.usage("\(key) does not say which key it is: add --key-id.")
        }
        var issuer = issuerID
        if issuer == nil, store.url == nil {
            issuer = try ReadyFile.read(StoreAddress.readyFile(store.ready)).issuerID
        }
        guard let issuer else {
            throw Failure.usage("Without a ready file a --key needs its --issuer-id too.")
        }
        return try APIKey.read(key, keyID: keyID, issuerID: issuer)
    }
}

extension APIKey {
    /// The key that a running store was started with, which is good for all its apps.
    static func of(_ ready: ReadyFile) throws -> APIKey {
        try read(ready.privateKeyFile, keyID: ready.keyID, issuerID: ready.issuerID)
    }

    /// A key in a file; what the file says is told to nobody.
    fileprivate static func read(
        _ file: String, keyID: String, issuerID: String
    ) throws -> APIKey {
        guard let pem = FileManager.default.contents(atPath: file) else {
            throw Failure.refused("The private key \(file) cannot be read.")
        }
        do {
            return try APIKey(
                keyID: keyID, issuerID: issuerID,
                privateKeyPEM: String(decoding: pem, as: UTF8.self))
        } catch {
            throw Failure.refused("\(file) is no private key in PEM, as a .p8 file is.")
        }
    }
}
