import HTMLPages

/// The family, in its organiser’s voice and in a member’s.
extension ArabicWords {
    var family: String { "العائلة" }
    var noFamily: String { "لست في أي عائلة. ما تشتريه لك وحدك." }
    var organiserLead: String { "أنت منظّم هذه العائلة: توافق على ما يطلبه الأطفال." }
    func memberLead(_ name: String) -> String {
        "\(apart(name)) ينظّم هذه العائلة."
    }
    var members: String { "الأعضاء" }
    var member: String { "عضو" }
    var organiser: String { "المنظّم" }
    var you: String { "أنت" }
    var joined: String { "انضم في" }
    var askToBuy: String { "طلب الشراء" }
    func askToBuyFor(_ name: String) -> String {
        "طلب الشراء من \(apart(name))"
    }
    var switchedOn: String { "مفعّل" }
    var switchedOff: String { "معطّل" }
    var turnOn: String { "تفعيل" }
    var turnOff: String { "تعطيل" }
    var requests: String { "الطلبات" }
    var noRequests: String { "لا طلبات في الانتظار." }
    var askedBy: String { "مقدّم الطلب" }
    var timeLeft: String { "الوقت المتبقي" }
    func hoursLeft(hours: Int, minutes: Int) -> String {
        "\(hours) س \(minutes) د"
    }
    var approve: String { "موافقة" }
    var declineRequest: String { "رفض" }
    var youShare: String { "ما تشاركه" }
    func sharingIsOff(_ name: String) -> String {
        "مشاركة \(apart(name)) معطّلة. فعّلها لتتمكن عائلتك من استخدامه."
    }
    var sharedWith: String { "مُشارَك مع" }
    var nobody: String { "لا أحد" }
    var share: String { "مشاركة" }
    var stopSharing: String { "إيقاف المشاركة" }
    var sharedWithYou: String { "مُشارَك معك" }
    var nothingShared: String { "لا أحد يشاركك شيئًا الآن." }
    func familyIncludes(_ name: String) -> String {
        "مرحبًا. ما تشاركه عائلتك يشمل \(apart(name))."
    }
    func paysForIt(_ name: String) -> String {
        "يدفع \(apart(name)) ثمنه ويديره."
    }
    var shareNew: String { "مشاركة ما أشتريه من الآن فصاعدًا" }
    var tellMe: String { "إعلامي بالمشاركة" }
    var save: String { "حفظ" }
    var settings: String { "الإعدادات" }
    var leaveFamily: String { "مغادرة العائلة" }
    var leaveAbout: String { "تفقد فورًا ما يشاركه الآخرون ويفقدون ما تشاركه. ما اشتريته يبقى لك." }
    var endAbout: String { "أنت منظّم هذه العائلة: تنتهي للجميع عند مغادرتك." }
}

/// What the store wrote to the customer.
extension ArabicWords {
    var mailbox: String { "الرسائل" }
    var noMails: String { "لا توجد رسائل." }
    var olderMails: String { "رسائل أقدم" }
    var message: String { "رسالة" }
    var date: String { "التاريخ" }
    var sentTo: String { "أُرسلت إلى" }
    var asText: String { "كنص" }
}

/// What a customer shares with a publisher.
extension ArabicWords {
    var optIns: String { "المشاركة مع الناشرين" }
    var noOptIns: String { "لا يطلب منك أي ناشر شيئًا." }
    func optInBonus(_ length: String) -> String {
        "إذا شاركت تطول فترتك بمقدار \(apart(length))."
    }
    var sharesNow: String { "تشارك الاسم والبريد والرمز البريدي مع الناشر." }
    var yourName: String { "الاسم" }
    var yourEmail: String { "البريد الإلكتروني" }
    var postalCode: String { "الرمز البريدي" }
    var shareDetails: String { "مشاركة" }
    var dontShare: String { "عدم المشاركة" }
    var revokeDetails: String { "إيقاف المشاركة" }
}

/// What is refused, and what was done.
extension ArabicWords {
    func roomRefusal(_ code: String) -> String? {
        switch code {
        case "unknownTransaction":
            "ليس لديك شراء كهذا."
        case "unknownProduct":
            "هذا لا يُباع هنا."
        case "refundAlreadyRequested":
            "طُلب استرداد هذا الشراء من قبل."
        case "notRefundable":
            "لا يمكن طلب استرداد هذا الشراء هنا."
        case "alreadyRevoked":
            "أُعيد ثمن هذا الشراء من قبل."
        case "nothingPaid":
            "لم يُدفع شيء مقابل هذا الشراء."
        case "reasonMissing":
            "اختر سببًا."
        case "badCode":
            "يتكون الرمز من 3 إلى 64 من الحروف A إلى Z والأرقام 0 إلى 9، مثل SPRING26."
        case "unknownCode":
            "لا يوجد رمز كهذا. تحقق مما كتبته."
        case "codeExpired":
            "انتهت صلاحية هذا الرمز."
        case "codeRedeemed":
            "استُخدم هذا الرمز من قبل."
        case "offerRedeemedBefore":
            "سبق أن استخدمت هذا العرض."
        case "customCodeTyped":
            "يعمل هذا الرمز في التطبيق أو برابطه، لا بكتابته هنا."
        case "invalidOfferIdentifier":
            "لم يعد هذا العرض موجودًا."
        case "tooManyRequests":
            "محاولات كثيرة. حاول لاحقًا."
        case "requestClosed":
            "أُجيب عن هذا الطلب أو انتهى."
        case "unknownPurchaseRequest":
            "لا يوجد طلب كهذا."
        case "sandboxCannotApprove":
            "في Sandbox لا يمكن لأحد الموافقة؛ يمكن رفض الطلب."
        case "needsApproval":
            "يجب أن يوافق عليه أحد أفراد عائلتك أولًا."
        case "notInFamily":
            "لست في أي عائلة."
        case "notShareable":
            "لا يمكن مشاركة هذا الشراء."
        case "notOrganiser":
            "لا يمكن ذلك إلا لمنظّم العائلة."
        case "invalidQuantity":
            "الكمية عدد من 1 إلى 10."
        case "invalidSetting":
            "اكتب اسمك وبريدًا إلكترونيًا مثل ada@example.com."
        case "notAsked":
            "لا أحد يطلب منك هذا."
        default: nil
        }
    }

    func roomDone(_ name: String) -> String? {
        switch name {
        case "buy":
            "تم كل شيء. شكرًا لشرائك."
        case "redeem":
            "استُخدم الرمز. استمتع بالجديد."
        case "approve":
            "لقد وافقت."
        case "declineRequest":
            "لقد رفضت. لم يُشترَ شيء."
        case "approvedInVain":
            "لقد وافقت لكن لم يُشترَ شيء: لم يعد متاحًا أو تعذّر الدفع."
        case "familySettings":
            "حُفظت إعداداتك."
        case "leaveFamily":
            "لقد غادرت العائلة."
        case "optInShared":
            "تشارك بياناتك مع الناشر."
        case "optInDeclined":
            "لا يُشارَك شيء."
        case "settleRequest":
            "تمت التسوية واستمر شراؤك."
        default: nil
        }
    }
}
