import AppStoreServerLibrary
import Foundation

/// Verifies notifications with Apple's library, one after the other and with both texts in each,
/// and prints how many a second.
///
/// Its input has the root in Base64 in the first line, then three lines a notification: the signed
/// payload, the transaction and the renewal information that are signed in it.
@main
struct AppleLibrary {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let appAppleID = Int64(arguments[2]) else {
            fatalError("usage: AppleLibrary BUNDLE_ID APP_APPLE_ID ROUNDS < NOTIFICATIONS")
        }
        guard let first = readLine(), let root = Data(base64Encoded: first) else {
            fatalError("the first line is no certificate in Base64")
        }
        var letters: [[String]] = []
        while let payload = readLine(), let transaction = readLine(), let renewal = readLine() {
            letters.append([payload, transaction, renewal])
        }
        let verifier = try SignedDataVerifier(
            rootCertificates: [root], bundleId: arguments[1], appAppleId: appAppleID,
            environment: .production, enableOnlineChecks: false)
        var rates: [Double] = []
        for _ in 0..<max(Int(arguments[3]) ?? 1, 1) {
            let start = ContinuousClock.now
            for letter in letters {
                check(await verifier.verifyAndDecodeNotification(signedPayload: letter[0]))
                check(await verifier.verifyAndDecodeTransaction(signedTransaction: letter[1]))
                check(await verifier.verifyAndDecodeRenewalInfo(signedRenewalInfo: letter[2]))
            }
            rates.append(Double(letters.count) / (start.duration(to: .now) / .seconds(1)))
        }
        print(rates.sorted()[rates.count / 2])
    }

    private static func check<Payload>(_ result: VerificationResult<Payload>) {
        if case .invalid(let error) = result { fatalError("not verified: \(error)") }
    }
}
