/// Changing the plan, and what it costs.
extension JapaneseWords {
    var nextBill: String { "次回の請求" }
    var paymentIsOnItsWay: String { "支払いを処理しています。" }
    var total: String { "合計" }
    var billLine: String { "内容" }
    var usualPrice: String { "通常価格" }
    var toPay: String { "お支払い額" }
    var withOffer: String { "オファー適用" }
    var unpaid: String { "前回のお支払いができませんでした。利用を続けるには、お支払い方法を更新してください。" }
    var changePlan: String { "プランを変更" }
    var noOtherPlans: String { "ほかのプランはありません。" }
    var current: String { "現在のプラン" }
    var takesEffect: String { "適用日" }
    var atOnce: String { "すぐに" }
    var chargedToday: String { "本日の請求額" }
    var returned: String { "返金額" }
    var approval: String { "承認" }
    var needsApproval: String { "先にご家族の承認が必要です。" }
    var confirm: String { "確認" }
    var notNow: String { "今はしない" }
    func commits(to total: String) -> String {
        "月払い12回、合計\(total)"
    }
    func changeTo(_ name: String) -> String {
        "\(name)に変更"
    }
    func keepPlan(_ name: String) -> String {
        "\(name)を続ける"
    }
    func planWaits(_ name: String, day: String) -> String {
        "\(day)に\(name)へ変わります。"
    }
    func nothingMore(until day: String) -> String {
        "\(day)に終了します。これ以上の請求はありません。"
    }
    func paidBy(_ name: String) -> String {
        "このサブスクリプションは\(name)さんが支払い、管理しています。"
    }
}

/// Leaving, staying and coming back.
extension JapaneseWords {
    var cancel: String { "サブスクリプションをキャンセル" }
    var confirmCancellation: String { "キャンセルの確認" }
    var payLess: String { "または料金を下げる" }
    var keep: String { "サブスクリプションを続ける" }
    var resubscribe: String { "再登録" }
    var resubscribeNow: String { "今すぐ再登録" }
    var otherPlans: String { "ほかのプラン" }
    func changeTo(_ name: String, for price: String) -> String {
        "\(price)の\(name)に変更"
    }
    func isOff(until day: String) -> String {
        "更新はオフです。\(day)まで利用できます。"
    }
    func cancels(_ name: String, accessUntil day: String) -> String {
        "確認すると\(name)は更新されません。\(day)まで利用できます。"
    }
    func cancelsCommitment(of name: String, on day: String) -> String {
        "確認すると\(name)は12か月目の\(day)に終了します。それまでは利用でき、毎月のお支払いは続きます。"
    }
    func cancelsUnpaid(_ name: String) -> String {
        "お支払いができなかったため、現在\(name)は利用できません。確認すると、以後の請求は行われません。"
    }
    func resubscribe(to name: String) -> String {
        "\(name)に再登録"
    }
    func offerIsFree(for length: String, then price: String) -> String {
        "\(length)無料、その後\(price)。"
    }
}

/// A price that goes up, or an offer that ends.
extension JapaneseWords {
    var conversionTitle: String { "オファーが終了します" }
    var reviewIncrease: String { "価格を確認" }
    var nothingToAnswer: String { "回答が必要なことはありません。" }
    func priceOf(_ name: String, app: String) -> String {
        "\(app)の\(name)"
    }
    func freeUntil(_ day: String) -> String {
        "\(day)まで無料"
    }
    func endsUnlessAgreed(_ name: String, on day: String) -> String {
        "新しい価格は、同意された場合にのみ適用されます。同意がない場合、\(name)は\(day)に終了し、請求はありません。"
    }
    func nothingToDo(before day: String) -> String {
        "手続きは不要です。この価格を希望しない場合は、\(day)より前にキャンセルしてください。"
    }
    func asksForPrice(_ price: String, from day: String) -> String {
        "\(day)からの新しい価格（\(price)）への同意をお願いしています。"
    }
    func tellsOfPrice(_ price: String, from day: String) -> String {
        "\(day)から価格が\(price)に変わります。"
    }
}
