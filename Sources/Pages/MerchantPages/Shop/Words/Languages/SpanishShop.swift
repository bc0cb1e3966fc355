import HTMLPages

/// The shop in Spanish.
struct SpanishShop: ShopWords, SpanishCustomerWords {}

/// Signing in.
extension SpanishShop {
    var shop: String { "Tienda" }
    var foot: String { "Esta tienda es una simulación: no se cobra nada a nadie." }
    func linkLead(_ name: String) -> String { "Así inicia sesión como \(name)." }
    var usedLink: String {
        "Este enlace ya se usó, o pasaron sus diez minutos. Abra la tienda otra vez desde la app."
    }
    var onlyByLink: String { "Abra la tienda desde la app: su enlace inicia la sesión." }
}

/// What went wrong, and what was done.
extension SpanishShop {
    var toShop: String { "A la tienda" }
    var otherOrigin: String {
        "Esto no lo envió ninguna página de esta tienda. Abra la página otra vez e inténtelo de "
            + "nuevo."
    }
    var busy: String {
        "La tienda o el almacén de apps no responde. Inténtelo dentro de un momento."
    }
    var failed: String { "La tienda no pudo hacerlo. No ha cambiado nada." }

    func done(_ name: String) -> String? {
        switch name {
        case "restore": "Sus compras están restauradas."
        case "restoreNothing": "No había nada que restaurar para esta cuenta."
        case "agree": "Ha aceptado el precio nuevo."
        case "decline": "Ha rechazado el precio nuevo."
        case "acknowledged": "Gracias. El precio nuevo queda anotado."
        default: nil
        }
    }
}

/// The paywall.
extension SpanishShop {
    func paywallTitle(_ app: String) -> String { "Suscribirse a \(app)" }
    var paywallLead: String {
        "Cada plan dice qué trae cada periodo y cuánto cuesta. No se cobra nada antes de que usted "
            + "confirme en el almacén de apps."
    }
    var plans: String { "Planes" }
    var singlePurchases: String { "Compras sueltas" }
    var eachPeriod: String { "Cada periodo trae" }
    func comesTo(_ price: String) -> String { "Equivale a \(price)." }
    func saves(_ percent: Int) -> String { "Ahorra un \(percent) %." }
    func freeTrial(_ length: String, then price: String, from day: String) -> String {
        "Gratis durante \(length). Después \(price), con cobro automático a partir del \(day) si "
            + "no cancela antes."
    }
    func paidUpFront(_ amount: String, for length: String, then usual: String) -> String {
        "\(amount) al principio por \(length), después \(usual)."
    }
    func familyName(_ name: String) -> String { "\(name) (Familia)" }
    var familyAbout: String {
        "En familia: hasta cinco personas más de su familia pueden usarlo en todos sus "
            + "dispositivos. Se unen donde está configurada su familia."
    }
    func subscribe(_ name: String, _ price: String) -> String { "Suscribirse: \(name), \(price)" }
    func tryFree(_ name: String, _ length: String) -> String {
        "Probar gratis: \(name), \(length)"
    }
    func buy(_ name: String, _ price: String) -> String { "Comprar: \(name), \(price)" }
    var restore: String { "Restaurar compras" }
    var alreadySubscribed: String { "¿Ya tiene una suscripción? Inicie sesión con esa cuenta" }
    var termsOfUse: String { "Condiciones de uso" }
    var renewalTerms: String {
        "El almacén de apps cobra cuando usted confirma. Una suscripción se renueva "
            + "automáticamente al precio indicado si no la cancela al menos 24 horas antes del "
            + "final del periodo; la renovación se cobra en las últimas 24 horas del periodo. La "
            + "gestiona y la cancela en su cuenta del almacén de apps."
    }
    var standardTerms: String {
        "Se aplica el contrato de licencia estándar del almacén de apps."
    }
    var readIt: String { "Leerla" }
    var cannotPay: String {
        "Las compras están desactivadas para su cuenta del almacén de apps, así que aquí no hay "
            + "nada que comprar. Quien gestiona su cuenta o su familia puede permitirlas."
    }
    var nothingForSale: String { "En este momento no hay nada a la venta." }
    var compactAbout: String {
        "En el reloj elige un plan y ve lo que tiene. El contenido se lee en el teléfono, la "
            + "tableta o el ordenador."
    }
    var close: String { "Cerrar" }
    var yourPlan: String { "Su plan" }
    var paidUntil: String { "Pagado hasta" }
    var otherPlans: String { "Todos los planes" }
    var seeOptions: String { "Ver sus opciones" }
    var nextPrice: String { "Próximo precio" }
    var price: String { "Precio" }
}

/// The sheet about a price.
extension SpanishShop {
    var conversionTitle: String { "Su prueba pasa a ser una suscripción de pago" }
    var priceWaits: String { "Hay novedades sobre el precio de su suscripción." }
    var subscription: String { "Suscripción" }
    var trialNow: String { "Hoy" }
    var answerBy: String { "Responda antes del" }
    var later: String { "Cerrar y responder más tarde" }
    var noAnswerNeeded: String {
        "No tiene que hacer nada: su suscripción continúa al precio nuevo. Puede cancelarla en "
            + "cualquier momento antes de esa fecha."
    }
    var withoutAnswer: String {
        "El precio nuevo solo se cobra si usted lo acepta. Mientras no responda, no se cobra."
    }
    var noSheets: String { "No hay novedades sobre sus precios." }
    var priceStays: String { "Si no responde, su precio sigue igual." }
    func endsWithoutAnswer(on day: String) -> String {
        "Sin su acuerdo, su suscripción termina el \(day)."
    }
}

/// What is unlocked, and why.
extension SpanishShop {
    var content: String { "Contenido" }
    var free: String { "Gratis para todos" }
    var freeAbout: String { "Puede usarlo sin pagar durante todo el tiempo que quiera." }
    var unlocked: String { "Desbloqueado" }
    var locked: String { "Bloqueado" }

    func reason(_ word: String) -> String {
        switch word {
        case "active", "owned": "Su compra está pagada."
        case "gracePeriod":
            "Su último pago falló. Conserva el acceso mientras el almacén de apps lo intenta de "
                + "nuevo."
        case "awaitingRenewal":
            "Su renovación se está tramitando. Mientras tanto conserva el acceso."
        case "billingRetry":
            "Su último pago falló. El acceso vuelve en cuanto el almacén de apps pueda cobrar."
        case "expired": "Su suscripción ha terminado."
        case "refunded": "El almacén de apps ha reembolsado su compra."
        case "sharingEnded": "Su familia ya no comparte esta compra con usted."
        case "upgraded": "Ha cambiado a otro plan."
        default: "La compra no da acceso."
        }
    }

    func until(_ day: String) -> String { "Hasta el \(day)." }
    var neverBought: String { "No lo ha comprado." }
    var byFamily: String { "Alguien de su familia lo comparte con usted." }
}

/// Help with purchases.
extension SpanishShop {
    var help: String { "Ayuda" }
    var missingAbout: String {
        "La tienda pide al almacén de apps todo lo que usted ha comprado y lo desbloquea."
    }
    var questionsAbout: String {
        "Una suscripción vale en todos sus dispositivos. El plan se cambia o se cancela en el "
            + "almacén de apps; el acceso dura hasta el final del periodo pagado."
    }
    var refundAbout: String { "El almacén de apps decide sobre los reembolsos." }
    var feedbackAbout: String { "El desarrollador lee las reseñas del almacén de apps." }
    func contactAbout(_ account: String) -> String {
        "Cuando escriba al desarrollador, indique su cuenta: \(account)."
    }
}
