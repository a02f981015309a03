import PlainText
import WireProtocol

/// A field of a form for an address or a place (`places/field`). With scripts it suggests while one types, and what is chosen goes
/// along in a hidden field; without them the form comes back with the matches to choose from.
struct PlaceField {
    struct Choice {
        var place: PlaceView
        var value: String
    }

    var field: Field
    /// Where places are looked for first, where the person's own position is not known.
    var near: String
    /// What was chosen already, as it goes along.
    var chosen: String
    /// What the matches were looked up for.
    var asked: String
    var choices: [Choice]
    var hasChoices: Bool
    /// Whether the place that the form has already may stay.
    var mayKeep: Bool
    var attribution: String?
    /// What of the text was left out, as it is said.
    var leftOut: String?
    /// Nothing else is suggested.
    var kind: String?

    /// - Parameter field: the text field, with what is wrong with it.
    init(
        _ field: Field, _ answer: PlaceAnswer, near: Position, mayKeep: Bool = false, of kind: PlaceKind? = nil,
        in visit: Visit
    ) {
        self.field = field.with {
            $0.value = answer.text
            $0.maxlength = "100"
            $0.autocomplete = "off"
        }
        self.near = near.written
        chosen = answer.chosen?.written ?? ""
        asked = answer.text
        choices = answer.matches.map {
            Choice(
                place: PlaceView($0, in: visit),
                value: PlaceChoice(position: $0.position, label: $0.label).written)
        }
        hasChoices = !choices.isEmpty
        self.mayKeep = mayKeep
        attribution = answer.matches.attribution
        leftOut = answer.leftOut
        self.kind = kind?.rawValue
    }
}

/// A place that was chosen: where it is and what it was called. As one text, so that what a form is sent for is made of the form alone
/// and of nothing that is looked up once more.
struct PlaceChoice: Hashable {
    var position: Position
    var label: String

    init(position: Position, label: String) { (self.position, self.label) = (position, label) }

    /// `60.1699,24.9384 Helsinki`
    init?(written: String) {
        guard let space = written.firstIndex(of: " "), let position = Position(written: String(written[..<space]))
        else { return nil }
        self.init(position: position, label: String(written[space...]).trimmed)
    }

    var written: String { "\(position.written) \(label)" }
}

/// What a form says in a `PlaceField`, and what became of it.
struct PlaceAnswer {
    enum Trouble: String { case choose, unknown, away }

    /// The value of the choice that leaves everything where it is.
    static let keep = "keep"

    var text = ""
    var chosen: PlaceChoice?
    /// What is offered to choose from, where the text alone does not say which place is meant.
    var matches: [Place] = []
    /// What of the text was left out, as it is said.
    var leftOut: String?
    var trouble: Trouble?
    private var isSettled = true

    init() {}

    /// What was chosen before.
    init(chosen: PlaceChoice) { (self.text, self.chosen) = (chosen.label, chosen) }

    init(_ form: SubmittedForm, _ name: String) {
        text = form[name]
        let at = form["\(name).at"]
        // A choice holds for the text that it was offered for, or that it wrote there itself.
        let isAnswered = !text.isEmpty && form["\(name).for"] == text
        chosen = PlaceChoice(written: at).flatMap { isAnswered || $0.label == text ? $0 : nil }
        isSettled = text.isEmpty || chosen != nil || (isAnswered && at == Self.keep)
        if text.isEmpty { chosen = nil }
        if let chosen { text = chosen.label }
    }

    /// Looks up what was typed and not chosen from suggestions.
    mutating func lookUp(near: Position?, in visit: Visit) async {
        guard !isSettled else { return }
        do {
            let found = try await PlaceOptions.search(text, near: near, in: visit)
            (matches, leftOut) = (found.items, found.leftOutSaid(in: visit.words))
            trouble = matches.isEmpty ? .unknown : .choose
        } catch {
            trouble = .away
        }
    }
}
