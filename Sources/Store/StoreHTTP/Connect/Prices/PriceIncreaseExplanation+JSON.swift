public import AppStoreWire
import HTTPSurface
public import SubscriptionRules
import Wording

/// The explanation for programs: moments as ISO 8601 text, money in milliunits.
extension PriceIncreaseExplanation: WireEncodable {
    public func encode(to json: inout JSONWriter) { json.object(writeMembers) }

    /// The members alone, for whoever has more to say of the same change.
    func writeMembers(to json: inout JSONWriter) {
        json.field("path", decision.path.rawValue)
        json.field("oldPrice", change.old)
        json.field("newPrice", change.new)
        json.field("currency", change.currency.code)
        json.field("storefront", subscriber.storefront)
        json.field("route", calendar.route.rawValue)
        json.field("live", calendar.live.iso8601)
        json.reasons(decision)
        json.field("firstRenewalAtNewPrice", firstRenewalAtNewPrice?.iso8601)
        json.field("oldPriceRenewals", calendar.oldPriceRenewals.map(\.moment.iso8601))
        json.field("answerBy", calendar.answerBy?.iso8601)
        json.field("agreed", agreed)
        json.field("withoutAnswer", calendar.outcome(agreed: nil).rawValue)
        if let window = calendar.callWindow {
            json.object("callWindow") { json in
                json.field("opens", window.opens.iso8601)
                json.field("closes", window.closes.iso8601)
            }
        }
        json.messages(calendar.messages)
        if let timetable = CommunicationTimetable(
            of: decision.path, for: subscriber.outlook.period)
        {
            json.timetable(timetable)
        }
        json.field("remarks", calendar.remarks.map(Wording.english.sentence))
        guard let conversion = koreanConversion else { return }
        json.object("koreanConversion") { json in
            json.field("kind", conversion.kind.rawValue)
            json.field("at", conversion.moment.iso8601)
            json.field("opens", conversion.opens.iso8601)
            json.field("closes", conversion.closes.iso8601)
            json.messages(conversion.messages)
            json.timetable(
                CommunicationTimetable(.koreanConversion, for: subscriber.outlook.period))
        }
    }
}

extension JSONWriter {
    /// Every test of a decision, with its figures in words.
    mutating func reasons(_ decision: ConsentDecision) {
        array("reasons") { json in
            for reason in decision.reasons {
                json.elementObject { json in
                    json.field("rule", reason.rule)
                    json.field("demandsConsent", reason.demandsConsent)
                    json.field("sentence", Wording.english.sentence(reason))
                }
            }
        }
    }

    fileprivate mutating func messages(_ messages: [PriceMessage]) {
        array("messages") { json in
            for message in messages { json.elementObject(message.writeMembers) }
        }
    }

    /// The channels of a timetable.
    mutating func timetable(_ timetable: CommunicationTimetable) {
        array("timetable") { json in
            for row in timetable.rows {
                json.elementObject { json in
                    json.field("channel", row.channel.rawValue)
                    json.field("daysBefore", Int64(row.daysBefore))
                    json.field("condition", row.condition.rawValue)
                    json.field("repeatsAfterDays", row.repeatsAfterDays.map(Int64.init))
                    json.field("withdrawnBy", row.withdrawnBy.map(\.rawValue))
                }
            }
        }
    }
}

extension PriceMessage {
    func writeMembers(to json: inout JSONWriter) {
        json.field("at", moment.iso8601)
        json.field("channel", channel.rawValue)
        json.field("condition", condition.rawValue)
    }
}
