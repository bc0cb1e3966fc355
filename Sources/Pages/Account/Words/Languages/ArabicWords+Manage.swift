import HTMLPages

/// Changing the plan, and what it costs.
extension ArabicWords {
    var nextBill: String { "الفاتورة التالية" }
    var paymentIsOnItsWay: String { "الدفع قيد التنفيذ." }
    var total: String { "الإجمالي" }
    var billLine: String { "مقابل" }
    var usualPrice: String { "السعر المعتاد" }
    var toPay: String { "المطلوب دفعه" }
    var withOffer: String { "مع عرض" }
    var unpaid: String { "فشلت آخر عملية دفع. حدّث طريقة الدفع كي لا تفقد شيئًا." }
    var changePlan: String { "تغيير الخطة" }
    var noOtherPlans: String { "لا توجد خطة أخرى." }
    var current: String { "خطتك" }
    var takesEffect: String { "يسري" }
    var atOnce: String { "فورًا" }
    var chargedToday: String { "يُدفع اليوم" }
    var returned: String { "يُعاد إليك" }
    var approval: String { "الموافقة" }
    var needsApproval: String { "يجب أن يوافق عليه أحد أفراد عائلتك أولًا." }
    var confirm: String { "تأكيد" }
    var notNow: String { "ليس الآن" }
    func commits(to total: String) -> String {
        "12 دفعة شهرية بمجموع \(apart(total))"
    }
    func changeTo(_ name: String) -> String {
        "التغيير إلى \(apart(name))"
    }
    func keepPlan(_ name: String) -> String {
        "الإبقاء على \(apart(name))"
    }
    func planWaits(_ name: String, day: String) -> String {
        "يتغير إلى \(apart(name)) في \(apart(day))."
    }
    func nothingMore(until day: String) -> String {
        "ينتهي في \(apart(day)). لن يُخصم شيء بعد ذلك."
    }
    func paidBy(_ name: String) -> String {
        "يدفع \(apart(name)) ثمن هذا الاشتراك ويديره."
    }
}

/// Leaving, staying and coming back.
extension ArabicWords {
    var cancel: String { "إلغاء الاشتراك" }
    var confirmCancellation: String { "تأكيد الإلغاء" }
    var payLess: String { "أو ادفع أقل" }
    var keep: String { "الإبقاء على الاشتراك" }
    var resubscribe: String { "إعادة الاشتراك" }
    var resubscribeNow: String { "أعد الاشتراك الآن" }
    var otherPlans: String { "خطط أخرى" }
    func changeTo(_ name: String, for price: String) -> String {
        "التغيير إلى \(apart(name)) مقابل \(apart(price))"
    }
    func isOff(until day: String) -> String {
        "التجديد متوقف. يبقى لديك الوصول حتى \(apart(day))."
    }
    func cancels(_ name: String, accessUntil day: String) -> String {
        "إذا أكدت فلن يتجدد \(apart(name)). يبقى لديك الوصول حتى \(apart(day))."
    }
    func cancelsCommitment(of name: String, on day: String) -> String {
        "إذا أكدت فسينتهي \(apart(name)) بعد الشهر الثاني عشر في "
            + "\(apart(day)). حتى ذلك الحين يبقى لديك الوصول وتستمر الدفعات الشهرية."
    }
    func cancelsUnpaid(_ name: String) -> String {
        "ليس لديك الآن وصول إلى \(apart(name)) لأن الدفع فشل. إذا أكدت فلن "
            + "تُجرى محاولة دفع أخرى."
    }
    func resubscribe(to name: String) -> String {
        "إعادة الاشتراك في \(apart(name))"
    }
    func offerIsFree(for length: String, then price: String) -> String {
        "مجانًا لمدة \(apart(length))، ثم \(apart(price))."
    }
}

/// A price that goes up, or an offer that ends.
extension ArabicWords {
    var conversionTitle: String { "ينتهي عرضك" }
    var reviewIncrease: String { "مراجعة السعر" }
    var nothingToAnswer: String { "لا يوجد هنا ما تجيب عنه." }
    func priceOf(_ name: String, app: String) -> String {
        "\(apart(name)) في \(apart(app))"
    }
    func freeUntil(_ day: String) -> String {
        "مجانًا حتى \(apart(day))"
    }
    func endsUnlessAgreed(_ name: String, on day: String) -> String {
        "لا تدفع السعر الجديد إلا إذا وافقت. دون موافقتك ينتهي \(apart(name)) "
            + "في \(apart(day)) ولا يُخصم شيء."
    }
    func nothingToDo(before day: String) -> String {
        "لا يلزمك فعل شيء. إذا لم ترده بهذا السعر فألغِ الاشتراك قبل \(apart(day))."
    }
    func asksForPrice(_ price: String, from day: String) -> String {
        "يُطلب منك الموافقة على سعر جديد: \(apart(price)) ابتداءً من \(apart(day))."
    }
    func tellsOfPrice(_ price: String, from day: String) -> String {
        "يتغير السعر في \(apart(day)) إلى \(apart(price))."
    }
}
