/// The family, in its organiser’s voice and in a member’s.
extension SpanishWords {
    var family: String { "Familia" }
    var noFamily: String { "No está en ninguna familia. Lo que compra es solo suyo." }
    var organiserLead: String { "Organiza esta familia: usted aprueba lo que piden los menores." }
    func memberLead(_ name: String) -> String {
        "\(name) organiza esta familia."
    }
    var members: String { "Miembros" }
    var member: String { "Miembro" }
    var organiser: String { "Organizador" }
    var you: String { "Usted" }
    var joined: String { "Desde" }
    var askToBuy: String { "Solicitud de compra" }
    func askToBuyFor(_ name: String) -> String {
        "Solicitud de compra para \(name)"
    }
    var switchedOn: String { "Activado" }
    var switchedOff: String { "Desactivado" }
    var turnOn: String { "Activar" }
    var turnOff: String { "Desactivar" }
    var requests: String { "Solicitudes" }
    var noRequests: String { "No hay solicitudes pendientes." }
    var askedBy: String { "Pedido por" }
    var timeLeft: String { "Tiempo restante" }
    func hoursLeft(hours: Int, minutes: Int) -> String {
        "\(hours) h \(minutes) min"
    }
    var approve: String { "Aprobar" }
    var declineRequest: String { "Rechazar" }
    var youShare: String { "Lo que comparte" }
    func sharingIsOff(_ name: String) -> String {
        "\(name) no se comparte. Actívelo y su familia podrá usarlo."
    }
    var sharedWith: String { "Compartido con" }
    var nobody: String { "Nadie" }
    var share: String { "Compartir" }
    var stopSharing: String { "Dejar de compartir" }
    var sharedWithYou: String { "Compartido con usted" }
    var nothingShared: String { "Ahora nadie comparte nada con usted." }
    func familyIncludes(_ name: String) -> String {
        "Le damos la bienvenida. Su familia comparte \(name) con usted."
    }
    func paysForIt(_ name: String) -> String {
        "\(name) lo paga y lo gestiona."
    }
    var shareNew: String { "Compartir lo que compre a partir de ahora" }
    var tellMe: String { "Avisarme sobre lo compartido" }
    var save: String { "Guardar" }
    var settings: String { "Ajustes" }
    var leaveFamily: String { "Abandonar la familia" }
    var leaveAbout: String {
        "Pierde al instante lo que los demás comparten, y ellos lo que usted comparte. Lo que "
            + "compró sigue siendo suyo."
    }
    var endAbout: String { "Organiza esta familia: si la abandona, termina para todos." }
}

/// What the store wrote to the customer.
extension SpanishWords {
    var mailbox: String { "Mensajes" }
    var noMails: String { "No hay mensajes." }
    var olderMails: String { "Mensajes anteriores" }
    var message: String { "Mensaje" }
    var date: String { "Fecha" }
    var sentTo: String { "Enviado a" }
    var asText: String { "Como texto" }
}

/// What a customer shares with a publisher.
extension SpanishWords {
    var optIns: String { "Compartir con editores" }
    var noOptIns: String { "Ningún editor le pide nada." }
    func optInBonus(_ length: String) -> String {
        "Si comparte, su periodo se alarga \(length)."
    }
    var sharesNow: String { "Comparte nombre, correo y código postal con el editor." }
    var yourName: String { "Nombre" }
    var yourEmail: String { "Correo electrónico" }
    var postalCode: String { "Código postal" }
    var shareDetails: String { "Compartir" }
    var dontShare: String { "No compartir" }
    var revokeDetails: String { "Dejar de compartir" }
}

/// What is refused, and what was done.
extension SpanishWords {
    func roomRefusal(_ code: String) -> String? {
        switch code {
        case "unknownTransaction":
            "No tiene esa compra."
        case "unknownProduct":
            "Esto no se vende aquí."
        case "refundAlreadyRequested":
            "Ya se solicitó el reembolso de esta compra."
        case "notRefundable":
            "Aquí no se puede solicitar el reembolso de esta compra."
        case "alreadyRevoked":
            "El precio de esta compra ya se devolvió."
        case "nothingPaid":
            "No se pagó nada por esta compra."
        case "reasonMissing":
            "Elija un motivo."
        case "badCode":
            "Un código tiene de 3 a 64 letras de la A a la Z y cifras del 0 al 9, por ejemplo "
                + "SPRING26."
        case "unknownCode":
            "Ese código no existe. Revise lo que escribió."
        case "codeExpired":
            "Este código ha caducado."
        case "codeRedeemed":
            "Este código ya se usó."
        case "offerRedeemedBefore":
            "Ya canjeó esta oferta."
        case "customCodeTyped":
            "Este código se usa en la app o con su enlace, no escribiéndolo aquí."
        case "invalidOfferIdentifier":
            "Esta oferta ya no existe."
        case "tooManyRequests":
            "Demasiados intentos. Inténtelo más tarde."
        case "requestClosed":
            "Esta solicitud ya se respondió o caducó."
        case "unknownPurchaseRequest":
            "Esa solicitud no existe."
        case "sandboxCannotApprove":
            "En Sandbox nadie puede aprobar; la solicitud se puede rechazar."
        case "needsApproval":
            "Antes debe aprobarlo alguien de su familia."
        case "notInFamily":
            "No está en ninguna familia."
        case "notShareable":
            "Esta compra no se puede compartir."
        case "notOrganiser":
            "Solo puede hacerlo quien organiza la familia."
        case "invalidQuantity":
            "La cantidad es un número del 1 al 10."
        case "invalidSetting":
            "Indique su nombre y un correo como ada@example.com."
        case "notAsked":
            "Nadie le pide esto."
        default: nil
        }
    }

    func roomDone(_ name: String) -> String? {
        switch name {
        case "buy":
            "Listo. Gracias por su compra."
        case "redeem":
            "El código se ha canjeado. Que lo disfrute."
        case "approve":
            "Lo ha aprobado."
        case "declineRequest":
            "Lo ha rechazado. No se compró nada."
        case "approvedInVain":
            "Lo ha aprobado, pero no se compró nada: ya no estaba disponible o no se pudo pagar."
        case "familySettings":
            "Sus ajustes se han guardado."
        case "leaveFamily":
            "Ha abandonado la familia."
        case "optInShared":
            "Comparte sus datos con el editor."
        case "optInDeclined":
            "No se comparte nada."
        case "settleRequest":
            "Está resuelto y su compra continuó."
        default: nil
        }
    }
}
