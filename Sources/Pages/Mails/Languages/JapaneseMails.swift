import Letters
import SubscriptionRules

/// Mails in Japanese, which counts without a plural.
struct JapaneseMails: MailWords {
    let language = "ja"
    let isRightToLeft = false

    func price(_ amount: String, every period: CalendarPeriod) -> Sentence {
        let (one, many) =
            switch period.unit {
            case .day: ("日", "日")
            case .week: ("週", "週間")
            case .month: ("月", "か月")
            case .year: ("年", "年")
            }
        return period.count == 1
            ? "\(amount)／\(words: one)" : "\(amount)／\(words: "\(period.count)\(many)")"
    }

    func sentTo(_ account: String, app: String) -> Sentence {
        "このメールは、\(app)でのご購入に関して\(account)様にお送りしています。"
    }
    let manage = "サブスクリプションを管理"
    let support = "サポート"
    let privacy = "プライバシーポリシー"
    let howToTurnOff: Sentence =
        "自動更新は、アカウントのサブスクリプション設定でいつでもオフにしたり、再びオンにしたりできます。"
        + "お支払い済みの期間は最後までご利用いただけます。"

    let colon = "："
    let price = "価格"
    let oldPrice = "現在の価格"
    let newPrice = "新しい価格"
    let renews = "更新日"
    let ends = "終了日"
    let reason = "理由"
    let insteadOf = "通常価格"
    let paidUntil = "お支払い済みの期限"
    let startsOn = "適用開始日"
    let order = "ご注文番号"
    let date = "日付"
    let bought = "購入日"
    let total = "合計"
    let oldRenewal = "これまでの更新日"
    let newRenewal = "新しい更新日"
    let answerBy = "回答期限"
    func quantity(_ count: Int) -> String { "\(count) ×" }

    let agree = "新しい価格に同意する"
    let decline = "同意しない"
    let notNow = "今はしない"
    let fine = "OK"

    func welcomeSubject(_ name: String) -> Sentence { "「\(name)」のサブスクリプションが始まりました" }
    func welcome(_ name: String, app: String) -> Sentence {
        "\(app)で「\(name)」にご登録いただき、ありがとうございます。"
    }
    func startsFree(until day: String, then price: Sentence) -> Sentence {
        "\(day)までは無料です。その日から自動的に課金が始まります（\(price)）。"
    }
    func startsReduced(_ paid: String, until day: String, then price: Sentence) -> Sentence {
        "\(paid)をお支払いいただきました。\(day)からの価格は\(price)です。"
    }
    func renewsByItself(on day: String, for price: Sentence) -> Sentence {
        "自動更新をオフにするまで自動的に更新されます。次回の更新日は\(day)、価格は\(price)です。"
    }
    func commits(to total: String) -> Sentence {
        "毎月のお支払い12回（合計\(total)）にご同意いただいています。自動更新をオフにした場合は、12か月目のあとに終了します。"
    }

    func receiptSubject(_ name: String, others: Int) -> Sentence {
        others == 0 ? "「\(name)」の領収書" : "「\(name)」ほか\(words: "\(others)")件の領収書"
    }
    func receipt(app: String) -> Sentence { "\(app)でご購入いただいた内容は次のとおりです。" }

    func willRenewSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "「\(name)」はまもなく更新されます"
            : "「\(name)」ほか\(words: "\(others)")件はまもなく更新されます"
    }
    func willRenew(_ count: Int) -> Sentence {
        "次の\(words: "\(count)")件のサブスクリプションは、1か月以内に自動的に更新されます。"
    }
    func willExpireSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "「\(name)」はまもなく終了します"
            : "「\(name)」ほか\(words: "\(others)")件はまもなく終了します"
    }
    func willExpire(_ count: Int) -> Sentence {
        "次の\(words: "\(count)")件のサブスクリプションは1か月以内に終了します。"
    }

    func reasonToEnd(_ reason: CustomerMail.Upcoming.ReasonToEnd) -> Sentence {
        switch reason {
        case .turnedOff: "自動更新がオフになっています"
        case .notForSale: "販売が終了しました"
        case .renewalLimit: "Sandboxではこれ以上更新されません"
        }
    }

    func cannotPaySubject(_ name: String) -> Sentence { "「\(name)」のお支払い方法をご確認ください" }
    func cannotPay(_ name: String, price: String, day: String) -> Sentence {
        "「\(name)」は\(day)に\(price)で更新されますが、お支払いを確認できない可能性があります。"
    }
    let updatePayment: Sentence =
        "引き続きご利用いただくため、アカウントのお支払い方法を更新してください。"

    func billingSubject(_ name: String) -> Sentence { "「\(name)」のお支払いに問題があります" }
    func notPaid(_ name: String, price: String) -> Sentence {
        "\(price)のお支払いができなかったため、「\(name)」を更新できませんでした。再度お手続きいたします。"
    }
    func accessGoesOn(until day: String) -> Sentence { "\(day)まで引き続きご利用いただけます。" }
    let accessIsInterrupted: Sentence = "お支払いが完了するまでご利用いただけません。"
    func endedSubject(_ name: String) -> Sentence { "「\(name)」は終了しました" }
    func ended(_ name: String, price: String) -> Sentence {
        "\(price)のお支払いができなかったため、「\(name)」は終了しました。いつでも再登録していただけます。"
    }

    func increaseSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "「\(name)」の価格改定のお知らせ"
            : "「\(name)」ほか\(words: "\(others)")件の価格改定のお知らせ"
    }
    func consentSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "「\(name)」の値上げについて同意のお願い"
            : "「\(name)」ほか\(words: "\(others)")件の値上げについて同意のお願い"
    }
    func increase(_ count: Int) -> Sentence { "サブスクリプションの価格が上がります。" }
    func increaseStands(before day: String) -> Sentence {
        "お手続きは必要ありません。この価格での継続を希望されない場合は、\(day)より前に自動更新をオフにしてください。"
    }
    func consentNeeded(for count: Int, ending names: [String], day: String) -> Sentence {
        let price: Sentence =
            count == 1
            ? "同意いただいた場合にのみ新しい価格が適用されます。"
            : "同意いただいた場合にのみ新しい価格が適用されます。一度のご回答がすべてに適用されます。"
        return price + "同意いただけない場合、\(list(names))は\(day)に終了します。"
    }
    let restGoesOn: Sentence = "サブスクリプションのその他の内容は継続します。"
    private func list(_ names: [String]) -> Sentence {
        let names: Sentence = .list(names, "」「", "」「")
        return "「\(names)」"
    }

    func conversionSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "「\(name)」の特典終了と同意のお願い"
            : "「\(name)」ほか\(words: "\(others)")件の特典終了と同意のお願い"
    }
    func conversion(_ name: String, isFree: Bool, price: Sentence, day: String) -> Sentence {
        isFree
            ? "「\(name)」の無料期間は\(day)に終了し、その後の価格は\(price)です。"
            : "「\(name)」の割引価格は\(day)に終了し、その後の価格は\(price)です。"
    }
    func conversions(_ names: [String], day: String) -> Sentence {
        "\(list(names))の特典は\(day)に終了し、その後は以下の価格となります。"
    }
    func conversionNeeded(for names: [String], by day: String) -> Sentence {
        "\(list(names))は、\(day)までに同意いただいた場合にのみ継続します。"
            + "同意がない場合は終了し、その分は課金されません。"
    }
    func conversionNeeded(by day: String) -> Sentence {
        "\(day)までに同意いただいた場合にのみ継続します。同意がない場合は終了し、課金されません。"
    }

    func extendedSubject(_ name: String) -> Sentence { "「\(name)」の更新日が延長されました" }
    func extended(_ name: String, day: String) -> Sentence {
        "「\(name)」の期間を無料で延長いたしました。新しい更新日は\(day)です。"
    }

    func discontinuedSubject(_ name: String) -> Sentence { "「\(name)」の提供終了のお知らせ" }
    func discontinued(_ name: String, day: String) -> Sentence {
        "「\(name)」の提供は終了しました。\(day)まではご利用いただけますが、その後は更新されません。"
    }
    let others: Sentence = "代わりに次のものをお選びいただけます。"

    func refundedSubject(_ name: String) -> Sentence { "「\(name)」の返金について" }
    func refunded(_ name: String, amount: String) -> Sentence {
        "ご請求が承認されました。「\(name)」の\(amount)は、お支払いに使われた方法で返金されます。"
    }
    func refundedUnasked(_ name: String, amount: String) -> Sentence {
        "「\(name)」の\(amount)を、お支払いに使われた方法で返金いたします。"
    }
    func refundDeclinedSubject(_ name: String) -> Sentence { "「\(name)」の返金のご請求について" }
    func refundDeclined(_ name: String) -> Sentence {
        "「\(name)」の返金のご請求は承認されませんでした。ご購入いただいたものは引き続きご利用いただけます。"
    }

    func shareSubject(_ name: String) -> Sentence { "「\(name)」を家族と共有できます" }
    func share(_ name: String) -> Sentence {
        "「\(name)」を共有できるようになりました。共有をオンにすると、家族も追加料金なしで利用できます。"
    }
    func sharedSubject(_ name: String) -> Sentence { "「\(name)」が共有されました" }
    func shared(_ name: String, by giver: String) -> Sentence {
        "\(giver)さんが「\(name)」を家族と共有しました。今すぐご利用いただけます。"
    }
}
