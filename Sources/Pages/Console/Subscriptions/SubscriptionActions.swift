import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules
import Timeline

/// What can be done with a subscription: each act has a page that says what it will do, made by
/// doing it and taking it back, and a form that does it.
enum SubscriptionAct: String, CaseIterable, Sendable {
    case changePlan = "plan"
    case turnRenewalOff = "renewal-off"
    case turnRenewalOn = "renewal-on"
    case agree = "agree-to-price"
    case decline = "decline-price"
    case extend
    case refund
    case cancel
    case expire

    /// Whether it means anything in a state.
    func isPossible(_ view: SubscriptionView) -> Bool {
        let isOver = ["expired", "revoked"].contains(view.life.state)
        switch self {
        case .changePlan: return !isOver
        case .turnRenewalOff: return !isOver && view.life.renewsAutomatically
        case .turnRenewalOn: return !isOver && !view.life.renewsAutomatically
        case .agree, .decline: return !isOver && view.life.awaitsConsent
        case .extend, .expire, .cancel: return !isOver
        case .refund: return view.life.state != "revoked"
        }
    }

    /// Whether it cannot be taken back.
    var isFinal: Bool {
        switch self {
        case .changePlan, .turnRenewalOff, .turnRenewalOn, .agree: false
        case .decline, .extend, .refund, .cancel, .expire: true
        }
    }

    /// The fields that it needs before it can be tried.
    ///
    /// - Parameter plans: what a plan can be changed to, each with its words.
    func fields(_ form: FormInput?, plans: [(value: String, text: String)] = []) -> [Field] {
        typealias Words = ConsoleWords.Acts
        func value(_ name: String) -> String { form?[name] ?? "" }
        switch self {
        case .changePlan:
            return [
                Field(
                    "product", Words.product, .choice(plans), in: rawValue,
                    value: value("product"), hint: Words.productHint)
            ]
        case .extend:
            return [
                Field(
                    "days", Words.days, in: rawValue, value: value("days"), hint: Words.daysHint,
                    isRequired: true),
                Field(
                    "reason", Words.reason,
                    .choice(Words.extensionReasons), in: rawValue, value: value("reason")),
            ]
        case .refund, .cancel:
            return [
                Field(
                    "prorated", Words.prorated, .checkbox, in: rawValue, value: value("prorated"))
            ]
        case .turnRenewalOff, .turnRenewalOn, .agree, .decline, .expire: return []
        }
    }
}

/// A call that does something, ready to be made or tried.
struct ActCall: Sendable {
    let method: HTTPRequest.Method
    let path: StorePath
    let command: [String]
    /// Whether it is the customer's own, made on a device.
    let isCustomers: Bool
    let bytes: [UInt8]

    init(
        _ method: HTTPRequest.Method, _ path: StorePath, command: [String],
        isCustomers: Bool = false, _ body: (inout JSONWriter) -> Void
    ) {
        self.method = method
        self.path = path
        self.command = command
        self.isCustomers = isCustomers
        var json = JSONWriter()
        json.object(body)
        bytes = json.bytes
    }

    var body: String { String(decoding: bytes, as: UTF8.self) }
}
