import HTMLPages

/// The shop in Japanese.
struct JapaneseShop: ShopWords, JapaneseCustomerWords {}

/// Signing in.
extension JapaneseShop {
    var shop: String { "ショップ" }
    var foot: String { "このショップはシミュレーションです。誰にも請求されません。" }
    func linkLead(_ name: String) -> String { "\(name)としてサインインします。" }
    var usedLink: String {
        "このリンクは使用済みか、10分の期限が過ぎています。アプリからもう一度ショップを開いてください。"
    }
    var onlyByLink: String { "アプリからショップを開いてください。リンクでサインインできます。" }
}

/// What went wrong, and what was done.
extension JapaneseShop {
    var toShop: String { "ショップへ" }
    var otherOrigin: String {
        "このショップのページから送信されたものではありません。ページを開き直してもう一度お試しください。"
    }
    var busy: String { "ショップまたはストアが応答しません。しばらくしてからもう一度お試しください。" }
    var failed: String { "処理できませんでした。何も変更されていません。" }

    func done(_ name: String) -> String? {
        switch name {
        case "restore": "購入を復元しました。"
        case "restoreNothing": "このアカウントに復元できる購入はありませんでした。"
        case "agree": "新しい価格に同意しました。"
        case "decline": "新しい価格に同意しませんでした。"
        case "acknowledged": "ありがとうございます。新しい価格を確認済みにしました。"
        default: nil
        }
    }
}

/// The paywall.
extension JapaneseShop {
    func paywallTitle(_ app: String) -> String { "\(app)に登録" }
    var paywallLead: String {
        "各プランには、期間ごとの内容と価格を記載しています。ストアで確認するまで請求されません。"
    }
    var plans: String { "プラン" }
    var singlePurchases: String { "単品の購入" }
    var eachPeriod: String { "期間ごとの内容" }
    func comesTo(_ price: String) -> String { "\(price)に相当します。" }
    func saves(_ percent: Int) -> String { "\(percent)%お得です。" }
    func freeTrial(_ length: String, then price: String, from day: String) -> String {
        "\(length)無料。その後は\(price)で、それまでに解約しない限り\(day)から自動的に請求されます。"
    }
    func paidUpFront(_ amount: String, for length: String, then usual: String) -> String {
        "最初の\(length)は一括で\(amount)、その後は\(usual)です。"
    }
    func familyName(_ name: String) -> String { "\(name)（ファミリー）" }
    var familyAbout: String {
        "ファミリー共有：ほかに5人までのご家族が、すべてのデバイスで利用できます。"
            + "参加はファミリーの設定から行います。"
    }
    func subscribe(_ name: String, _ price: String) -> String { "登録：\(name)、\(price)" }
    func tryFree(_ name: String, _ length: String) -> String { "無料で試す：\(name)、\(length)" }
    func buy(_ name: String, _ price: String) -> String { "購入：\(name)、\(price)" }
    var restore: String { "購入を復元" }
    var alreadySubscribed: String { "登録済みの方：そのアカウントでサインイン" }
    var termsOfUse: String { "利用規約" }
    var renewalTerms: String {
        "確認した時点でストアが請求します。サブスクリプションは、期間終了の24時間前までに解約しない限り、"
            + "上記の価格で自動的に更新されます。更新料金は期間の最後の24時間以内に請求されます。"
            + "管理と解約はストアのアカウントで行えます。"
    }
    var standardTerms: String { "ストアの標準使用許諾契約が適用されます。" }
    var readIt: String { "読む" }
    var cannotPay: String {
        "ストアのアカウントで購入が制限されているため、ここでは購入できません。"
            + "アカウントまたはファミリーの管理者が許可できます。"
    }
    var nothingForSale: String { "現在販売しているものはありません。" }
    var compactAbout: String {
        "時計ではプランの選択と利用状況の確認ができます。コンテンツは電話、タブレット、"
            + "またはコンピュータで読みます。"
    }
    var close: String { "閉じる" }
    var yourPlan: String { "ご利用中のプラン" }
    var paidUntil: String { "支払い済みの期限" }
    var otherPlans: String { "すべてのプラン" }
    var seeOptions: String { "プランを見る" }
    var nextPrice: String { "次回の価格" }
    var price: String { "価格" }
}

/// The sheet about a price.
extension JapaneseShop {
    var conversionTitle: String { "トライアルが有料のサブスクリプションになります" }
    var priceWaits: String { "サブスクリプションの価格についてお知らせがあります。" }
    var subscription: String { "サブスクリプション" }
    var trialNow: String { "現在" }
    var answerBy: String { "回答期限" }
    var later: String { "閉じて後で回答" }
    var noAnswerNeeded: String {
        "手続きは不要です。サブスクリプションは新しい価格で継続します。それまではいつでも解約できます。"
    }
    var withoutAnswer: String {
        "新しい価格は同意した場合にのみ請求されます。回答がない間は請求されません。"
    }
    var noSheets: String { "価格についてのお知らせはありません。" }
    var priceStays: String { "回答がない場合、現在の価格のまま継続します。" }
    func endsWithoutAnswer(on day: String) -> String {
        "同意がない場合、サブスクリプションは\(day)に終了します。"
    }
}

/// What is unlocked, and why.
extension JapaneseShop {
    var content: String { "コンテンツ" }
    var free: String { "無料コンテンツ" }
    var freeAbout: String { "支払いなしで、いつまでも利用できます。" }
    var unlocked: String { "利用可能" }
    var locked: String { "ロック中" }

    func reason(_ word: String) -> String {
        switch word {
        case "active", "owned": "お支払い済みです。"
        case "gracePeriod":
            "前回のお支払いに失敗しました。ストアが再試行している間は利用できます。"
        case "awaitingRenewal": "更新を処理しています。その間も利用できます。"
        case "billingRetry":
            "前回のお支払いに失敗しました。ストアが請求できるようになると再び利用できます。"
        case "expired": "サブスクリプションは終了しました。"
        case "refunded": "ストアが購入を返金しました。"
        case "sharingEnded": "ご家族はこの購入を共有しなくなりました。"
        case "upgraded": "別のプランに移行しました。"
        default: "この購入では利用できません。"
        }
    }

    func until(_ day: String) -> String { "\(day)まで。" }
    var neverBought: String { "まだ購入していません。" }
    var byFamily: String { "ご家族が共有しています。" }
}

/// Help with purchases.
extension JapaneseShop {
    var help: String { "ヘルプ" }
    var missingAbout: String { "購入履歴をストアに問い合わせて、利用できるようにします。" }
    var questionsAbout: String {
        "サブスクリプションはすべてのデバイスで有効です。プランの変更と解約はストアで行い、"
            + "お支払い済みの期間の終わりまで利用できます。"
    }
    var refundAbout: String { "返金はストアが判断します。" }
    var feedbackAbout: String { "デベロッパはストアのレビューを読んでいます。" }
    func contactAbout(_ account: String) -> String {
        "デベロッパに連絡するときは、アカウント名をお知らせください：\(account)"
    }
}
