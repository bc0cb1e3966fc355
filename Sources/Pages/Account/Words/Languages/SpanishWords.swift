import HTMLPages

/// Customers' pages in Spanish.
struct SpanishWords: AccountWords, SpanishCustomerWords {}

/// Signing in.
extension SpanishWords {
    var site: String { "Cuenta" }
    var foot: String { "Esta tienda es una simulación: a nadie se le cobra nada." }
    var signInTitle: String { "Iniciar sesión" }
    func linkLead(_ name: String, app: String) -> String {
        "Esto abre la cuenta de \(name) para \(app)."
    }
    var usedLink: String {
        "Este enlace ya se usó o sus diez minutos han pasado. Abra de nuevo su "
            + "cuenta desde la app."
    }
    var onlyByLink: String { "Abra su cuenta desde la app: su enlace inicia la sesión." }
}

/// What went wrong, and what was done.
extension SpanishWords {
    var goBack: String { "Volver" }
    var toOverview: String { "A sus suscripciones" }
    var busy: String { "La tienda está ocupada. Inténtelo de nuevo en un momento." }
    var failed: String { "La tienda no pudo hacerlo. No ha cambiado nada." }

    func refusal(_ code: String) -> String? {
        switch code {
        case "otherOrigin":
            "Esto no lo envió una página de esta tienda. Abra la página otra vez e "
                + "inténtelo de nuevo."
        case "repeatedField", "notAForm":
            "No se pudo leer el formulario. Abra la página otra vez."
        case "unknownPage":
            "Esa página no existe."
        case "unknownSubscription":
            "No tiene esa suscripción."
        case "familyShared":
            "Otra persona de su familia paga y gestiona esta suscripción."
        case "paymentDeclined":
            "Su forma de pago fue rechazada. No ha cambiado nada."
        case "paymentPending":
            "Un pago anterior sigue en curso. Espere a que se complete."
        case "notActive":
            "Esta suscripción ha terminado."
        case "notForSale":
            "Este plan no se vende aquí."
        case "alreadySubscribed":
            "Ya está suscrito a esto."
        case "noPriceIncrease":
            "Ya no se puede responder a este precio."
        case "amountChanged":
            "El importe o la oferta ha cambiado desde que se abrió la página. "
                + "Revísela otra vez."
        case "purchaseInterrupted":
            "Su compra se interrumpió: antes hay que resolver algo de su pago."
        case "paymentsNotAllowed":
            "Esta cuenta no puede pagar nada."
        case "ineligibleForOffer":
            "No puede tener esta oferta."
        default: nil
        }
    }

    func done(_ name: String) -> String? {
        switch name {
        case "cancel":
            "La renovación está desactivada. Conserva lo que ha pagado."
        case "keep":
            "Su suscripción continúa."
        case "changePlan":
            "Su plan está elegido."
        case "requestToBuy":
            "Se ha pedido la aprobación a su familia."
        case "resubscribe":
            "Bienvenido de nuevo. Ya está suscrito."
        case "agree":
            "Ha aceptado el precio nuevo."
        case "decline":
            "No ha aceptado. La renovación está desactivada."
        case "priceSeen":
            "Gracias. No tiene que hacer nada más."
        default: nil
        }
    }
}

/// The subscriptions.
extension SpanishWords {
    var subscriptions: String { "Suscripciones" }
    var noSubscriptions: String {
        "Aquí no tiene suscripciones. Lo que suscriba en la app se gestiona en esta página."
    }
    var plan: String { "Plan" }
    var price: String { "Precio" }
    var nextPrice: String { "Próximo precio" }
    var endedOn: String { "Terminó el" }
    var familyShared: String { "Compartida con usted por su familia" }

    func status(_ number: Int64) -> String {
        switch number {
        case 1: "Activa"
        case 2: "Terminada"
        case 3, 4: "Pago rechazado"
        default: "Reembolsada"
        }
    }
}
