/// What a person fills in or pushes.
package struct PageForm: PageBlock {
    package let template = "form"
    let id: String?
    let method: String
    let action: String
    let about: String?
    let hidden: [Hidden]
    let fields: [Field]
    let button: String
    let tone: String?
    let isOff: Bool
    let isQuiet: Bool
    let way: PageLink?

    /// A value that is sent along.
    package struct Hidden: Sendable {
        let name: String
        let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Whether it asks or changes something.
    package enum Purpose: Sendable {
        /// It reads: what was filled in is part of the address.
        case ask
        /// It changes something.
        case change
        /// It changes something, and is not what the page is for.
        case aside
        /// It changes something that cannot be taken back.
        case danger
    }

    /// - Parameters:
    ///   - action: the path that it is sent to.
    ///   - about: a sentence above the fields.
    ///   - way: where one goes who does not want it.
    ///   - isOff: whether it cannot be pushed; `about` says why.
    package init(
        _ purpose: Purpose, action: String, button: String, id: String? = nil,
        about: String? = nil, hidden: [Hidden] = [], fields: [Field] = [],
        way: PageLink? = nil, isOff: Bool = false
    ) {
        self.id = id
        method = purpose == .ask ? "get" : "post"
        self.action = action
        self.about = about
        self.hidden = hidden
        self.fields = fields
        self.button = button
        tone =
            switch purpose {
            case .danger: "danger"
            case .aside: "plain"
            case .ask, .change: nil
            }
        isQuiet = purpose == .ask
        self.isOff = isOff
        self.way = way
    }
}

/// One field of a form, with its label, a hint and what is wrong with what was filled in.
package struct Field: Sendable {
    let id: String
    let name: String
    let label: String
    let type: String
    let autocomplete: String
    let hasHint: Bool
    let hint: String
    let isWrong: Bool
    let problem: String
    /// The identifiers of what describes it.
    let describedBy: String?
    let value: String
    let isRequired: Bool
    let isLong: Bool
    let isCheckbox: Bool
    let isChecked: Bool
    let hasChoices: Bool
    let hasRadios: Bool
    let choices: [Choice]

    /// What kind of thing is filled in.
    package enum Kind: Sendable {
        case text, search, password, longText, checkbox
        /// One of several, each with what is sent and what is read.
        case choice([(value: String, text: String)])
        /// The same with all of them in sight, none chosen unless it is said.
        case radios([(value: String, text: String)])
    }

    /// One of several values.
    struct Choice: Sendable {
        /// Of the field.
        let name: String
        let value: String
        let text: String
        let isChosen: Bool
    }

    /// - Parameters:
    ///   - name: what it is called when it is sent.
    ///   - form: the form that it is in, so that identifiers are unique on a page.
    ///   - value: what was filled in; `true` for a box that is ticked.
    ///   - problem: what is wrong with that.
    package init(
        _ name: String, _ label: String, _ kind: Kind = .text, in form: String,
        value: String = "", hint: String = "", problem: String? = nil, isRequired: Bool = false
    ) {
        id = "\(form)-\(name)"
        self.name = name
        self.label = label
        // A secret is not sent back to where it was typed, and of radios one is chosen.
        switch kind {
        case .password, .radios: self.value = ""
        case .text, .search, .longText, .checkbox, .choice: self.value = value
        }
        self.hint = hint
        hasHint = !hint.isEmpty
        isWrong = problem != nil
        self.problem = problem ?? ""
        let descriptions = [hasHint ? "\(id)-hint" : nil, isWrong ? "\(id)-problem" : nil]
            .compactMap(\.self)
        describedBy = descriptions.isEmpty ? nil : descriptions.joined(separator: " ")
        self.isRequired = isRequired
        switch kind {
        case .search: type = "search"
        case .password: type = "password"
        case .text, .longText, .checkbox, .choice, .radios: type = "text"
        }
        autocomplete = type == "password" ? "current-password" : "off"
        if case .longText = kind { isLong = true } else { isLong = false }
        if case .checkbox = kind { isCheckbox = true } else { isCheckbox = false }
        isChecked = isCheckbox && value == "true"
        let all: [(value: String, text: String)]
        switch kind {
        case .choice(let values), .radios(let values): all = values
        case .text, .search, .password, .longText, .checkbox: all = []
        }
        choices = all.map {
            Choice(name: name, value: $0.value, text: $0.text, isChosen: $0.value == value)
        }
        if case .radios = kind { hasRadios = true } else { hasRadios = false }
        hasChoices = !choices.isEmpty && !hasRadios
    }
}
