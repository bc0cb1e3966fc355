import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import Store
import SubscriptionRules
import TimeAndChance

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Who a store is: its certificates, the developer's API key and the operator's token, made once
/// in a data directory and the same ever after.
struct Identity: Sendable {
    let chain: CertificateChain
    /// The certificates of receipts, which are others.
    let receiptChain: ReceiptChain
    let key: APIKey
    let operatorToken: String
    /// The path of the `.p8` file.
    let privateKeyFile: String
    /// The path of the root certificate as DER.
    let rootCertificateFile: String
    /// The path of the root certificate of receipts as DER.
    let receiptRootCertificateFile: String

    /// Reads what the directory holds, or makes it.
    ///
    /// In a directory whose first start came to its end nothing is made any more: what is missing
    /// there was lost, and who replaced it in silence would cut off every client.
    ///
    /// - Parameters:
    ///   - isKept: whether what is made for a directory that had none of it is written there.
    ///   - shared: the path of a directory with certificates, which one that has none gets; they
    ///     are made there where it does not exist. Nil for certificates of its own.
    /// - Throws: `Failure` when files are missing, damaged, open to others or cannot be written.
    init(
        in directory: DataDirectory, keeping isKept: Bool = true, sharing shared: String? = nil
    ) throws {
        if let shared, !directory.isComplete, !directory.exists(directory.certificates) {
            try Self.share(shared, with: directory)
        }
        try Self.checkAccess(in: directory)
        chain = try Self.chain(in: directory)
        rootCertificateFile = "\(directory.certificates)/\(CertificateChain.rootDERFileName)"
        receiptChain = try Self.receiptChain(in: directory, keeping: isKept)
        receiptRootCertificateFile =
            "\(directory.certificates)/\(ReceiptChain.rootDERFileName)"
        let credentials = try Credentials.saved(in: directory)
        operatorToken = credentials.operatorToken
        privateKeyFile = directory.file(credentials.privateKeyFileName)
        guard let data = FileManager.default.contents(atPath: privateKeyFile),
            let pem = String(validating: data, as: UTF8.self),
            let key = try? APIKey(
                keyID: credentials.keyID, issuerID: credentials.issuerID, privateKeyPEM: pem)
        else {
            throw Failure.refused(
                "The API key \(privateKeyFile) cannot be read; put it back from a backup, or "
                    + "remove \(directory.file(Credentials.fileName)) and "
                    + "\(directory.completeMark) to get a new one.")
        }
        self.key = key
    }

    /// Reads what the directory holds, and makes nothing.
    ///
    /// - Throws: `Failure` when files are missing, damaged or open to others.
    init(stored directory: DataDirectory) throws {
        for path in [directory.certificates, directory.file(Credentials.fileName)]
        where !directory.exists(path) {
            throw Failure.refused("\(path) is missing; put it back from a backup.")
        }
        try self.init(in: directory, keeping: false)
    }

    /// Gives a directory the same files, and says that it is complete. What is there stays.
    ///
    /// - Throws: `Failure` when they cannot be read or written.
    func copy(to directory: DataDirectory) throws {
        guard !directory.isComplete else { return }
        let original = URL(filePath: privateKeyFile).deletingLastPathComponent().path
        let certificates = URL(filePath: rootCertificateFile).deletingLastPathComponent().path
        do {
            try Self.copyAll(in: certificates, to: directory.certificates)
            let key = URL(filePath: privateKeyFile).lastPathComponent
            for name in [key, Credentials.fileName] {
                try Self.copy("\(original)/\(name)", to: directory.file(name))
            }
            try directory.markComplete()
        } catch {
            throw Failure.refused("The keys cannot be copied to \(directory.path): \(error).")
        }
    }

    private static func copyAll(in folder: String, to other: String) throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: other, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for name in try files.contentsOfDirectory(atPath: folder) {
            try copy("\(folder)/\(name)", to: "\(other)/\(name)")
        }
    }

    private static func copy(_ file: String, to other: String) throws {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Failure.refused("\(file) cannot be read")
        }
        try AtomicFile.write(Array(data), to: other, mode: 0o600)
    }

    /// Gives a directory the certificates of another, which are made where there are none yet.
    private static func share(_ shared: String, with directory: DataDirectory) throws {
        let files = FileManager.default
        do {
            if !files.fileExists(atPath: shared) {
                // Several stores may start at once: the first has made them for all.
                let draft = "\(shared).\(Randomness.number()).new"
                try newChain().save(in: draft)
                try Store.newReceiptChain().save(in: draft)
                if rename(draft, shared) != 0 { try files.removeItem(atPath: draft) }
            }
            try checkAccess(ofCertificates: shared, in: directory)
            _ = try CertificateChain.load(from: shared)
            try put(directory.certificates) { try copyAll(in: shared, to: $0) }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure.refused(
                "The certificates in \(shared) cannot be used (\(error)); name the certificates/ "
                    + "of a store's data directory, or a directory that does not exist yet.")
        }
    }

    private static func newChain() throws -> CertificateChain {
        try .make(notBefore: Instant.earliest.milliseconds, notAfter: Instant.latest.milliseconds)
    }

    /// In one step: a directory of that name holds everything, or has lost something.
    private static func put(_ folder: String, _ fill: (String) throws -> Void) throws {
        let draft = folder + ".new"
        try? FileManager.default.removeItem(atPath: draft)
        try fill(draft)
        try FileManager.default.moveItem(atPath: draft, toPath: folder)
    }

    private static func chain(in directory: DataDirectory) throws -> CertificateChain {
        do {
            if directory.isComplete || directory.exists(directory.certificates) {
                return try .load(from: directory.certificates)
            }
            let chain = try newChain()
            try put(directory.certificates) { try chain.save(in: $0) }
            return chain
        } catch {
            throw Failure.refused(
                "The certificates in \(directory.certificates) cannot be used (\(error)); put them "
                    + "back from a backup. To go on with new ones, which every client must be "
                    + "given, remove that directory and \(directory.completeMark), and start once "
                    + "with --adopt.")
        }
    }

    /// Reads the certificates of receipts. Where there are none they are made, also beside others
    /// of a version that had no receipts; where some are missing they were lost.
    private static func receiptChain(
        in directory: DataDirectory, keeping isKept: Bool
    ) throws -> ReceiptChain {
        do {
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.certificates)
            if files.contains(where: { $0.hasPrefix(ReceiptChain.filePrefix) }) {
                return try .load(from: directory.certificates)
            }
            let chain = try Store.newReceiptChain()
            if isKept { try chain.save(in: directory.certificates) }
            return chain
        } catch {
            throw Failure.refused(
                "The certificates of receipts in \(directory.certificates) cannot be used "
                    + "(\(error)); put them back from a backup. To go on with new ones, which "
                    + "whoever verifies receipts must be given, remove the files "
                    + "\(ReceiptChain.filePrefix)* there.")
        }
    }

    /// Refuses files that others could have changed, and secrets that everybody can read.
    private static func checkAccess(in directory: DataDirectory) throws {
        let files = FileManager.default
        let here = ((try? files.contentsOfDirectory(atPath: directory.path)) ?? [])
            .filter { $0 == Credentials.fileName || $0.hasSuffix(".p8") }
        for file in here.sorted() {
            try directory.checkAccess(of: directory.file(file), isSecret: true)
        }
        try checkAccess(ofCertificates: directory.certificates, in: directory)
    }

    private static func checkAccess(
        ofCertificates folder: String, in directory: DataDirectory
    ) throws {
        guard directory.exists(folder) else { return }
        try directory.checkAccess(of: folder, isSecret: false)
        let certificates = try? FileManager.default.contentsOfDirectory(atPath: folder)
        for file in (certificates ?? []).sorted() {
            try directory.checkAccess(
                of: "\(folder)/\(file)", isSecret: file.hasSuffix("-key.pem"))
        }
    }
}

/// The API key's identifiers and the operator's token, as a file.
struct Credentials: Hashable, Sendable {
    static let fileName = "credentials.json"

    var keyID: String
    var issuerID: String
    var operatorToken: String

    /// Apple names the files of In-App Purchase keys so.
    var privateKeyFileName: String { "SubscriptionKey_\(keyID).p8" }

    /// Reads the file, or makes it together with a new key.
    static func saved(in directory: DataDirectory) throws -> Credentials {
        let path = directory.file(Self.fileName)
        guard directory.isComplete || directory.exists(path) else {
            return try make(in: directory)
        }
        guard let data = FileManager.default.contents(atPath: path),
            let value = try? JSONValue(parsing: Array(data)), let keyID = value["keyId"]?.string,
            let issuerID = value["issuerId"]?.string,
            let operatorToken = value["operatorToken"]?.string, !operatorToken.isEmpty
        else {
            throw Failure.refused(
                "\(path) is missing or damaged; put it back from a backup, or remove it and "
                    + "\(directory.completeMark) to get a new key and token.")
        }
        return Credentials(keyID: keyID, issuerID: issuerID, operatorToken: operatorToken)
    }

    /// Makes a key and a token. This file comes last: where it is, the key is too.
    private static func make(in directory: DataDirectory) throws -> Credentials {
        var generator = MachineGenerator()
        let key = APIKey.generate(using: &generator)
        let credentials = Credentials(
            keyID: key.keyID, issuerID: key.issuerID,
            operatorToken: Randomness.token("operator_"))
        do {
            try AtomicFile.write(
                Array(key.privateKeyPEM.utf8) + [UInt8(ascii: "\n")],
                to: directory.file(credentials.privateKeyFileName), mode: 0o600)
            try AtomicFile.write(
                credentials.json() + [UInt8(ascii: "\n")], to: directory.file(fileName),
                mode: 0o600)
        } catch {
            throw Failure.refused("The API key cannot be written: \(error).")
        }
        return credentials
    }

    private func json() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("keyId", keyID)
            json.field("issuerId", issuerID)
            json.field("operatorToken", operatorToken)
        }
        return json.bytes
    }
}

/// Loggers print values by reflection; this one holds secrets, so it shows only its name.
extension Identity: CustomStringConvertible, CustomReflectable {
    var description: String { "Identity(\(key.keyID))" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
