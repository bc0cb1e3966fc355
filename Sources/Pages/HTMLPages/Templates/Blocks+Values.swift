import Mustache

/// What templates read of blocks and of what they consist of, by name; see the frame's.
extension DataTable: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "caption": caption
        case "hidesCaption": hidesCaption
        case "columns": columns
        case "rows": rows
        case "before": before
        case "after": after
        case "hasBefore": hasBefore
        case "hasAfter": hasAfter
        case "unfoldBefore": unfoldBefore
        case "unfoldAfter": unfoldAfter
        case "isEmpty": isEmpty
        case "emptyText": emptyText
        case "more": more
        default: nil
        }
    }
}

extension DataTable.Column: MustacheParent {
    func child(named key: String) -> Any? {
        switch key {
        case "title": title
        case "isNumber": isNumber
        default: nil
        }
    }
}

extension DataTable.Row: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "id": id
        case "cells": cells
        default: nil
        }
    }
}

extension PageSection: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "id": id
        case "headingID": headingID
        case "isLandmark": isLandmark
        case "title": title
        case "about": about
        case "blocks": blocks
        default: nil
        }
    }
}

extension Prose: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "paragraphs": paragraphs
        default: nil
        }
    }
}

extension LinkList: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "label": label
        case "links": links
        case "isTabs": isTabs
        default: nil
        }
    }
}

extension CodeText: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "title": title
        case "text": text
        case "isOpen": isOpen
        default: nil
        }
    }
}

extension FramedDocument: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "title": title
        case "source": source
        default: nil
        }
    }
}

extension Notice: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "tone": tone
        case "role": role
        case "id": id
        case "strong": strong
        case "text": text
        case "link": link
        case "hasItems": hasItems
        case "items": items
        default: nil
        }
    }
}

extension Notice.Item: MustacheParent {
    func child(named key: String) -> Any? {
        switch key {
        case "text": text
        case "isLink": isLink
        case "href": href
        default: nil
        }
    }
}

extension SameElsewhere: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "summary": summary
        case "items": items
        default: nil
        }
    }
}

extension SameElsewhere.Item: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "about": about
        case "call": call
        case "command": command
        default: nil
        }
    }
}

extension Progress: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "label": label
        case "text": text
        case "permille": permille
        case "stream": stream
        case "reload": reload
        default: nil
        }
    }
}

extension TryAgain: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "text": text
        case "about": about
        default: nil
        }
    }
}

extension PageForm: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "id": id
        case "method": method
        case "action": action
        case "about": about
        case "hidden": hidden
        case "fields": fields
        case "button": button
        case "tone": tone
        case "isOff": isOff
        case "isQuiet": isQuiet
        case "way": way
        default: nil
        }
    }
}

extension PageForm.Hidden: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "name": name
        case "value": value
        default: nil
        }
    }
}

extension Field: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "id": id
        case "name": name
        case "label": label
        case "type": type
        case "autocomplete": autocomplete
        case "hasHint": hasHint
        case "hint": hint
        case "isWrong": isWrong
        case "problem": problem
        case "describedBy": describedBy
        case "value": value
        case "isRequired": isRequired
        case "isLong": isLong
        case "isCheckbox": isCheckbox
        case "isChecked": isChecked
        case "hasChoices": hasChoices
        case "hasRadios": hasRadios
        case "choices": choices
        default: nil
        }
    }
}

extension Field.Choice: MustacheParent {
    func child(named key: String) -> Any? {
        switch key {
        case "name": name
        case "value": value
        case "text": text
        case "isChosen": isChosen
        default: nil
        }
    }
}

extension Ware: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "image": image
        case "alt": alt
        case "name": name
        case "lines": lines
        default: nil
        }
    }
}
