import Letters
import SubscriptionRules

/// Mails in Arabic, which is written from right to left and counts in six forms (CLDR: zero, one,
/// two, few, many, other).
struct ArabicMails: MailWords {
    let language = "ar"
    let isRightToLeft = true

    /// Things that are counted, with the forms that their number asks for.
    private struct Noun {
        let one: String
        let two: String
        let few: String
        let many: String
        let other: String
    }

    private func counted(_ count: Int, _ noun: Noun) -> String {
        switch (count, count % 100) {
        case (1, _): noun.one
        case (2, _): noun.two
        case (_, 3...10): "\(count) \(noun.few)"
        case (_, 11...99): "\(count) \(noun.many)"
        default: "\(count) \(noun.other)"
        }
    }

    private let subscriptions = Noun(
        one: "اشتراك واحد", two: "اشتراكان", few: "اشتراكات", many: "اشتراكًا", other: "اشتراك")
    /// The same where it depends on a word before it.
    private let ofSubscriptions = Noun(
        one: "اشتراك آخر", two: "اشتراكين آخرين", few: "اشتراكات أخرى", many: "اشتراكًا آخر",
        other: "اشتراك آخر")

    func price(_ amount: String, every period: CalendarPeriod) -> Sentence {
        guard period.count > 1 else {
            return switch period.unit {
            case .day: "\(amount) يوميًا"
            case .week: "\(amount) أسبوعيًا"
            case .month: "\(amount) شهريًا"
            case .year: "\(amount) سنويًا"
            }
        }
        let noun =
            switch period.unit {
            case .day: Noun(one: "يوم", two: "يومين", few: "أيام", many: "يومًا", other: "يوم")
            case .week:
                Noun(one: "أسبوع", two: "أسبوعين", few: "أسابيع", many: "أسبوعًا", other: "أسبوع")
            case .month: Noun(one: "شهر", two: "شهرين", few: "أشهر", many: "شهرًا", other: "شهر")
            case .year: Noun(one: "سنة", two: "سنتين", few: "سنوات", many: "سنة", other: "سنة")
            }
        return "\(amount) كل \(words: counted(period.count, noun))"
    }

    func sentTo(_ account: String, app: String) -> Sentence {
        "أُرسلت هذه الرسالة إلى \(account) بسبب مشتريات في \(app)."
    }
    let manage = "إدارة اشتراكاتك"
    let support = "الدعم"
    let privacy = "سياسة الخصوصية"
    let howToTurnOff: Sentence =
        "يمكنك إيقاف التجديد وتشغيله من جديد في أي وقت من اشتراكات حسابك. ما دفعت ثمنه يبقى لك حتى "
        + "نهايته."

    let colon = ": "
    let price = "السعر"
    let oldPrice = "السعر الحالي"
    let newPrice = "السعر الجديد"
    let renews = "تاريخ التجديد"
    let ends = "تاريخ الانتهاء"
    let reason = "السبب"
    let insteadOf = "السعر بدون العرض"
    let paidUntil = "مدفوع حتى"
    let startsOn = "ابتداءً من"
    let order = "رقم الطلب"
    let date = "التاريخ"
    let bought = "تاريخ الشراء"
    let total = "المجموع"
    let oldRenewal = "التجديد السابق"
    let newRenewal = "التجديد الجديد"
    let answerBy = "آخر موعد للرد"
    func quantity(_ count: Int) -> String { "\(count) ×" }

    let agree = "الموافقة على السعر الجديد"
    let decline = "عدم الموافقة"
    let notNow = "ليس الآن"
    let fine = "حسنًا"

    func welcomeSubject(_ name: String) -> Sentence { "بدأ اشتراكك في \(name)" }
    func welcome(_ name: String, app: String) -> Sentence {
        "شكرًا لاشتراكك في \(name) ضمن \(app)."
    }
    func startsFree(until day: String, then price: Sentence) -> Sentence {
        "الاشتراك مجاني حتى \(day). في ذلك اليوم يبدأ الدفع تلقائيًا: \(price)."
    }
    func startsReduced(_ paid: String, until day: String, then price: Sentence) -> Sentence {
        "لقد دفعت \(paid). ابتداءً من \(day) يصبح السعر \(price)."
    }
    func renewsByItself(on day: String, for price: Sentence) -> Sentence {
        "يتجدد الاشتراك تلقائيًا، والمرة القادمة في \(day) مقابل \(price)، إلى أن توقف التجديد."
    }
    func commits(to total: String) -> Sentence {
        "لقد وافقت على 12 دفعة شهرية، بمجموع \(total). إذا أوقفت التجديد ينتهي الاشتراك بعد الشهر "
            + "الثاني عشر."
    }

    func receiptSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "إيصالك عن \(name)" : "إيصالك عن \(name) و\(words: counted(others, ofThings))"
    }
    private let ofThings = Noun(
        one: "عنصر آخر", two: "عنصرين آخرين", few: "عناصر أخرى", many: "عنصرًا آخر",
        other: "عنصر آخر")
    func receipt(app: String) -> Sentence { "هذا ما اشتريته في \(app)." }

    func willRenewSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "قريبًا يتجدد \(name)"
            : "قريبًا يتجدد \(name) مع \(words: counted(others, ofSubscriptions))"
    }
    func willRenew(_ count: Int) -> Sentence {
        "خلال الشهر القادم يتجدد تلقائيًا \(words: counted(count, subscriptions)):"
    }
    func willExpireSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "قريبًا ينتهي \(name)"
            : "قريبًا ينتهي \(name) مع \(words: counted(others, ofSubscriptions))"
    }
    func willExpire(_ count: Int) -> Sentence {
        "ينتهي خلال الشهر القادم \(words: counted(count, subscriptions)):"
    }

    func reasonToEnd(_ reason: CustomerMail.Upcoming.ReasonToEnd) -> Sentence {
        switch reason {
        case .turnedOff: "التجديد متوقف"
        case .notForSale: "لم يعد معروضًا للبيع"
        case .renewalLimit: "لا تجديد بعد ذلك في Sandbox"
        }
    }

    func cannotPaySubject(_ name: String) -> Sentence { "يرجى التحقق من طريقة دفع \(name)" }
    func cannotPay(_ name: String, price: String, day: String) -> Sentence {
        "يتجدد \(name) في \(day) مقابل \(price)، ويبدو أن تحصيل هذا المبلغ لن يكون ممكنًا."
    }
    let updatePayment: Sentence = "يرجى تحديث طريقة الدفع في حسابك كي لا تفقد شيئًا."

    func billingSubject(_ name: String) -> Sentence { "مشكلة في دفع \(name)" }
    func notPaid(_ name: String, price: String) -> Sentence {
        "لم يتجدد \(name) لأن تحصيل \(price) لم يكن ممكنًا. ستُعاد المحاولة."
    }
    func accessGoesOn(until day: String) -> Sentence { "يبقى لك حق الاستخدام حتى \(day)." }
    let accessIsInterrupted: Sentence = "يتوقف الاستخدام إلى أن يتم الدفع."
    func endedSubject(_ name: String) -> Sentence { "انتهى \(name)" }
    func ended(_ name: String, price: String) -> Sentence {
        "انتهى \(name) لأن تحصيل \(price) لم يكن ممكنًا. يمكنك الاشتراك من جديد في أي وقت."
    }

    func increaseSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "زيادة سعر \(name)"
            : "زيادة سعر \(name) مع \(words: counted(others, ofSubscriptions))"
    }
    func consentSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "زيادة سعر \(name): نحتاج إلى موافقتك"
            : "زيادة سعر \(name) و\(words: counted(others, ofThings)): نحتاج إلى موافقتك"
    }
    func increase(_ count: Int) -> Sentence {
        count == 1 ? "يرتفع سعر اشتراكك." : "ترتفع أسعار اشتراكك."
    }
    func increaseStands(before day: String) -> Sentence {
        "لا يلزمك فعل شيء. إن لم ترغب فيه بهذا السعر فأوقف التجديد قبل \(day)."
    }
    func consentNeeded(for count: Int, ending names: [String], day: String) -> Sentence {
        let price: Sentence =
            count == 1
            ? "لن تدفع السعر الجديد إلا إذا وافقت عليه. "
            : "لن تدفع الأسعار الجديدة إلا إذا وافقت عليها، وإجابة واحدة تسري عليها كلها. "
        return price + "من دون موافقتك ينتهي \(list(names)) في \(day)."
    }
    let restGoesOn: Sentence = "يستمر باقي اشتراكك."
    private func list(_ names: [String]) -> Sentence { .list(names, " و", " و") }

    func conversionSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "ينتهي عرضك على \(name): نحتاج إلى موافقتك"
            : "تنتهي عروضك على \(name) و\(words: counted(others, ofThings)): نحتاج إلى موافقتك"
    }
    func conversion(_ name: String, isFree: Bool, price: Sentence, day: String) -> Sentence {
        isFree
            ? "تنتهي فترتك المجانية مع \(name) في \(day). بعد ذلك يكون السعر \(price)."
            : "ينتهي سعرك المخفض على \(name) في \(day). بعد ذلك يكون السعر \(price)."
    }
    func conversions(_ names: [String], day: String) -> Sentence {
        "تنتهي عروضك على \(list(names)) في \(day). بعد ذلك تسري الأسعار أدناه."
    }
    func conversionNeeded(for names: [String], by day: String) -> Sentence {
        names.count == 1
            ? "لا يستمر \(list(names)) إلا إذا وافقت حتى \(day). وإلا فإنه ينتهي ولا يُحصَّل عنه أي "
                + "مبلغ."
            : "لا يستمر \(list(names)) إلا إذا وافقت حتى \(day). وإلا فإنها تنتهي ولا يُحصَّل عنها أي "
                + "مبلغ."
    }
    func conversionNeeded(by day: String) -> Sentence {
        "لا يستمر الاشتراك إلا إذا وافقت حتى \(day). وإلا فإنه ينتهي ولا يُحصَّل أي مبلغ."
    }

    func extendedSubject(_ name: String) -> Sentence { "تأجل موعد تجديد \(name)" }
    func extended(_ name: String, day: String) -> Sentence {
        "منحناك وقتًا إضافيًا مع \(name) مجانًا. يتجدد الآن في \(day)."
    }

    func discontinuedSubject(_ name: String) -> Sentence { "لم يعد \(name) متوفرًا" }
    func discontinued(_ name: String, day: String) -> Sentence {
        "لم يعد \(name) متوفرًا. يبقى لك حتى \(day)، ولا يتجدد بعد ذلك."
    }
    let others: Sentence = "يمكنك اختيار أحد هذه بدلًا منه:"

    func refundedSubject(_ name: String) -> Sentence { "استرداد ثمن \(name)" }
    func refunded(_ name: String, amount: String) -> Sentence {
        "قُبل طلبك: يُعاد إليك \(amount) عن \(name) بالطريقة التي دفعت بها."
    }
    func refundedUnasked(_ name: String, amount: String) -> Sentence {
        "أعدنا إليك المال: يُعاد إليك \(amount) عن \(name) بالطريقة التي دفعت بها."
    }
    func refundDeclinedSubject(_ name: String) -> Sentence { "طلبك لاسترداد ثمن \(name)" }
    func refundDeclined(_ name: String) -> Sentence {
        "رُفض طلبك لاسترداد ثمن \(name). ما اشتريته يبقى لك."
    }

    func shareSubject(_ name: String) -> Sentence { "شارك \(name) مع عائلتك" }
    func share(_ name: String) -> Sentence {
        "يمكن الآن مشاركة \(name). شغّل المشاركة كي تستخدمه عائلتك من دون تكلفة إضافية."
    }
    func sharedSubject(_ name: String) -> Sentence { "تمت مشاركة \(name) معك" }
    func shared(_ name: String, by giver: String) -> Sentence {
        "يشارك \(giver) اشتراك \(name) مع العائلة. يمكنك استخدامه من الآن."
    }
}
