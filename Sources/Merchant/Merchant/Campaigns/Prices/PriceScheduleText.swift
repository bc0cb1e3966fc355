import MerchantRules
import Storage
import SubscriptionRules

/// What lies ahead of a subscriber, as it is kept.
struct PriceScheduleText: Codable {
    struct Change: Codable {
        var sku: String
        var oldPrice: Int64
        var newPrice: Int64
        var renewal: Int64
        var needsConsent: Bool
    }

    struct Message: Codable {
        var occasion: String
        var channel: String
        var moment: Int64
        var condition: String
        var skus: [String]
    }

    struct Call: Codable {
        var skus: [String]
        var needsConsent: Bool
        var needsNotice: Bool
        var opens: Int64
        var closes: Int64?
        var latest: Int64
        var renewal: Int64
        var difference: Int64
        /// `waiting`, `requested` or `accepted`, and the moment of it.
        var status: String
        var statusAt: Int64
        var failures: Int
    }

    struct Conversion: Codable {
        var moment: Int64
        var kind: String
        var opens: Int64
        var closes: Int64
        var skus: [String]
        var oldPrice: Int64
        var newPrice: Int64
        /// Nil in texts of before this was known.
        var isEndedByMerchant: Bool?
    }

    var path: String
    var renewal: Int64
    var changes: [Change]
    var answerBy: Int64?
    var oldPrice: Int64
    var newPrice: Int64
    var messages: [Message]
    var calls: [Call]
    var conversion: Conversion?

    init(_ schedule: CampaignSchedule) {
        path = schedule.path.rawValue
        renewal = schedule.renewal.milliseconds
        changes = schedule.changes.map { change in
            Change(
                sku: change.sku, oldPrice: change.oldPrice, newPrice: change.newPrice,
                renewal: change.renewal.milliseconds, needsConsent: change.needsConsent)
        }
        answerBy = schedule.answerBy?.milliseconds
        oldPrice = schedule.oldPrice
        newPrice = schedule.newPrice
        messages = schedule.messages.map { message in
            Message(
                occasion: message.occasion.rawValue, channel: message.channel.rawValue,
                moment: message.moment.milliseconds, condition: message.condition.rawValue,
                skus: message.skus)
        }
        calls = schedule.calls.map { Call($0) }
        conversion = schedule.conversion.map { one in
            Conversion(
                moment: one.moment.milliseconds, kind: one.kind.rawValue,
                opens: one.opens.milliseconds, closes: one.closes.milliseconds, skus: one.skus,
                oldPrice: one.oldPrice, newPrice: one.newPrice,
                isEndedByMerchant: one.isEndedByMerchant)
        }
    }

    func schedule() throws(StorageError) -> CampaignSchedule {
        CampaignSchedule(
            path: try PriceStateText.word(path), renewal: Instant(milliseconds: renewal),
            changes: changes.map { change in
                CampaignSchedule.Change(
                    sku: change.sku, oldPrice: change.oldPrice, newPrice: change.newPrice,
                    renewal: Instant(milliseconds: change.renewal),
                    needsConsent: change.needsConsent)
            },
            answerBy: answerBy.map { Instant(milliseconds: $0) }, oldPrice: oldPrice,
            newPrice: newPrice,
            messages: try messages.map { one throws(StorageError) in try one.message() },
            calls: try calls.map { one throws(StorageError) in try one.call() },
            conversion: try conversion?.conversion())
    }
}

extension PriceScheduleText.Message {
    func message() throws(StorageError) -> CampaignMessage {
        CampaignMessage(
            occasion: try PriceStateText.word(occasion), channel: try PriceStateText.word(channel),
            moment: Instant(milliseconds: moment), condition: try PriceStateText.word(condition),
            skus: skus)
    }
}

extension PriceScheduleText.Conversion {
    func conversion() throws(StorageError) -> CampaignSchedule.Conversion {
        CampaignSchedule.Conversion(
            moment: Instant(milliseconds: moment), kind: try PriceStateText.word(kind),
            opens: Instant(milliseconds: opens), closes: Instant(milliseconds: closes),
            skus: skus, oldPrice: oldPrice, newPrice: newPrice,
            isEndedByMerchant: isEndedByMerchant ?? false)
    }
}

extension PriceScheduleText.Call {
    init(_ call: CampaignCall) {
        let status: (word: String, at: Instant) =
            switch call.status {
            case .waiting(let until): ("waiting", until)
            case .requested(let at): ("requested", at)
            case .accepted(let at): ("accepted", at)
            }
        self.init(
            skus: call.skus, needsConsent: call.needsConsent, needsNotice: call.needsNotice,
            opens: call.opens.milliseconds, closes: call.closes?.milliseconds,
            latest: call.latest.milliseconds, renewal: call.renewal.milliseconds,
            difference: call.difference, status: status.word,
            statusAt: status.at.milliseconds, failures: call.failures)
    }

    func call() throws(StorageError) -> CampaignCall {
        let at = Instant(milliseconds: statusAt)
        let known: [String: CampaignCall.Status] = [
            "waiting": .waiting(until: at), "requested": .requested(at: at),
            "accepted": .accepted(at: at),
        ]
        guard let status = known[status] else {
            throw StorageError(.corrupt, "a call of a campaign has no status")
        }
        return CampaignCall(
            skus: skus, needsConsent: needsConsent, needsNotice: needsNotice,
            opens: Instant(milliseconds: opens), closes: closes.map { Instant(milliseconds: $0) },
            latest: Instant(milliseconds: latest), renewal: Instant(milliseconds: renewal),
            difference: difference, status: status,
            failures: failures)
    }
}
