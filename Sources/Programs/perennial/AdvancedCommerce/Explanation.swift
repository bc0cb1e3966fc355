import AppStoreSigning
import AppStoreWire
import ConnectAnswers
import SubscriptionRules
import Timeline

/// What was checked of a request and what came of it, step by step.
struct Explanation {
    var kind: RequestKind
    var request: RequestText
    var key: APIKey
    var bundleID: String
    /// The compact JWS; nil for what a server sends.
    var jws: String?
    /// The product that is bought, where one is.
    var product: String?
    /// The transaction that a server names.
    var transaction: String?
    /// Where it takes effect; nil where that is not known.
    var storefront: Storefront?
    var isSandbox: Bool

    /// The first fault that can be seen without a store; nil where there is none.
    func fault(now: Double) -> (check: Check, error: APIError)? {
        if let jws {
            do throws(InAppRequestTokenError) {
                let verifier = try RequestTokenVerifier.one(key)
                _ = try verifier.verify(inAppRequest: jws, bundleID: bundleID, now: now)
            } catch {
                return (Check(error), error.apiError)
            }
        }
        guard let json = request.json, json.object != nil else {
            return (.form, APIError.AdvancedCommerce.malformedPayload)
        }
        do throws(APIError) {
            try kind.read(json)
            return nil
        } catch {
            return (Check.reading(error.code), error)
        }
    }

    /// All checks, with what came of each.
    ///
    /// - Parameters:
    ///   - refusal: which check the request did not pass, and why; nil for one that is right.
    ///   - payment: what the bank said, where it was asked.
    func results(
        refusal: (check: Check, words: String)?, payment: String? = nil, wasSent: Bool
    ) -> [CheckResult] {
        CheckResult.all(checks(payment), refusal: refusal, wasSent: wasSent)
    }

    /// Apple's number and name, and what is wrong.
    static func words(_ error: APIError) -> String {
        "\(error.code) \(error.name): \(error.message)"
    }

    private func checks(_ payment: String?) -> [(check: Check, found: String)] {
        let facts = RequestFacts(request.json)
        let reading: [(Check, String)] = [
            (.form, facts.form), (.reference, facts.reference), (.names, facts.lengths),
            (.numbers, facts.numbers(in: storefront?.currency)), (.codes, facts.words),
            (.together, kind.together),
        ]
        let state: [(Check, String)] = kind.state.map { [(.subscription, $0)] } ?? []
        guard let jws else {
            return calling + reading
                + [(.once, "its number was used for nothing else"), (.place, place)] + state
                + (kind.isRefund ? [(.refund, "there is money left to give back")] : [])
        }
        return signing(jws) + reading + [
            (.once, "its nonce is new, and its number was used for nothing else"),
            (.product, "\(product ?? "") stands for what the merchant describes, and is for sale"),
            (.place, place),
        ] + state + [(.payment, payment ?? "")]
    }

    private func signing(_ jws: String) -> [(Check, String)] {
        let minutes = Int(InAppRequestToken.lifetime) / 60
        return [
            (
                .text,
                "a compact JWS of \(jws.utf8.count) bytes, of at most "
                    + "\(InAppRequestToken.sizeLimit)"
            ),
            (.signature, "ES256 by the key \(key.keyID), which is good for \(bundleID)"),
            (
                .claims,
                "iss \(key.issuerID), bid \(bundleID), aud advanced-commerce-api, a nonce, no "
                    + "exp: good for \(minutes) minutes from iat"
            ),
        ]
    }

    private var calling: [(Check, String)] {
        guard case .call(let endpoint) = kind else { return [] }
        let hourly = endpoint.requestsPerSecond * 3600 / (isSandbox ? 10 : 1)
        return [
            (.token, "signed by the key \(key.keyID) for \(bundleID), and not too old"),
            (
                .limit,
                "\(hourly) calls an hour at most, if the store was told to count"
            ),
            (.identifier, "\(transaction ?? "") is written as the store writes numbers"),
        ]
    }

    private var place: String {
        guard let storefront else { return "as the subscription's" }
        let currency = storefront.currency
        return "\(storefront.code), where prices are in steps of "
            + Money.plainText(currency.step, currency.code)
    }
}

extension RequestTokenVerifier {
    /// A verifier of one key.
    fileprivate static func one(
        _ key: APIKey
    ) throws(InAppRequestTokenError) -> RequestTokenVerifier {
        do {
            return try RequestTokenVerifier(
                publicKeyPEMs: [key.keyID: key.publicKeyPEM], issuerID: key.issuerID)
        } catch {
            throw .unknownKey
        }
    }
}

extension CheckResult {
    /// What stands before an answer where it was asked for.
    static func head(_ results: [CheckResult]?, _ style: Style) -> [String] {
        guard let results else { return [] }
        return lines(results, style) + [""]
    }

    /// A line a check, with a mark before it; words stand under words.
    static func lines(_ results: [CheckResult], _ style: Style) -> [String] {
        let width = Check.allCases.map(\.title.count).max() ?? 0
        return results.flatMap { result in
            let (mark, colour): (String, Style.Colour) =
                switch result.outcome {
                case .passed: (style.pick("✓", "+"), .paid)
                case .refused: (style.pick("✗", "x"), .retry)
                case .notJudged: (style.pick("·", "."), .faint)
                }
            let head = "\(mark) \(result.check.title.filled(to: width))"
            let lines = Folding.lines(of: "\(head)  \(result.words)", width: style.lineWidth)
            return lines.enumerated().map { index, line in
                guard index == 0, line.hasPrefix(head) else { return line }
                return style.paint(head, colour) + line.dropFirst(head.count)
            }
        }
    }
}
