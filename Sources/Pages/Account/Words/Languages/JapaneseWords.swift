import HTMLPages

/// Customers' pages in Japanese.
struct JapaneseWords: AccountWords, JapaneseCustomerWords {}

/// Signing in.
extension JapaneseWords {
    var site: String { "アカウント" }
    var foot: String { "このストアはシミュレーションです。実際の請求はありません。" }
    var signInTitle: String { "サインイン" }
    func linkLead(_ name: String, app: String) -> String {
        "\(app)の\(name)さんのアカウントを開きます。"
    }
    var usedLink: String { "このリンクはすでに使われたか、10分の期限が過ぎています。アプリからアカウントをもう一度開いてください。" }
    var onlyByLink: String { "アプリからアカウントを開いてください。アプリのリンクでサインインできます。" }
}

/// What went wrong, and what was done.
extension JapaneseWords {
    var goBack: String { "戻る" }
    var toOverview: String { "サブスクリプションへ" }
    var busy: String { "ストアが混み合っています。少し待ってからやり直してください。" }
    var failed: String { "ストアで処理できませんでした。何も変更されていません。" }

    func refusal(_ code: String) -> String? {
        switch code {
        case "otherOrigin":
            "このストアのページから送られたものではありません。ページを開き直して、もう一度お試しください。"
        case "repeatedField", "notAForm":
            "フォームを読み取れませんでした。ページを開き直してください。"
        case "unknownPage":
            "このページはありません。"
        case "unknownSubscription":
            "そのサブスクリプションはお持ちではありません。"
        case "familyShared":
            "このサブスクリプションは、ご家族の別の方が支払い、管理しています。"
        case "paymentDeclined":
            "お支払い方法が拒否されました。何も変更されていません。"
        case "paymentPending":
            "以前のお支払いが処理中です。完了するまでお待ちください。"
        case "notActive":
            "このサブスクリプションは終了しています。"
        case "notForSale":
            "このプランはここでは販売されていません。"
        case "alreadySubscribed":
            "すでに登録済みです。"
        case "noPriceIncrease":
            "この価格にはもう回答できません。"
        case "amountChanged":
            "ページを開いた後に金額またはオファーが変わりました。もう一度ご確認ください。"
        case "purchaseInterrupted":
            "購入が中断されました。先にお支払いに関する手続きが必要です。"
        case "paymentsNotAllowed":
            "このアカウントでは支払いができません。"
        case "ineligibleForOffer":
            "このオファーはご利用いただけません。"
        default: nil
        }
    }

    func done(_ name: String) -> String? {
        switch name {
        case "cancel":
            "更新をオフにしました。お支払い済みの分は引き続き利用できます。"
        case "keep":
            "サブスクリプションは継続されます。"
        case "changePlan":
            "プランを選択しました。"
        case "requestToBuy":
            "ご家族に承認を依頼しました。"
        case "resubscribe":
            "お帰りなさい。登録が完了しました。"
        case "agree":
            "新しい価格に同意しました。"
        case "decline":
            "同意しませんでした。更新はオフになっています。"
        case "priceSeen":
            "ありがとうございます。ほかの手続きは不要です。"
        default: nil
        }
    }
}

/// The subscriptions.
extension JapaneseWords {
    var subscriptions: String { "サブスクリプション" }
    var noSubscriptions: String { "ここにはサブスクリプションがありません。アプリで登録したものはこのページで管理できます。" }
    var plan: String { "プラン" }
    var price: String { "価格" }
    var nextPrice: String { "次回の価格" }
    var endedOn: String { "終了した日" }
    var familyShared: String { "ご家族から共有されています" }

    func status(_ number: Int64) -> String {
        switch number {
        case 1: "有効"
        case 2: "終了"
        case 3, 4: "支払いエラー"
        default: "返金済み"
        }
    }
}
