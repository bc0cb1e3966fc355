import HTMLPages

/// Customers' pages in Arabic.
struct ArabicWords: AccountWords, ArabicCustomerWords {}

/// Signing in.
extension ArabicWords {
    var site: String { "الحساب" }
    var foot: String { "هذا المتجر محاكاة: لا يُحاسَب أحد على شيء." }
    var signInTitle: String { "تسجيل الدخول" }
    func linkLead(_ name: String, app: String) -> String {
        "يفتح هذا حساب \(apart(name)) في \(apart(app))."
    }
    var usedLink: String {
        "استُخدم هذا الرابط من قبل أو انقضت دقائقه العشر. افتح حسابك من التطبيق مرة أخرى."
    }
    var onlyByLink: String { "افتح حسابك من التطبيق: رابطه يسجّل دخولك." }
}

/// What went wrong, and what was done.
extension ArabicWords {
    var goBack: String { "رجوع" }
    var toOverview: String { "إلى اشتراكاتك" }
    var busy: String { "المتجر مشغول. حاول مرة أخرى بعد قليل." }
    var failed: String { "لم يتمكن المتجر من ذلك. لم يتغير شيء." }

    func refusal(_ code: String) -> String? {
        switch code {
        case "otherOrigin":
            "لم تُرسل هذا صفحةٌ من هذا المتجر. افتح الصفحة مرة أخرى ثم حاول من جديد."
        case "repeatedField", "notAForm":
            "تعذرت قراءة النموذج. افتح الصفحة مرة أخرى."
        case "unknownPage":
            "لا توجد صفحة كهذه."
        case "unknownSubscription":
            "ليس لديك اشتراك كهذا."
        case "familyShared":
            "يدفع شخص آخر من عائلتك ثمن هذا الاشتراك ويديره."
        case "paymentDeclined":
            "رُفضت طريقة الدفع. لم يتغير شيء."
        case "paymentPending":
            "لا تزال دفعة سابقة قيد التنفيذ. انتظر حتى تكتمل."
        case "notActive":
            "انتهى هذا الاشتراك."
        case "notForSale":
            "هذه الخطة غير معروضة للبيع هنا."
        case "alreadySubscribed":
            "أنت مشترك في هذا بالفعل."
        case "noPriceIncrease":
            "لم يعد بالإمكان الرد على هذا السعر."
        case "amountChanged":
            "تغيّر المبلغ أو العرض منذ فتح الصفحة. راجعها مرة أخرى."
        case "purchaseInterrupted":
            "توقفت عملية الشراء: يجب أولًا تسوية أمر يتعلق بالدفع."
        case "paymentsNotAllowed":
            "لا يُسمح لهذا الحساب بدفع أي شيء."
        case "ineligibleForOffer":
            "لا يمكنك الحصول على هذا العرض."
        default: nil
        }
    }

    func done(_ name: String) -> String? {
        switch name {
        case "cancel":
            "أُوقف التجديد. يبقى لك ما دفعت ثمنه."
        case "keep":
            "يستمر اشتراكك."
        case "changePlan":
            "اختيرت خطتك."
        case "requestToBuy":
            "طُلبت موافقة عائلتك."
        case "resubscribe":
            "مرحبًا بعودتك. أنت مشترك."
        case "agree":
            "وافقت على السعر الجديد."
        case "decline":
            "لم توافق. التجديد متوقف."
        case "priceSeen":
            "شكرًا. لا يلزمك فعل شيء آخر."
        default: nil
        }
    }
}

/// The subscriptions.
extension ArabicWords {
    var subscriptions: String { "الاشتراكات" }
    var noSubscriptions: String {
        "ليس لديك اشتراكات هنا. ما تشترك فيه داخل التطبيق تديره في هذه الصفحة."
    }
    var plan: String { "الخطة" }
    var price: String { "السعر" }
    var nextPrice: String { "السعر التالي" }
    var endedOn: String { "انتهى في" }
    var familyShared: String { "تشاركه عائلتك معك" }

    func status(_ number: Int64) -> String {
        switch number {
        case 1: "نشط"
        case 2: "منتهٍ"
        case 3, 4: "فشل الدفع"
        default: "مسترد"
        }
    }
}
