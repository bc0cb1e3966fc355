import HTMLPages

/// Buying, and what came of it.
extension ArabicWords {
    var buy: String { "شراء" }
    var subscribe: String { "اشتراك" }
    func buyTitle(_ name: String) -> String {
        "شراء \(apart(name))"
    }
    func subscribeTitle(_ name: String) -> String {
        "الاشتراك في \(apart(name))"
    }
    var quantity: String { "الكمية" }
    func paymentStarts(_ price: String, day: String) -> String {
        "في \(apart(day)) يُخصم \(apart(price)) تلقائيًا ما لم تُلغِ قبل ذلك."
    }
    var familyCanShare: String { "يمكنك مشاركته مع خمسة آخرين من عائلتك كحد أقصى." }
    var ownedAlready: String { "لديك هذا بالفعل. الحصول عليه مجددًا لا يكلف شيئًا." }
    var yourPurchase: String { "عملية الشراء" }
    var waitsForFamily: String { "طُلبت موافقة عائلتك. لن يُخصم شيء قبل ذلك." }
    var waitsForBank: String { "لم يردّ مصرفك بعد. ستحصل عليه فور اكتمال الدفع." }
    func requestLapses(_ day: String) -> String {
        "ينتهي الطلب في \(apart(day))."
    }
    var requestOver: String { "لم يعد هذا الطلب في الانتظار." }
    var beginsLater: String { "لا يُخصم شيء الآن. يبدأ مع التجديد القادم." }
    var settle: String { "التسوية والشراء" }
    var settleAbout: String { "قُطعت عملية الشراء. سوِّ ما تبقى في طريقة الدفع لتستمر." }
    var termsTitle: String { "الشروط والأحكام" }
    var termsOfSale: String {
        "يُخصم المبلغ عند التأكيد. يتجدد الاشتراك بالسعر المبيّن في صفحته إلى أن تلغيه. ألغِه "
            + "هنا قبل نهاية الفترة ولن يُخصم شيء بعد ذلك."
    }
    var licence: String { "اتفاقية الترخيص" }
    var standardLicence: String { "تسري اتفاقية الترخيص القياسية." }
}

/// Redeeming a code, in two screens.
extension ArabicWords {
    var enterCode: String { "أدخل الرمز" }
    var codeHint: String {
        "حروف من A إلى Z وأرقام من 0 إلى 9؛ لا فرق بين الحروف الكبيرة والصغيرة."
    }
    var whoseCodes: String {
        "الرموز للمشتركين الجدد والحاليين والسابقين؛ ويحدد العرض من يمكنه الحصول عليه."
    }
    var next: String { "متابعة" }
    var redeemOffer: String { "استخدام العرض" }
    func codeOnce(_ amount: String, usual: String) -> String {
        "\(apart(amount)) بدلًا من \(apart(usual))."
    }
    func codeFreeOnce(_ usual: String) -> String {
        "مجانًا بدلًا من \(apart(usual))."
    }
}

/// The history, help with it, and refunds.
extension ArabicWords {
    var purchases: String { "المشتريات" }
    var noPurchases: String { "لم تشترِ شيئًا في هذا التطبيق." }
    var olderPurchases: String { "مشتريات أقدم" }
    var receipt: String { "الإيصال" }
    var originalDate: String { "تاريخ الشراء الأصلي" }
    var paidOn: String { "دُفع في" }
    var periodUntil: String { "الفترة حتى" }
    var amount: String { "المبلغ" }
    var order: String { "الطلب" }
    var givenBack: String { "المبلغ المُعاد" }
    var claim: String { "طلب استرداد" }
    var claimOpen: String { "مُرسَل" }
    var claimGranted: String { "مقبول" }
    var claimDeclined: String { "مرفوض" }
    var submitRefund: String { "إرسال طلب الاسترداد" }
    var whyRefund: String { "لماذا تطلب الاسترداد؟" }
    var notMeant: String { "لم أقصد شراء هذا" }
    var childBought: String { "اشتراه طفل دون إذن" }
    var notWorking: String { "لا يعمل كما هو متوقع" }
    var notReceived: String { "لم أستلمه" }
    var otherReason: String { "سبب آخر" }
    var mayLoseAccess: String { "قد تفقد الوصول إلى هذا الشراء." }
    var refundSent: String { "أُرسل طلبك." }
    func newsByMail(_ address: String) -> String {
        "ستصلك الأخبار على \(apart(address)) خلال 48 ساعة."
    }
    var newsHere: String { "ستجد الأخبار هنا خلال 48 ساعة." }
    var followClaims: String { "تتابع طلباتك ضمن المشتريات." }
    var doneButton: String { "تم" }
    var purchaseHelp: String { "المساعدة في الشراء" }
    var howCanWeHelp: String { "كيف يمكننا المساعدة؟" }
    var restorePurchases: String { "استعادة المشتريات" }
    func missingAbout(_ app: String) -> String {
        "افتح \(apart(app)) واختر استعادة المشتريات. ما ينتظر موافقة أو ردّ مصرفك يصل من "
            + "تلقاء نفسه ويظهر أدناه."
    }
    var nothingWaits: String { "لا شيء في الانتظار." }
    var howToCancel: String { "كيف ألغي؟ ضمن الاشتراكات؛ ويبقى لك ما دُفع ثمنه." }
    var whoCharged: String { "لماذا خُصم مني؟ لكل شراء إيصال بتاريخه ومبلغه." }
    func feedbackAbout(_ app: String) -> String {
        "أخبر مطوّر \(apart(app)) من داخل التطبيق بما ينقص أو ما هو خطأ."
    }
    func contactAbout(_ app: String) -> String {
        "أسئلة المحتوى لمطوّر \(apart(app)) وعنوانه في التطبيق. أما المدفوعات والاستردادات "
            + "فتُعالج هنا."
    }
    func iconOf(_ app: String) -> String {
        "أيقونة \(apart(app))"
    }
}
