import HTMLPages

/// The shop in Arabic.
struct ArabicShop: ShopWords, ArabicCustomerWords {}

/// Signing in.
extension ArabicShop {
    var shop: String { "المتجر" }
    var foot: String { "هذا المتجر محاكاة: لا يُحاسَب أحد على شيء." }
    func linkLead(_ name: String) -> String { "يسجّل هذا دخولك باسم \(apart(name))." }
    var usedLink: String {
        "استُخدم هذا الرابط من قبل أو انقضت دقائقه العشر. افتح المتجر من التطبيق مرة أخرى."
    }
    var onlyByLink: String { "افتح المتجر من التطبيق: رابطه يسجّل دخولك." }
}

/// What went wrong, and what was done.
extension ArabicShop {
    var toShop: String { "إلى المتجر" }
    var otherOrigin: String {
        "لم تُرسل هذا صفحةٌ من هذا المتجر. افتح الصفحة مرة أخرى ثم حاول من جديد."
    }
    var busy: String { "لا يستجيب المتجر. حاول مرة أخرى بعد قليل." }
    var failed: String { "لم يتمكن المتجر من ذلك. لم يتغير شيء." }

    func done(_ name: String) -> String? {
        switch name {
        case "restore": "استُعيدت مشترياتك."
        case "restoreNothing": "لم يكن لهذا الحساب ما يُستعاد."
        case "agree": "وافقت على السعر الجديد."
        case "decline": "رفضت السعر الجديد."
        case "acknowledged": "شكرًا لك. سُجّل اطلاعك على السعر الجديد."
        default: nil
        }
    }
}

/// The paywall.
extension ArabicShop {
    func paywallTitle(_ app: String) -> String { "الاشتراك في \(apart(app))" }
    var paywallLead: String {
        "تذكر كل خطة ما تقدّمه كل فترة وكم تكلّف. لا يُحسب عليك شيء قبل أن تؤكد."
    }
    var plans: String { "الخطط" }
    var singlePurchases: String { "مشتريات منفردة" }
    var eachPeriod: String { "تقدّم كل فترة" }
    func comesTo(_ price: String) -> String { "أي \(price)." }
    func saves(_ percent: Int) -> String { "توفير \(apart("\(percent)%"))." }
    func freeTrial(_ length: String, then price: String, from day: String) -> String {
        "مجانًا لمدة \(length). ثم \(price)، ويُحسب تلقائيًا ابتداءً من \(apart(day)) ما لم "
            + "تلغِ قبل ذلك."
    }
    func paidUpFront(_ amount: String, for length: String, then usual: String) -> String {
        "\(apart(amount)) مقدمًا لمدة \(length)، ثم \(usual)."
    }
    func familyName(_ name: String) -> String { "\(apart(name)) (للعائلة)" }
    var familyAbout: String {
        "المشاركة العائلية: يمكن لخمسة آخرين من عائلتك استخدامه على جميع أجهزتهم. ينضمون من حيث "
            + "أُعدّت عائلتك."
    }
    func subscribe(_ name: String, _ price: String) -> String {
        "اشترك: \(apart(name))، \(price)"
    }
    func tryFree(_ name: String, _ length: String) -> String {
        "جرّب مجانًا: \(apart(name))، \(length)"
    }
    func buy(_ name: String, _ price: String) -> String { "اشترِ: \(apart(name))، \(price)" }
    var restore: String { "استعادة المشتريات" }
    var alreadySubscribed: String { "مشترك بالفعل؟ سجّل الدخول بذلك الحساب" }
    var termsOfUse: String { "شروط الاستخدام" }
    var renewalTerms: String {
        "يُحسب المبلغ عند التأكيد. يتجدد الاشتراك تلقائيًا بالسعر المذكور ما لم تلغه قبل نهاية "
            + "الفترة بأربع وعشرين ساعة على الأقل؛ ويُحسب التجديد خلال آخر 24 ساعة من الفترة. تدير "
            + "اشتراكك وتلغيه من حسابك."
    }
    var standardTerms: String { "تسري اتفاقية الترخيص القياسية." }
    var readIt: String { "قراءتها" }
    var cannotPay: String {
        "المشتريات موقوفة لحسابك، فلا شيء يمكن شراؤه هنا. يمكن لمن يدير حسابك أو عائلتك أن يسمح "
            + "بها."
    }
    var nothingForSale: String { "لا شيء معروض للبيع حاليًا." }
    var compactAbout: String {
        "على الساعة تختار خطة وترى ما لديك. أما المحتوى نفسه فتقرؤه على الهاتف أو الجهاز اللوحي أو "
            + "الحاسوب."
    }
    var close: String { "إغلاق" }
    var yourPlan: String { "خطتك" }
    var paidUntil: String { "مدفوع حتى" }
    var otherPlans: String { "كل الخطط" }
    var seeOptions: String { "عرض خياراتك" }
    var nextPrice: String { "السعر التالي" }
    var price: String { "السعر" }
}

/// The sheet about a price.
extension ArabicShop {
    var conversionTitle: String { "تتحول تجربتك إلى اشتراك مدفوع" }
    var priceWaits: String { "هناك جديد بشأن سعر اشتراكك." }
    var subscription: String { "الاشتراك" }
    var trialNow: String { "اليوم" }
    var answerBy: String { "نرجو الرد قبل" }
    var later: String { "إغلاق والرد لاحقًا" }
    var noAnswerNeeded: String {
        "لا يلزمك فعل شيء: يستمر اشتراكك بالسعر الجديد. يمكنك إلغاؤه في أي وقت قبل ذلك."
    }
    var withoutAnswer: String {
        "لا يُحسب السعر الجديد إلا إذا وافقت. ما دمت لم ترد فلن يُحسب."
    }
    var noSheets: String { "لا جديد بشأن أسعارك." }
    var priceStays: String { "إذا لم ترد فسيبقى سعرك كما هو." }
    func endsWithoutAnswer(on day: String) -> String {
        "دون موافقتك ينتهي اشتراكك في \(apart(day))."
    }
}

/// What is unlocked, and why.
extension ArabicShop {
    var content: String { "المحتوى" }
    var free: String { "مجاني للجميع" }
    var freeAbout: String { "يمكنك استخدامه دون دفع ما شئت من الوقت." }
    var unlocked: String { "متاح" }
    var locked: String { "مقفل" }

    func reason(_ word: String) -> String {
        switch word {
        case "active", "owned": "شراؤك مدفوع."
        case "gracePeriod": "فشلت آخر دفعة. تحتفظ بالوصول أثناء إعادة المحاولة."
        case "awaitingRenewal": "تجديدك قيد المعالجة. تحتفظ بالوصول إلى حين ذلك."
        case "billingRetry": "فشلت آخر دفعة. يعود الوصول حالما يمكن تحصيل المبلغ."
        case "expired": "انتهى اشتراكك."
        case "refunded": "استُرد ثمن شرائك."
        case "sharingEnded": "لم تعد عائلتك تشارك هذا الشراء معك."
        case "upgraded": "انتقلت إلى خطة أخرى."
        default: "لا يمنح الشراء وصولًا."
        }
    }

    func until(_ day: String) -> String { "حتى \(apart(day))." }
    var neverBought: String { "لم تشترِه." }
    var byFamily: String { "يشاركه معك أحد أفراد عائلتك." }
}

/// Help with purchases.
extension ArabicShop {
    var help: String { "المساعدة" }
    var missingAbout: String { "يُسأل عن كل ما اشتريته ويُتاح لك." }
    var questionsAbout: String {
        "يسري الاشتراك على جميع أجهزتك. تغيّر الخطة أو تلغيها من حسابك؛ ويبقى الوصول حتى نهاية "
            + "الفترة المدفوعة."
    }
    var refundAbout: String { "القرار في الاسترداد ليس للمطوّر." }
    var feedbackAbout: String { "يقرأ المطوّر المراجعات." }
    func contactAbout(_ account: String) -> String {
        "عندما تكتب إلى المطوّر اذكر حسابك: \(apart(account))."
    }
}
