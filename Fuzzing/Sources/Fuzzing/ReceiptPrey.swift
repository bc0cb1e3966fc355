import AppStoreSigning
import AppStoreWire

/// Receipts of both kinds: nothing but the genuine ones is ever taken, and what is read can be
/// written.
struct ReceiptPrey: Prey {
    private static let folder = "Tests/AppStoreSigningTests/Golden"
    private let verifier: ReceiptVerifier
    private let intermediate: [UInt8]
    private let genuine: [AppReceipt]
    private let transaction: TransactionReceipt

    init() throws {
        func receipt(_ name: String) throws -> [UInt8] {
            try Seeds.bytes("\(Self.folder)/receipt-\(name).receipt")
        }
        let container = try ReceiptContainer(parsing: receipt("production"))
        let xcode = try ReceiptContainer(parsing: receipt("xcode"))
        verifier = try ReceiptVerifier(
            rootDER: [Seeds.bytes("\(Self.folder)/\(ReceiptChain.rootDERFileName)")],
            selfSignedDER: xcode.certificates, allowsSHA1: true)
        intermediate = container.certificates[1]
        genuine = try ["production", "sandbox", "xcode"].map {
            try AppReceipt(payload: ReceiptContainer(parsing: receipt($0)).payload)
        }
        transaction = try TransactionReceipt(parsing: receipt("transaction"))
    }

    func eat(_ bytes: [UInt8]) async {
        if let description = try? ReceiptDescription(of: bytes) {
            precondition((try? JSONValue(parsing: description.jsonBytes())) != nil)
        }
        if let container = try? ReceiptContainer(parsing: bytes) {
            for isIndefinite in [false, true] {
                let written = container.encoded(withIndefiniteLengths: isIndefinite)
                precondition(try! ReceiptContainer(parsing: written) == container)
            }
            if let receipt = try? AppReceipt(payload: container.payload) {
                let again = try! AppReceipt(payload: receipt.payload)
                precondition(again.payload == receipt.payload)
            }
        }
        if let receipt = try? await verifier.verify(bytes, expecting: ReceiptExpectation()) {
            precondition(genuine.contains(receipt), "a receipt that nobody signed was taken")
        }
        let old = try? await verifier.verify(transactionReceipt: bytes, over: intermediate)
        if let old { precondition(old == transaction, "a receipt that nobody signed was taken") }
        _ = try? VerifyReceiptRequest(parsing: bytes)
    }
}
