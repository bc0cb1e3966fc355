import Letters
import SubscriptionRules

/// Mails in Spanish.
struct SpanishMails: MailWords {
    let language = "es"
    let isRightToLeft = false

    func price(_ amount: String, every period: CalendarPeriod) -> Sentence {
        let (one, many) =
            switch period.unit {
            case .day: ("al día", "días")
            case .week: ("a la semana", "semanas")
            case .month: ("al mes", "meses")
            case .year: ("al año", "años")
            }
        return period.count == 1
            ? "\(amount) \(words: one)" : "\(amount) cada \(words: "\(period.count) \(many)")"
    }

    func sentTo(_ account: String, app: String) -> Sentence {
        "Este correo se ha enviado a \(account) por compras en \(app)."
    }
    let manage = "Gestionar tus suscripciones"
    let support = "Asistencia"
    let privacy = "Política de privacidad"
    let howToTurnOff: Sentence =
        "Puedes desactivar la renovación, y volver a activarla, en cualquier momento en las "
        + "suscripciones de tu cuenta. Lo que está pagado sigue siendo tuyo hasta el final."

    let colon = ": "
    let price = "Precio"
    let oldPrice = "Precio actual"
    let newPrice = "Precio nuevo"
    let renews = "Se renueva el"
    let ends = "Termina el"
    let reason = "Motivo"
    let insteadOf = "Precio sin oferta"
    let paidUntil = "Pagado hasta el"
    let startsOn = "A partir del"
    let order = "Número de pedido"
    let date = "Fecha"
    let bought = "Comprado el"
    let total = "Total"
    let oldRenewal = "Renovación prevista"
    let newRenewal = "Nueva renovación"
    let answerBy = "Responde antes del"
    func quantity(_ count: Int) -> String { "\(count) ×" }

    let agree = "Aceptar el precio nuevo"
    let decline = "No aceptar"
    let notNow = "Ahora no"
    let fine = "OK"

    func welcomeSubject(_ name: String) -> Sentence { "Tu suscripción a \(name) ha empezado" }
    func welcome(_ name: String, app: String) -> Sentence {
        "Gracias por suscribirte a \(name) en \(app)."
    }
    func startsFree(until day: String, then price: Sentence) -> Sentence {
        "Es gratis hasta el \(day). Ese día el pago empieza automáticamente: \(price)."
    }
    func startsReduced(_ paid: String, until day: String, then price: Sentence) -> Sentence {
        "Has pagado \(paid). A partir del \(day) cuesta \(price)."
    }
    func renewsByItself(on day: String, for price: Sentence) -> Sentence {
        "Se renueva automáticamente, la próxima vez el \(day), por \(price), hasta que desactives "
            + "la renovación."
    }
    func commits(to total: String) -> Sentence {
        "Has aceptado 12 pagos mensuales, \(total) en total. Si desactivas la renovación, termina "
            + "después del duodécimo mes."
    }

    func receiptSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Tu recibo de \(name)" : "Tu recibo de \(name) y \(words: "\(others)") más"
    }
    func receipt(app: String) -> Sentence { "Esto es lo que has comprado en \(app)." }

    func willRenewSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "\(name) se renueva pronto" : "\(name) y \(words: "\(others)") más se renuevan pronto"
    }
    func willRenew(_ count: Int) -> Sentence {
        count == 1
            ? "Esta suscripción se renueva automáticamente en el próximo mes:"
            : "Estas \(words: "\(count)") suscripciones se renuevan automáticamente en el próximo "
                + "mes:"
    }
    func willExpireSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "\(name) termina pronto" : "\(name) y \(words: "\(others)") más terminan pronto"
    }
    func willExpire(_ count: Int) -> Sentence {
        count == 1
            ? "Esta suscripción termina en el próximo mes:"
            : "Estas \(words: "\(count)") suscripciones terminan en el próximo mes:"
    }

    func reasonToEnd(_ reason: CustomerMail.Upcoming.ReasonToEnd) -> Sentence {
        switch reason {
        case .turnedOff: "La renovación está desactivada"
        case .notForSale: "Ya no está a la venta"
        case .renewalLimit: "Sandbox no la renueva más"
        }
    }

    func cannotPaySubject(_ name: String) -> Sentence { "Comprueba cómo pagas \(name)" }
    func cannotPay(_ name: String, price: String, day: String) -> Sentence {
        "\(name) se renueva el \(day) por \(price), y parece que no se podrá cobrar."
    }
    let updatePayment: Sentence =
        "Actualiza la forma de pago de tu cuenta para no perder nada."

    func billingSubject(_ name: String) -> Sentence { "Hay un problema con el pago de \(name)" }
    func notPaid(_ name: String, price: String) -> Sentence {
        "\(name) no se ha podido renovar porque no se han podido cobrar \(price). Se volverá a "
            + "intentar."
    }
    func accessGoesOn(until day: String) -> Sentence { "Conservas el acceso hasta el \(day)." }
    let accessIsInterrupted: Sentence = "El acceso queda interrumpido hasta que se pague."
    func endedSubject(_ name: String) -> Sentence { "\(name) ha terminado" }
    func ended(_ name: String, price: String) -> Sentence {
        "\(name) ha terminado porque no se han podido cobrar \(price). Puedes volver a suscribirte "
            + "cuando quieras."
    }

    func increaseSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Subida de precio de \(name)"
            : "Subida de precio de \(name) y \(words: "\(others)") más"
    }
    func consentSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Subida de precio de \(name): necesitamos tu consentimiento"
            : "Subida de precio de \(name) y \(words: "\(others)") más: necesitamos tu "
                + "consentimiento"
    }
    func increase(_ count: Int) -> Sentence {
        count == 1 ? "El precio de tu suscripción sube." : "Los precios de tu suscripción suben."
    }
    func increaseStands(before day: String) -> Sentence {
        "No tienes que hacer nada. Si no la quieres a este precio, desactiva la renovación "
            + "antes del "
            + "\(day)."
    }
    func consentNeeded(for count: Int, ending names: [String], day: String) -> Sentence {
        let price: Sentence =
            count == 1
            ? "Solo pagarás el precio nuevo si lo aceptas. "
            : "Solo pagarás los precios nuevos si los aceptas; una respuesta vale para todos. "
        return names.count == 1
            ? price + "Sin tu consentimiento, \(list(names)) termina el \(day)."
            : price + "Sin tu consentimiento, \(list(names)) terminan el \(day)."
    }
    let restGoesOn: Sentence = "El resto de tu suscripción continúa."
    private func list(_ names: [String]) -> Sentence { .list(names, ", ", " y ") }

    func conversionSubject(_ name: String, others: Int) -> Sentence {
        others == 0
            ? "Tu oferta de \(name) termina: necesitamos tu consentimiento"
            : "Tus ofertas de \(name) y \(words: "\(others)") más terminan: necesitamos tu "
                + "consentimiento"
    }
    func conversion(_ name: String, isFree: Bool, price: Sentence, day: String) -> Sentence {
        isFree
            ? "Tu periodo gratuito de \(name) termina el \(day). Desde entonces cuesta \(price)."
            : "Tu precio reducido de \(name) termina el \(day). Desde entonces cuesta \(price)."
    }
    func conversions(_ names: [String], day: String) -> Sentence {
        "Tus ofertas de \(list(names)) terminan el \(day). Desde entonces se aplican los precios "
            + "de abajo."
    }
    func conversionNeeded(for names: [String], by day: String) -> Sentence {
        names.count == 1
            ? "\(list(names)) solo continúa si das tu consentimiento hasta el \(day). Si no, "
                + "termina y no se cobra nada por ello."
            : "\(list(names)) solo continúan si das tu consentimiento hasta el \(day). Si no, "
                + "terminan y no se cobra nada por ellos."
    }
    func conversionNeeded(by day: String) -> Sentence {
        "Solo continúa si das tu consentimiento hasta el \(day). Si no, termina y no se cobra nada."
    }

    func extendedSubject(_ name: String) -> Sentence { "\(name) se renueva más tarde" }
    func extended(_ name: String, day: String) -> Sentence {
        "Te hemos dado más tiempo de \(name) sin coste. Ahora se renueva el \(day)."
    }

    func discontinuedSubject(_ name: String) -> Sentence { "\(name) ya no se ofrece" }
    func discontinued(_ name: String, day: String) -> Sentence {
        "\(name) ya no se ofrece. Sigue siendo tuyo hasta el \(day), y entonces no se renueva."
    }
    let others: Sentence = "En su lugar puedes elegir:"

    func refundedSubject(_ name: String) -> Sentence { "Tu reembolso de \(name)" }
    func refunded(_ name: String, amount: String) -> Sentence {
        "Tu solicitud se ha aceptado: \(amount) por \(name) se devuelven por el medio con el que "
            + "pagaste."
    }
    func refundedUnasked(_ name: String, amount: String) -> Sentence {
        "Te hemos hecho un reembolso: \(amount) por \(name) se devuelven por el medio con el que "
            + "pagaste."
    }
    func refundDeclinedSubject(_ name: String) -> Sentence {
        "Tu solicitud de reembolso de \(name)"
    }
    func refundDeclined(_ name: String) -> Sentence {
        "Tu solicitud de reembolso de \(name) se ha rechazado. Lo que compraste sigue siendo tuyo."
    }

    func shareSubject(_ name: String) -> Sentence { "Comparte \(name) con tu familia" }
    func share(_ name: String) -> Sentence {
        "Ahora puedes compartir \(name). Activa la opción de compartir y tu familia podrá "
            + "usarlo sin "
            + "coste adicional."
    }
    func sharedSubject(_ name: String) -> Sentence { "Comparten \(name) contigo" }
    func shared(_ name: String, by giver: String) -> Sentence {
        "\(giver) comparte \(name) con la familia. Puedes usarlo desde ahora."
    }
}
