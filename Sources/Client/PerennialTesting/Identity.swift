import AppStoreSigning
import SubscriptionRules
import TimeAndChance

/// Certificates and keys of all stores of this process, made once: making them is slow.
enum Identity {
    static let chain = Result {
        try CertificateChain.make(
            notBefore: Instant.earliest.milliseconds, notAfter: Instant.latest.milliseconds)
    }

    static let key: APIKey = {
        var generator = MachineGenerator()
        return APIKey.generate(
            using: &generator, issuerID: "57246542-96fe-1a63-e053-0824d011072a")
    }()
}
