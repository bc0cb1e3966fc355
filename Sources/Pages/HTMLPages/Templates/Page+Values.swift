import Mustache

// What templates read, by name. Without this the library would look for it by reflection, which
// took half of the time of a page.

/// The values of the frame, of cells and of drawings.
extension PageView: MustacheParent {
    func child(named key: String) -> Any? {
        switch key {
        case "lang": lang
        case "dir": dir
        case "title": title
        case "heading": heading
        case "badge": badge
        case "lead": lead
        case "trail": trail
        case "look": look
        case "site": site
        case "home": home
        case "assets": assets
        case "environment": environment
        case "environmentKind": environmentKind
        case "elsewhere": elsewhere
        case "clock": clock
        case "settings": settings
        case "signOut": signOut
        case "hasNav": hasNav
        case "nav": nav
        case "hasGroup": hasGroup
        case "group": group
        case "navLabel": navLabel
        case "skipText": skipText
        case "banners": banners
        case "blocks": blocks
        case "foot": foot
        default: nil
        }
    }
}

extension PageFrame.Look: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "sheet": sheet
        case "icon": icon
        default: nil
        }
    }
}

extension PageView.Badge: MustacheParent {
    func child(named key: String) -> Any? {
        switch key {
        case "tone": tone
        case "text": text
        default: nil
        }
    }
}

extension PageView.Trail: MustacheParent {
    func child(named key: String) -> Any? {
        switch key {
        case "links": links
        default: nil
        }
    }
}

extension PageView.SignOut: MustacheParent {
    func child(named key: String) -> Any? {
        switch key {
        case "action": action
        case "text": text
        default: nil
        }
    }
}

extension PageFrame.Clock: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "text": text
        case "datetime": datetime
        case "mode": mode
        case "href": href
        default: nil
        }
    }
}

extension PageFrame.Banner: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "text": text
        case "link": link
        default: nil
        }
    }
}

extension PageLink: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "text": text
        case "broken": broken
        case "href": href
        case "isCurrent": isCurrent
        case "isFile": isFile
        case "frame": frame
        default: nil
        }
    }
}

extension Cell: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "broken": broken
        case "text": text
        case "detail": detail
        case "isLink": isLink
        case "href": href
        case "isBadge": isBadge
        case "tone": tone
        case "isMoment": isMoment
        case "datetime": datetime
        case "isCode": isCode
        case "isPlain": isPlain
        case "isNumber": isNumber
        case "column": column
        case "kind": kind
        default: nil
        }
    }
}

extension Facts: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "rows": rows
        default: nil
        }
    }
}

extension Facts.Row: MustacheParent {
    func child(named key: String) -> Any? {
        switch key {
        case "label": label
        case "value": value
        default: nil
        }
    }
}

extension Figure: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "drawings": drawings
        case "caption": caption
        case "hasLegend": hasLegend
        case "legend": legend
        default: nil
        }
    }
}

extension Figure.Sized: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "class": `class`
        case "markup": markup
        default: nil
        }
    }
}

extension Figure.Key: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "text": text
        case "markup": markup
        default: nil
        }
    }
}

extension Markup: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "text": text
        default: nil
        }
    }
}
