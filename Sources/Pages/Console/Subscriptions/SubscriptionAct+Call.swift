import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPTypes

/// By which calls of the store's interfaces acts are done.
extension SubscriptionAct {
    /// The call that does it.
    func call(_ view: SubscriptionView, _ form: FormInput) throws -> ActCall {
        switch self {
        case .changePlan:
            customers(view, ["plan", view.id, form["product"]]) {
                $0.field("productId", form["product"])
            }
        case .turnRenewalOff:
            customers(view, ["renewal", view.id, "off"]) { $0.field("autoRenew", false) }
        case .turnRenewalOn:
            customers(view, ["renewal", view.id, "on"]) { $0.field("autoRenew", true) }
        case .agree:
            customers(view, ["consent", view.id, "agree"]) { $0.field("priceIncrease", "agree") }
        case .decline:
            customers(view, ["consent", view.id, "decline"]) {
                $0.field("priceIncrease", "decline")
            }
        case .extend: extending(view, form)
        case .refund: try refunding(view, form)
        case .cancel:
            operators(view, "cancel", ["subscription", "cancel", view.id] + prorating(form)) {
                json in
                if form.isTicked("prorated") { json.field("extent", "prorated") }
            }
        case .expire: operators(view, "expire", ["subscription", "expire", view.id]) { _ in }
        }
    }

    /// What the customer does on a device.
    private func customers(
        _ view: SubscriptionView, _ command: [String], _ body: (inout JSONWriter) -> Void
    ) -> ActCall {
        ActCall(
            .patch, StorePath("storefront", "v1", "subscriptions", view.id), command: command,
            isCustomers: true, body)
    }

    private func operators(
        _ view: SubscriptionView, _ last: String, _ command: [String],
        _ body: (inout JSONWriter) -> Void
    ) -> ActCall {
        ActCall(
            .post, StorePath("connect", "v1", "subscriptions", view.id, last), command: command,
            body)
    }

    private func extending(_ view: SubscriptionView, _ form: FormInput) -> ActCall {
        let reason = form.text("reason") ?? "undeclared"
        return operators(
            view, "extend",
            ["extensions", "grant", view.id, "--days", form["days"], "--reason", reason]
        ) { json in
            json.field("days", Int64(form["days"]))
            json.field("reason", reason)
            json.field("requestIdentifier", form.text(FormID.field) ?? "preview")
        }
    }

    private func refunding(_ view: SubscriptionView, _ form: FormInput) throws -> ActCall {
        let transaction = try view.answer.text("transactionId")
        return ActCall(
            .post, StorePath("connect", "v1", "transactions", transaction, "refund"),
            command: ["refunds", "issue", "--transaction", transaction] + prorating(form)
        ) { json in
            if form.isTicked("prorated") { json.field("extent", "prorated") }
        }
    }

    private func prorating(_ form: FormInput) -> [String] {
        form.isTicked("prorated") ? ["--prorated"] : []
    }
}
