/// The family, in its organiser’s voice and in a member’s.
extension JapaneseWords {
    var family: String { "ファミリー" }
    var noFamily: String { "ファミリーに参加していません。購入したものはご自身だけのものです。" }
    var organiserLead: String { "あなたはこのファミリーの管理者です。お子様の購入リクエストを承認します。" }
    func memberLead(_ name: String) -> String {
        "\(name)さんがこのファミリーの管理者です。"
    }
    var members: String { "メンバー" }
    var member: String { "メンバー" }
    var organiser: String { "管理者" }
    var you: String { "あなた" }
    var joined: String { "参加日" }
    var askToBuy: String { "承認と購入のリクエスト" }
    func askToBuyFor(_ name: String) -> String {
        "\(name)さんの購入リクエスト"
    }
    var switchedOn: String { "オン" }
    var switchedOff: String { "オフ" }
    var turnOn: String { "オンにする" }
    var turnOff: String { "オフにする" }
    var requests: String { "リクエスト" }
    var noRequests: String { "待機中のリクエストはありません。" }
    var askedBy: String { "リクエストした人" }
    var timeLeft: String { "残り時間" }
    func hoursLeft(hours: Int, minutes: Int) -> String {
        "\(hours)時間\(minutes)分"
    }
    var approve: String { "承認" }
    var declineRequest: String { "拒否" }
    var youShare: String { "共有しているもの" }
    func sharingIsOff(_ name: String) -> String {
        "\(name)の共有はオフです。オンにするとファミリーで使えます。"
    }
    var sharedWith: String { "共有相手" }
    var nobody: String { "なし" }
    var share: String { "共有する" }
    var stopSharing: String { "共有を停止" }
    var sharedWithYou: String { "あなたと共有" }
    var nothingShared: String { "現在、共有されているものはありません。" }
    func familyIncludes(_ name: String) -> String {
        "ようこそ。ファミリーで\(name)を使えます。"
    }
    func paysForIt(_ name: String) -> String {
        "\(name)さんが支払い、管理しています。"
    }
    var shareNew: String { "今後の購入を共有する" }
    var tellMe: String { "共有についてのお知らせを受け取る" }
    var save: String { "保存" }
    var settings: String { "設定" }
    var leaveFamily: String { "ファミリーから抜ける" }
    var leaveAbout: String { "ほかのメンバーが共有しているものはすぐに使えなくなり、あなたの共有も終わります。購入したものはそのままです。" }
    var endAbout: String { "あなたは管理者です。抜けるとファミリーは全員について終了します。" }
}

/// What the store wrote to the customer.
extension JapaneseWords {
    var mailbox: String { "メッセージ" }
    var noMails: String { "メッセージはありません。" }
    var olderMails: String { "以前のメッセージ" }
    var message: String { "メッセージ" }
    var date: String { "日付" }
    var sentTo: String { "送信先" }
    var asText: String { "テキスト" }
}

/// What a customer shares with a publisher.
extension JapaneseWords {
    var optIns: String { "発行元との共有" }
    var noOptIns: String { "発行元からの依頼はありません。" }
    func optInBonus(_ length: String) -> String {
        "共有すると期間が\(length)延長されます。"
    }
    var sharesNow: String { "氏名、メールアドレス、郵便番号を発行元と共有しています。" }
    var yourName: String { "氏名" }
    var yourEmail: String { "メールアドレス" }
    var postalCode: String { "郵便番号" }
    var shareDetails: String { "共有する" }
    var dontShare: String { "共有しない" }
    var revokeDetails: String { "共有を停止" }
}

/// What is refused, and what was done.
extension JapaneseWords {
    func roomRefusal(_ code: String) -> String? {
        switch code {
        case "unknownTransaction":
            "そのような購入はありません。"
        case "unknownProduct":
            "これはここでは販売されていません。"
        case "refundAlreadyRequested":
            "この購入の返金はすでにリクエストされています。"
        case "notRefundable":
            "この購入の返金はここではリクエストできません。"
        case "alreadyRevoked":
            "この購入はすでに返金されています。"
        case "nothingPaid":
            "この購入には支払いがありません。"
        case "reasonMissing":
            "理由を選んでください。"
        case "badCode":
            "コードは3〜64文字のAからZの英字と0から9の数字です（例：SPRING26）。"
        case "unknownCode":
            "このコードはありません。入力内容を確認してください。"
        case "codeExpired":
            "このコードは期限切れです。"
        case "codeRedeemed":
            "このコードはすでに使われています。"
        case "offerRedeemedBefore":
            "このオファーはすでに使われています。"
        case "customCodeTyped":
            "このコードはアプリ内またはリンクから使えます。ここに入力しては使えません。"
        case "invalidOfferIdentifier":
            "このオファーはもうありません。"
        case "tooManyRequests":
            "回数が多すぎます。後でもう一度お試しください。"
        case "requestClosed":
            "このリクエストはすでに回答済みか、失効しています。"
        case "unknownPurchaseRequest":
            "そのようなリクエストはありません。"
        case "sandboxCannotApprove":
            "Sandboxでは承認できません。拒否することはできます。"
        case "needsApproval":
            "先にファミリーの承認が必要です。"
        case "notInFamily":
            "ファミリーに参加していません。"
        case "notShareable":
            "この購入は共有できません。"
        case "notOrganiser":
            "これはファミリーの管理者だけが行えます。"
        case "invalidQuantity":
            "数量は1から10までです。"
        case "invalidSetting":
            "氏名と、ada@example.comのようなメールアドレスを入力してください。"
        case "notAsked":
            "この依頼はありません。"
        default: nil
        }
    }

    func roomDone(_ name: String) -> String? {
        switch name {
        case "buy":
            "完了しました。ご購入ありがとうございます。"
        case "redeem":
            "コードを使いました。お楽しみください。"
        case "approve":
            "承認しました。"
        case "declineRequest":
            "拒否しました。購入は行われていません。"
        case "approvedInVain":
            "承認しましたが、入手または支払いができず、購入は行われませんでした。"
        case "familySettings":
            "設定を保存しました。"
        case "leaveFamily":
            "ファミリーから抜けました。"
        case "optInShared":
            "発行元と情報を共有しています。"
        case "optInDeclined":
            "何も共有されません。"
        case "settleRequest":
            "手続きが完了し、購入が続行されました。"
        default: nil
        }
    }
}
