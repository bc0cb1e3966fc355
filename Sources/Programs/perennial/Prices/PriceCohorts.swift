import ConnectAnswers
import SubscriptionRules
import Timeline

/// What the subscribers of a product pay, in words.
enum PriceCohorts {
    /// - Parameter inSandbox: whether only those in Sandbox are counted; else both environments.
    static func table(
        _ answer: Answer, inSandbox: Bool = false, _ style: Style
    ) throws -> [String] {
        let cohorts = try answer.list("cohorts").filter {
            try !inSandbox || $0.integer("sandboxSubscribers") > 0
        }
        guard !cohorts.isEmpty else {
            return ["nobody subscribes to it" + (inSandbox ? " in Sandbox" : "")]
        }
        var table = Columns([
            ("storefront", .left), ("price", .right), ("subscribers", .right), ("", .left),
        ])
        for cohort in cohorts {
            table.add([
                try cohort.text("storefront"),
                Money.plainText(try cohort.integer("price"), try cohort.text("currency")),
                try cohort.text(inSandbox ? "sandboxSubscribers" : "subscribers"),
                try remarks(cohort, inSandbox).joined(separator: ", "),
            ])
        }
        return table.lines(style) + (answer.optionalText("advice").map { [$0] } ?? [])
    }

    private static func remarks(_ cohort: Answer, _ inSandbox: Bool) throws -> [String] {
        let list = Money.plainText(
            try cohort.integer("listPrice"), try cohort.text("currency"))
        var remarks: [String] = []
        if let order = cohort.optionalInteger("moveOrder") {
            remarks.append(
                "preserved, list price \(list)" + (order == 1 ? ", the one to raise first" : ""))
        } else if try cohort.integer("price") > cohort.integer("listPrice") {
            remarks.append("above the list price \(list)")
        } else if try cohort.bool("isListPrice") {
            remarks.append("list price")
        }
        let moving = try cohort.integer(inSandbox ? "sandboxMoving" : "moving")
        let all = try cohort.integer(inSandbox ? "sandboxSubscribers" : "subscribers")
        if moving > 0 {
            remarks.append("\(moving == all ? "all" : "\(moving)") with a higher price on its way")
        }
        let inOther = try cohort.integer("sandboxSubscribers")
        if !inSandbox, inOther > 0 {
            remarks.append("\(inOther == all ? "all" : "\(inOther)") in Sandbox")
        }
        return remarks
    }
}
