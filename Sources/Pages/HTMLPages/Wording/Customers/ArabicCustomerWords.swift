package import SubscriptionRules

/// What customers' pages say in Arabic.
package protocol ArabicCustomerWords: CustomerWords {}

extension ArabicCustomerWords {
    package var language: String { "ar" }
}

/// Signing in.
extension ArabicCustomerWords {
    package var signIn: String { "تسجيل الدخول" }
    package var developmentWarning: String {
        "تسجيل الدخول هذا للتطوير. لا يطلب كلمة مرور: كل من يصل إلى هذا المنفذ يمكنه أن يكون أي "
            + "عميل."
    }
    package var app: String { "التطبيق" }
    package var accountName: String { "الحساب" }
    package var accountHint: String { "الاسم الجديد يبدأ حسابًا جديدًا." }
    package func wrongName(upTo most: Int) -> String {
        "لا يمكن أن يكون لحساب هذا الاسم. اكتب اسمًا من 1 إلى \(most) حرفًا ظاهرًا واختر تطبيقًا."
    }
    package var signInFirst: String { "سجّل الدخول أولًا." }
}

/// What went wrong.
extension ArabicCustomerWords {
    package var problemTitle: String { "لم ينجح ذلك" }
    package var unknownPage: String { "لا توجد صفحة كهذه." }
    package var tooOften: String { "كان ذلك أكثر مما ينبغي. حاول مرة أخرى بعد قليل." }
}

/// A subscription.
extension ArabicCustomerWords {
    package var manage: String { "إدارة الاشتراك" }
    package var state: String { "الحالة" }
    package var nextBillingDate: String { "تاريخ الفاتورة التالية" }
    package var endsOn: String { "ينتهي في" }
}

/// What is for sale.
extension ArabicCustomerWords {
    package var renewsByItself: String { "يتجدد تلقائيًا حتى تلغيه." }
    package var endsByItself: String { "ينتهي من تلقاء نفسه ولا يتجدد." }
    package var usedUp: String { "يُستهلك ويمكن شراؤه مرة أخرى." }
    package var yoursForGood: String { "تشتريه مرة واحدة ويبقى لك دائمًا." }
    package func offerCosts(_ amount: String, for length: String, then price: String) -> String {
        "\(apart(amount)) لمدة \(apart(length))، ثم \(apart(price))."
    }
    package var redeemCode: String { "استخدام رمز" }
    package var privacyPolicy: String { "سياسة الخصوصية" }
    package var noPrivacyPolicy: String { "لم ينشر المطوّر هنا سياسة خصوصية." }
}

/// The sheet about a price.
extension ArabicCustomerWords {
    package var increaseTitle: String { "زيادة سعر الاشتراك" }
    package var oldPrice: String { "السعر الحالي" }
    package var newPrice: String { "السعر الجديد" }
    package var from: String { "ابتداءً من" }
    package var agree: String { "الموافقة على السعر الجديد" }
    package var decline: String { "عدم الموافقة" }
    package var ok: String { "حسنًا" }
    package var reviewOrCancel: String { "مراجعة الاشتراك أو إلغاؤه" }
}

/// Help with purchases.
extension ArabicCustomerWords {
    package var missingPurchase: String { "شراء مفقود" }
    package var questions: String { "الأسئلة الشائعة" }
    package var requestRefund: String { "طلب استرداد" }
    package var feedback: String { "إرسال ملاحظات" }
    package var contact: String { "اتصل بنا" }
}

/// Prices and lengths.
extension ArabicCustomerWords {
    package func price(_ amount: String, every period: CalendarPeriod) -> String {
        period.count == 1
            ? "\(apart(amount)) في \(one(period.unit))"
            : "\(apart(amount)) كل \(length(period))"
    }

    package func length(_ period: CalendarPeriod) -> String {
        let (one, two, few, many) =
            switch period.unit {
            case .day: ("يوم واحد", "يومان", "أيام", "يومًا")
            case .week: ("أسبوع واحد", "أسبوعان", "أسابيع", "أسبوعًا")
            case .month: ("شهر واحد", "شهران", "أشهر", "شهرًا")
            case .year: ("سنة واحدة", "سنتان", "سنوات", "سنة")
            }
        return switch period.count {
        case 1: one
        case 2: two
        case 3...10: "\(period.count) \(few)"
        default: "\(period.count) \(many)"
        }
    }

    private func one(_ unit: CalendarPeriod.Unit) -> String {
        switch unit {
        case .day: "اليوم"
        case .week: "الأسبوع"
        case .month: "الشهر"
        case .year: "السنة"
        }
    }

    /// A value that keeps its own direction among words from right to left.
    package func apart(_ value: String) -> String { "\u{2068}\(value)\u{2069}" }
}
