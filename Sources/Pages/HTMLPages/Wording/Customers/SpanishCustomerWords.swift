package import SubscriptionRules

/// What customers' pages say in Spanish.
package protocol SpanishCustomerWords: CustomerWords {}

extension SpanishCustomerWords {
    package var language: String { "es" }
}

/// Signing in.
extension SpanishCustomerWords {
    package var signIn: String { "Iniciar sesión" }
    package var developmentWarning: String {
        "Este inicio de sesión es para desarrollo. No pide contraseña: quien llegue a este puerto "
            + "puede ser cualquier cliente."
    }
    package var app: String { "App" }
    package var accountName: String { "Cuenta" }
    package var accountHint: String { "Un nombre nuevo abre una cuenta nueva." }
    package func wrongName(upTo most: Int) -> String {
        "Ninguna cuenta puede llamarse así. Escriba de 1 a \(most) caracteres visibles y elija una "
            + "app."
    }
    package var signInFirst: String { "Inicie sesión primero." }
}

/// What went wrong.
extension SpanishCustomerWords {
    package var problemTitle: String { "No ha funcionado" }
    package var unknownPage: String { "Esta página no existe." }
    package var tooOften: String { "Han sido demasiadas veces. Inténtelo dentro de un momento." }
}

/// A subscription.
extension SpanishCustomerWords {
    package var manage: String { "Gestionar la suscripción" }
    package var state: String { "Estado" }
    package var nextBillingDate: String { "Próximo cobro" }
    package var endsOn: String { "Termina el" }
}

/// What is for sale.
extension SpanishCustomerWords {
    package var renewsByItself: String { "Se renueva automáticamente hasta que la cancele." }
    package var endsByItself: String { "Termina por sí sola y no se renueva." }
    package var usedUp: String { "Se consume y se puede volver a comprar." }
    package var yoursForGood: String { "Se compra una vez y es suyo para siempre." }
    package func offerCosts(_ amount: String, for length: String, then price: String) -> String {
        "\(amount) durante \(length), después \(price)."
    }
    package var redeemCode: String { "Canjear código" }
    package var privacyPolicy: String { "Política de privacidad" }
    package var noPrivacyPolicy: String {
        "El desarrollador no ha publicado aquí ninguna política de privacidad."
    }
}

/// The sheet about a price.
extension SpanishCustomerWords {
    package var increaseTitle: String { "Subida de precio de la suscripción" }
    package var oldPrice: String { "Precio actual" }
    package var newPrice: String { "Precio nuevo" }
    package var from: String { "Desde el" }
    package var agree: String { "Aceptar el precio nuevo" }
    package var decline: String { "No aceptar" }
    package var ok: String { "OK" }
    package var reviewOrCancel: String { "Ver o cancelar la suscripción" }
}

/// Help with purchases.
extension SpanishCustomerWords {
    package var missingPurchase: String { "Falta una compra" }
    package var questions: String { "Preguntas frecuentes" }
    package var requestRefund: String { "Solicitar un reembolso" }
    package var feedback: String { "Enviar comentarios" }
    package var contact: String { "Contacto" }
}

/// Prices and lengths.
extension SpanishCustomerWords {
    package func price(_ amount: String, every period: CalendarPeriod) -> String {
        guard period.count == 1 else { return "\(amount) cada \(length(period))" }
        let name = unit(period.unit, isOne: true)
        return period.unit == .week ? "\(amount) a la \(name)" : "\(amount) al \(name)"
    }

    package func length(_ period: CalendarPeriod) -> String {
        "\(period.count) \(unit(period.unit, isOne: period.count == 1))"
    }

    private func unit(_ unit: CalendarPeriod.Unit, isOne: Bool) -> String {
        switch unit {
        case .day: isOne ? "día" : "días"
        case .week: isOne ? "semana" : "semanas"
        case .month: isOne ? "mes" : "meses"
        case .year: isOne ? "año" : "años"
        }
    }
}
