/// Buying, and what came of it.
extension JapaneseWords {
    var buy: String { "購入する" }
    var subscribe: String { "登録する" }
    func buyTitle(_ name: String) -> String {
        "\(name)を購入"
    }
    func subscribeTitle(_ name: String) -> String {
        "\(name)に登録"
    }
    var quantity: String { "数量" }
    func paymentStarts(_ price: String, day: String) -> String {
        "\(day)までにキャンセルしない限り、その日に\(price)が自動的に請求されます。"
    }
    var familyCanShare: String { "ファミリーのほかのメンバー最大5人と共有できます。" }
    var ownedAlready: String { "すでにお持ちです。再入手は無料です。" }
    var yourPurchase: String { "ご購入" }
    var waitsForFamily: String { "ファミリーに承認を依頼しました。承認されるまで請求はありません。" }
    var waitsForBank: String { "銀行からの回答を待っています。支払いが完了するとご利用いただけます。" }
    func requestLapses(_ day: String) -> String {
        "このリクエストは\(day)に失効します。"
    }
    var requestOver: String { "このリクエストは待機中ではありません。" }
    var beginsLater: String { "今回の請求はありません。次回の更新から始まります。" }
    var settle: String { "手続きをして購入" }
    var settleAbout: String { "購入が中断されました。お支払いに関する手続きを済ませると続行します。" }
    var termsTitle: String { "利用規約" }
    var termsOfSale: String {
        "確認すると支払いが請求されます。サブスクリプションはキャンセルするまで、ページに表示された価格で更新されます。期間が終わる前にここでキャンセルすると、以後の請求はありません。"
    }
    var licence: String { "使用許諾契約" }
    var standardLicence: String { "標準の使用許諾契約が適用されます。" }
}

/// Redeeming a code, in two screens.
extension JapaneseWords {
    var enterCode: String { "コードを入力" }
    var codeHint: String { "AからZの英字と0から9の数字。大文字と小文字は区別されません。" }
    var whoseCodes: String { "コードは新規、現在、過去の登録者が使えます。対象はオファーごとに決まっています。" }
    var next: String { "続ける" }
    var redeemOffer: String { "オファーを使う" }
    func codeOnce(_ amount: String, usual: String) -> String {
        "\(usual)のところ\(amount)。"
    }
    func codeFreeOnce(_ usual: String) -> String {
        "\(usual)のところ無料。"
    }
}

/// The history, help with it, and refunds.
extension JapaneseWords {
    var purchases: String { "購入履歴" }
    var noPurchases: String { "このアプリでの購入はありません。" }
    var olderPurchases: String { "以前の購入" }
    var receipt: String { "領収書" }
    var originalDate: String { "最初の購入日" }
    var paidOn: String { "支払日" }
    var periodUntil: String { "期間の終了日" }
    var amount: String { "金額" }
    var order: String { "注文番号" }
    var givenBack: String { "返金額" }
    var claim: String { "返金リクエスト" }
    var claimOpen: String { "送信済み" }
    var claimGranted: String { "承認済み" }
    var claimDeclined: String { "却下" }
    var submitRefund: String { "返金をリクエストする" }
    var whyRefund: String { "返金をリクエストする理由" }
    var notMeant: String { "購入するつもりはなかった" }
    var childBought: String { "子どもが許可なく購入した" }
    var notWorking: String { "期待どおりに動作しない" }
    var notReceived: String { "購入したものが届かない" }
    var otherReason: String { "その他の理由" }
    var mayLoseAccess: String { "この購入へのアクセスを失うことがあります。" }
    var refundSent: String { "リクエストを送信しました。" }
    func newsByMail(_ address: String) -> String {
        "48時間以内に\(address)にお知らせします。"
    }
    var newsHere: String { "48時間以内にここに結果が表示されます。" }
    var followClaims: String { "「購入履歴」でリクエストの状況を確認できます。" }
    var doneButton: String { "完了" }
    var purchaseHelp: String { "購入のヘルプ" }
    var howCanWeHelp: String { "どのようなお手伝いが必要ですか？" }
    var restorePurchases: String { "購入を復元" }
    func missingAbout(_ app: String) -> String {
        "\(app)を開いて「購入を復元」を選んでください。承認や銀行の回答を待っているものは自動的に届き、下に表示されます。"
    }
    var nothingWaits: String { "待機中のものはありません。" }
    var howToCancel: String { "キャンセルするには？「サブスクリプション」から。支払い済みの期間は引き続き使えます。" }
    var whoCharged: String { "請求の理由は？ 購入ごとに日付と金額のある領収書があります。" }
    func feedbackAbout(_ app: String) -> String {
        "足りない点や問題点は、アプリ内から\(app)のデベロッパにお知らせください。"
    }
    func contactAbout(_ app: String) -> String {
        "内容に関するご質問は\(app)のデベロッパへ（連絡先はアプリ内）。支払いと返金はこちらで扱います。"
    }
    func iconOf(_ app: String) -> String {
        "\(app)のアイコン"
    }
}
