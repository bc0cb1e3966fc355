import Merchant
import Outbox
import PlacedYAML
import SubscriptionRules

/// What an app takes beside signed data of today, and what becomes of it.
struct IntakeSettings {
    var sharedSecret: AppSecret?
    var receiptService: [MerchantEnvironment: String]?
    var forward: [String] = []
    var retention: Span?

    func set(_ setup: inout AppSetup) {
        setup.sharedSecret = sharedSecret
        setup.receiptService = receiptService
        setup.forward = forward
        setup.retention = retention
    }
}

extension AppReader {
    /// The longest time for which bodies are kept, in days: ten years.
    private static let longestRetention = 3660

    mutating func intake(_ members: inout Members, _ problems: inout Problems) -> IntakeSettings {
        var settings = IntakeSettings()
        if let place = members.take("sharedSecret", &problems) {
            settings.sharedSecret = sharedSecret(place, &problems)
        }
        if let place = members.take("verifyReceipt", &problems) {
            settings.receiptService = receiptService(place, &problems)
            if settings.sharedSecret == nil {
                problems.add(
                    place, "needs the app's shared secret: write `sharedSecret: FILE` too.")
            }
        }
        if let place = members.take("forward", &problems) {
            settings.forward = forward(place, &problems)
        }
        if let place = members.take("retention", &problems), let text = place.text(&problems) {
            let step = CalendarStep(iso8601: text)
            if let step, step.months == 0, step.days <= Self.longestRetention,
                step.days > 0 || step.time > Span(milliseconds: 0),
                step.time <= .days(Self.longestRetention)
            {
                settings.retention = Span(
                    milliseconds: Span.days(step.days).milliseconds + step.time.milliseconds)
            } else {
                let rule =
                    CalendarStep.isNothing(text)
                    ? "longer than nothing" : "a length in days or hours"
                problems.add(place, "must be \(rule): write P90D.")
            }
        }
        return settings
    }

    /// A file that holds the secret, so that the configuration holds none.
    private mutating func sharedSecret(
        _ place: Place, _ problems: inout Problems
    ) -> AppSecret? {
        guard let name = place.text(&problems) else { return nil }
        let path = Paths.path(name, from: folder)
        files.append(path)
        guard let bytes = place.contents(of: path, &problems) else { return nil }
        let words = (String(validating: bytes, as: UTF8.self) ?? "").split(
            whereSeparator: \.isWhitespace)
        guard words.count == 1, words[0].utf8.count <= 256 else {
            problems.add(
                place, "names \(path), which holds no shared secret: write it there, alone.")
            return nil
        }
        return AppSecret(String(words[0]))
    }

    private func receiptService(
        _ place: Place, _ problems: inout Problems
    ) -> [MerchantEnvironment: String]? {
        guard var members = Members(place, &problems) else { return nil }
        var urls: [MerchantEnvironment: String] = [:]
        for word in EnvironmentWord.allCases {
            guard
                let place = members.need(
                    word.rawValue, "write the URL of verifyReceipt there", &problems),
                let text = place.text(&problems)
            else { continue }
            if let url = PostURL(text) {
                urls[word.environment] = url.text
            } else {
                problems.add(
                    place, "must be a URL: write https://buy.itunes.apple.com/verifyReceipt.")
            }
        }
        members.finish(&problems)
        return urls.count == EnvironmentWord.allCases.count ? urls : nil
    }

    private func forward(_ place: Place, _ problems: inout Problems) -> [String] {
        guard let elements = place.elements(&problems) else { return [] }
        var urls: [String] = []
        for element in elements {
            guard let text = element.text(&problems) else { continue }
            if PostURL(text) == nil {
                problems.add(element, "must be \(PostURL.rule).")
            } else if urls.contains(text) {
                problems.add(element, "is \(text) again: remove one of them.")
            } else {
                urls.append(text)
            }
        }
        return urls
    }
}
