/// Buying, and what came of it.
extension SpanishWords {
    var buy: String { "Comprar" }
    var subscribe: String { "Suscribirse" }
    func buyTitle(_ name: String) -> String {
        "Comprar \(name)"
    }
    func subscribeTitle(_ name: String) -> String {
        "Suscribirse a \(name)"
    }
    var quantity: String { "Cantidad" }
    func paymentStarts(_ price: String, day: String) -> String {
        "El \(day) se cobra automáticamente \(price), salvo que cancele antes."
    }
    var familyCanShare: String { "Puede compartirlo con hasta cinco personas de su familia." }
    var ownedAlready: String { "Ya lo tiene. Volver a obtenerlo no cuesta nada." }
    var yourPurchase: String { "Su compra" }
    var waitsForFamily: String {
        "Se pidió la aprobación de su familia. Hasta entonces no se cobra nada."
    }
    var waitsForBank: String {
        "Su banco aún no ha respondido. Lo tendrá en cuanto se complete el pago."
    }
    func requestLapses(_ day: String) -> String {
        "La solicitud caduca el \(day)."
    }
    var requestOver: String { "Esta solicitud ya no está pendiente." }
    var beginsLater: String { "Ahora no se cobra nada. Empieza con la próxima renovación." }
    var settle: String { "Resolver y comprar" }
    var settleAbout: String {
        "Su compra se interrumpió. Resuelva lo pendiente con su pago para continuar."
    }
    var termsTitle: String { "Términos y condiciones" }
    var termsOfSale: String {
        "El pago se cobra al confirmar. Una suscripción se renueva al precio de su página "
            + "hasta que la cancele. Cancélela aquí antes de que termine un periodo y no se "
            + "cobrará "
            + "nada más."
    }
    var licence: String { "Contrato de licencia" }
    var standardLicence: String { "Se aplica el contrato de licencia estándar." }
}

/// Redeeming a code, in two screens.
extension SpanishWords {
    var enterCode: String { "Introducir código" }
    var codeHint: String {
        "Letras de la A a la Z y cifras del 0 al 9; da igual mayúscula o minúscula."
    }
    var whoseCodes: String {
        "Los códigos son para suscriptores nuevos, actuales y antiguos; la oferta dice quién "
            + "puede tenerla."
    }
    var next: String { "Continuar" }
    var redeemOffer: String { "Canjear oferta" }
    func codeOnce(_ amount: String, usual: String) -> String {
        "\(amount) en lugar de \(usual)."
    }
    func codeFreeOnce(_ usual: String) -> String {
        "Gratis en lugar de \(usual)."
    }
}

/// The history, help with it, and refunds.
extension SpanishWords {
    var purchases: String { "Compras" }
    var noPurchases: String { "No ha comprado nada en esta app." }
    var olderPurchases: String { "Compras anteriores" }
    var receipt: String { "Recibo" }
    var originalDate: String { "Fecha de compra original" }
    var paidOn: String { "Pagado el" }
    var periodUntil: String { "Periodo hasta" }
    var amount: String { "Importe" }
    var order: String { "Pedido" }
    var givenBack: String { "Reembolsado" }
    var claim: String { "Solicitud de reembolso" }
    var claimOpen: String { "Enviada" }
    var claimGranted: String { "Aceptada" }
    var claimDeclined: String { "Rechazada" }
    var submitRefund: String { "Solicitar reembolso" }
    var whyRefund: String { "¿Por qué solicita un reembolso?" }
    var notMeant: String { "No quería comprar esto" }
    var childBought: String { "Un menor lo compró sin permiso" }
    var notWorking: String { "No funciona como se esperaba" }
    var notReceived: String { "No lo he recibido" }
    var otherReason: String { "Otro motivo" }
    var mayLoseAccess: String { "Es posible que pierda el acceso a esta compra." }
    var refundSent: String { "Su solicitud se ha enviado." }
    func newsByMail(_ address: String) -> String {
        "Recibirá noticias en \(address) en 48 horas."
    }
    var newsHere: String { "Aquí verá noticias en 48 horas." }
    var followClaims: String { "En Compras puede seguir sus solicitudes." }
    var doneButton: String { "Hecho" }
    var purchaseHelp: String { "Ayuda con compras" }
    var howCanWeHelp: String { "¿En qué podemos ayudar?" }
    var restorePurchases: String { "Restaurar compras" }
    func missingAbout(_ app: String) -> String {
        "Abra \(app) y elija «Restaurar compras». Lo que espera una aprobación o a su banco "
            + "llega solo y aparece abajo."
    }
    var nothingWaits: String { "No hay nada pendiente." }
    var howToCancel: String { "¿Cómo cancelo? En Suscripciones; conserva lo pagado." }
    var whoCharged: String {
        "¿Por qué se me cobró? Cada compra tiene un recibo con fecha e importe."
    }
    func feedbackAbout(_ app: String) -> String {
        "Diga al desarrollador de \(app), en la app, qué falta o qué falla."
    }
    func contactAbout(_ app: String) -> String {
        "Las preguntas sobre el contenido son para el desarrollador de \(app); su dirección "
            + "está en la app. Los pagos y reembolsos se tratan aquí."
    }
    func iconOf(_ app: String) -> String {
        "Icono de \(app)"
    }
}
