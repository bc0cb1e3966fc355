public import AppStoreWire
import HTTPSurface
public import SubscriptionRules

/// The explanation of several items' prices for programs: moments as ISO 8601 text, money in
/// milliunits.
extension BundlePriceExplanation: WireEncodable {
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("path", path.rawValue)
            json.field("route", route.rawValue)
            json.array("items") { json in
                for item in items {
                    json.elementObject { json in
                        json.field("sku", item.sku)
                        json.field("dependentSKUs", item.dependents)
                        item.explanation.writeMembers(to: &json)
                    }
                }
            }
            json.object("sum") { json in
                json.field("oldPrice", sum.change.old)
                json.field("newPrice", sum.change.new)
                json.field("currency", sum.change.currency.code)
                json.field("pathOfOnePrice", sum.path.rawValue)
                json.reasons(sum)
            }
            json.array("requests") { json in
                for request in requests {
                    json.elementObject { json in
                        json.field("skus", request.skus)
                        json.field("needsConsent", request.needsConsent)
                        json.field("opens", request.opens.iso8601)
                        json.field("closes", request.closes?.iso8601)
                    }
                }
            }
            json.array("messages") { json in
                for one in messages {
                    json.elementObject { json in
                        one.message.writeMembers(to: &json)
                        json.field("skus", one.skus)
                    }
                }
            }
            json.array("bills") { json in
                for bill in bills {
                    json.elementObject { json in
                        json.field("at", bill.moment.iso8601)
                        json.field("ifAgreed", bill.ifAgreed)
                        json.field("ifUnanswered", bill.ifUnanswered)
                        json.field("lapsed", bill.lapsed)
                    }
                }
            }
        }
    }
}

extension CommunicationTimetable: WireEncodable {
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("occasion", occasion.rawValue)
            json.field("period", period.iso8601)
            json.timetable(self)
        }
    }
}

/// The timetables of every occasion and of plans of every length.
public struct CommunicationTimetables: WireEncodable, Sendable {
    public init() {}

    public func encode(to json: inout JSONWriter) {
        json.object { json in json.field("timetables", CommunicationTimetable.all) }
    }
}
