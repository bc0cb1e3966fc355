/// Changing the plan, and what it costs.
extension SpanishWords {
    var nextBill: String { "Próxima factura" }
    var paymentIsOnItsWay: String { "El pago está en curso." }
    var total: String { "Total" }
    var billLine: String { "Concepto" }
    var usualPrice: String { "Precio habitual" }
    var toPay: String { "A pagar" }
    var withOffer: String { "Con una oferta" }
    var unpaid: String { "Su último pago falló. Actualice su forma de pago para no perder nada." }
    var changePlan: String { "Cambiar de plan" }
    var noOtherPlans: String { "No hay otro plan." }
    var current: String { "Su plan" }
    var takesEffect: String { "Se aplica" }
    var atOnce: String { "De inmediato" }
    var chargedToday: String { "Se cobra hoy" }
    var returned: String { "Se devuelve" }
    var approval: String { "Aprobación" }
    var needsApproval: String { "Alguien de su familia debe aprobarlo antes." }
    var confirm: String { "Confirmar" }
    var notNow: String { "Ahora no" }
    func commits(to total: String) -> String {
        "12 pagos mensuales, \(total) en total"
    }
    func changeTo(_ name: String) -> String {
        "Cambiar a \(name)"
    }
    func keepPlan(_ name: String) -> String {
        "Mantener \(name)"
    }
    func planWaits(_ name: String, day: String) -> String {
        "Cambia a \(name) el \(day)."
    }
    func nothingMore(until day: String) -> String {
        "Termina el \(day). No se cobra nada más."
    }
    func paidBy(_ name: String) -> String {
        "\(name) paga y gestiona esta suscripción."
    }
}

/// Leaving, staying and coming back.
extension SpanishWords {
    var cancel: String { "Cancelar suscripción" }
    var confirmCancellation: String { "Confirmar cancelación" }
    var payLess: String { "O pague menos" }
    var keep: String { "Mantener suscripción" }
    var resubscribe: String { "Volver a suscribirse" }
    var resubscribeNow: String { "Volver a suscribirse ahora" }
    var otherPlans: String { "Otros planes" }
    func changeTo(_ name: String, for price: String) -> String {
        "Cambiar a \(name) por \(price)"
    }
    func isOff(until day: String) -> String {
        "La renovación está desactivada. Conserva el acceso hasta el \(day)."
    }
    func cancels(_ name: String, accessUntil day: String) -> String {
        "Si confirma, \(name) no se renueva. Conserva el acceso hasta el \(day)."
    }
    func cancelsCommitment(of name: String, on day: String) -> String {
        "Si confirma, \(name) termina tras el duodécimo mes, el \(day). Hasta "
            + "entonces conserva el acceso y siguen los pagos mensuales."
    }
    func cancelsUnpaid(_ name: String) -> String {
        "Ahora no tiene acceso a \(name) porque falló el pago. Si confirma, no se "
            + "intentará cobrar de nuevo."
    }
    func resubscribe(to name: String) -> String {
        "Volver a suscribirse a \(name)"
    }
    func offerIsFree(for length: String, then price: String) -> String {
        "Gratis durante \(length), después \(price)."
    }
}

/// A price that goes up, or an offer that ends.
extension SpanishWords {
    var conversionTitle: String { "Su oferta termina" }
    var reviewIncrease: String { "Ver el precio" }
    var nothingToAnswer: String { "Aquí no hay nada que responder." }
    func priceOf(_ name: String, app: String) -> String {
        "\(name) en \(app)"
    }
    func freeUntil(_ day: String) -> String {
        "Gratis hasta el \(day)"
    }
    func endsUnlessAgreed(_ name: String, on day: String) -> String {
        "Solo paga el precio nuevo si lo acepta. Sin su acuerdo, \(name) termina "
            + "el \(day) y no se cobra nada."
    }
    func nothingToDo(before day: String) -> String {
        "No tiene que hacer nada. Si no lo quiere a este precio, cancele antes del \(day)."
    }
    func asksForPrice(_ price: String, from day: String) -> String {
        "Se le pide que acepte un precio nuevo: \(price) desde el \(day)."
    }
    func tellsOfPrice(_ price: String, from day: String) -> String {
        "El precio cambia el \(day): \(price)."
    }
}
