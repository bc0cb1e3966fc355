package import SubscriptionRules

/// What customers' pages say in Japanese.
package protocol JapaneseCustomerWords: CustomerWords {}

extension JapaneseCustomerWords {
    package var language: String { "ja" }
}

/// Signing in.
extension JapaneseCustomerWords {
    package var signIn: String { "サインイン" }
    package var developmentWarning: String {
        "これは開発用のサインインです。パスワードは不要で、このポートに接続できる人は誰でもどの顧客にもなれます。"
    }
    package var app: String { "アプリ" }
    package var accountName: String { "アカウント" }
    package var accountHint: String { "新しい名前を入力すると新しいアカウントが始まります。" }
    package func wrongName(upTo most: Int) -> String {
        "この名前のアカウントは作れません。表示できる1〜\(most)文字の名前を入力し、アプリを選んでください。"
    }
    package var signInFirst: String { "先にサインインしてください。" }
}

/// What went wrong.
extension JapaneseCustomerWords {
    package var problemTitle: String { "完了できませんでした" }
    package var unknownPage: String { "このページはありません。" }
    package var tooOften: String { "回数が多すぎます。しばらくしてからもう一度お試しください。" }
}

/// A subscription.
extension JapaneseCustomerWords {
    package var manage: String { "サブスクリプションを管理" }
    package var state: String { "状態" }
    package var nextBillingDate: String { "次回請求日" }
    package var endsOn: String { "終了日" }
}

/// What is for sale.
extension JapaneseCustomerWords {
    package var renewsByItself: String { "キャンセルするまで自動的に更新されます。" }
    package var endsByItself: String { "期間が終わると終了し、自動更新されません。" }
    package var usedUp: String { "使うとなくなり、また購入できます。" }
    package var yoursForGood: String { "一度購入すると、ずっと使えます。" }
    package func offerCosts(_ amount: String, for length: String, then price: String) -> String {
        "\(length)は\(amount)、その後は\(price)です。"
    }
    package var redeemCode: String { "コードを使う" }
    package var privacyPolicy: String { "プライバシーポリシー" }
    package var noPrivacyPolicy: String { "デベロッパはここにプライバシーポリシーを公開していません。" }
}

/// The sheet about a price.
extension JapaneseCustomerWords {
    package var increaseTitle: String { "サブスクリプション価格の値上げ" }
    package var oldPrice: String { "現在の価格" }
    package var newPrice: String { "新しい価格" }
    package var from: String { "適用開始日" }
    package var agree: String { "新しい価格に同意" }
    package var decline: String { "同意しない" }
    package var ok: String { "OK" }
    package var reviewOrCancel: String { "サブスクリプションの確認またはキャンセル" }
}

/// Help with purchases.
extension JapaneseCustomerWords {
    package var missingPurchase: String { "購入したものが見当たらない" }
    package var questions: String { "よくある質問" }
    package var requestRefund: String { "返金をリクエスト" }
    package var feedback: String { "フィードバックを送信" }
    package var contact: String { "お問い合わせ" }
}

/// Prices and lengths.
extension JapaneseCustomerWords {
    package func price(_ amount: String, every period: CalendarPeriod) -> String {
        guard period.count == 1 else { return "\(counted(period))ごとに\(amount)" }
        return switch period.unit {
        case .day: "1日あたり\(amount)"
        case .week: "週額\(amount)"
        case .month: "月額\(amount)"
        case .year: "年額\(amount)"
        }
    }

    package func length(_ period: CalendarPeriod) -> String {
        period.unit == .week ? counted(period) : "\(counted(period))間"
    }

    private func counted(_ period: CalendarPeriod) -> String {
        switch period.unit {
        case .day: "\(period.count)日"
        case .week: "\(period.count)週間"
        case .month: "\(period.count)か月"
        case .year: "\(period.count)年"
        }
    }
}
