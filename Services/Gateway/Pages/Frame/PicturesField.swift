import WireProtocol

/// Several pictures of a form, in an order of which the first is the cover (`frame/pictures`, `js/pictures.js`).
///
/// Without scripts files are chosen, several at once, and go along with the form; buttons of the form itself move and remove those that are
/// stored. With scripts each is sent as soon as it is chosen.
struct PicturesField {
    struct Picture {
        var id: String
        var number: Int
        var isCover: Bool
        var isLast: Bool
        var alt: String
        var earlier: String
        var later: String
        var remove: String
        /// The name of the buttons.
        var act: String

        init(_ id: String, number: Int, of count: Int, field: String, in words: Words) {
            self.id = id
            self.number = number
            isCover = number == 1
            isLast = number == count
            func text(_ key: String) -> String { words["script.pictures.\(key)", ["n": String(number)]] }
            (alt, earlier, later, remove) = (text("photo"), text("earlier"), text("later"), text("remove"))
            act = "\(field).do"
        }
    }

    var name: String
    var label: String
    var hint: String?
    var ids: String
    var pictures: [Picture]
    /// What scripts make a new one of.
    var blank: Picture
    var mayAdd: Bool
    var most: Int
    var error: String?
    var optional: Bool

    /// - Parameters:
    ///   - errors: what is wrong with the form; the field's own name in it is `photos`.
    ///   - hint: what the pictures should show; that where they were taken is removed is said anyway.
    init(
        _ answer: PicturesAnswer, label: String, hint: String? = nil, errors: FieldErrors? = nil, optional: Bool = true,
        in visit: Visit
    ) {
        let words = visit.words
        name = answer.name
        self.label = label
        self.hint = hint
        self.optional = optional
        ids = answer.ids.joined(separator: " ")
        most = PicturesAnswer.most
        let count = answer.ids.count
        pictures = answer.ids.enumerated().map { index, id in
            Picture(id, number: index + 1, of: count, field: answer.name, in: words)
        }
        blank = Picture("", number: 0, of: 1, field: answer.name, in: words)
        mayAdd = count < most
        var said = FieldErrors(words)
        if let trouble = answer.trouble { said.add("photos", trouble, topic: "pictures") }
        error = said.messages["photos"] ?? errors?.messages["photos"]
    }
}

/// What a form says in a `PicturesField`, and what became of it.
struct PicturesAnswer {
    static let most = 12

    var name = "pictures"
    /// Of pictures that are stored, the cover first.
    var ids: [String] = []
    /// The code of what is wrong, with words under `field.pictures`.
    var trouble: String?
    /// Whether one of the field's own buttons was pressed: the form is shown again, and does nothing else.
    var isMoved = false

    init(_ ids: [String] = [], name: String = "pictures") {
        self.name = name
        self.ids = ids
    }

    /// Reads what was there already, stores what came along, and does what the field's button says. What can be stored is, whatever else is
    /// wrong with the form.
    /// - Throws: `unauthenticated`.
    init(_ form: SubmittedForm, _ name: String = "pictures", in visit: Visit) async throws {
        self.init(Self.known(form[name]), name: name)
        let person = try visit.context.requirePerson()
        for file in form.files(named: "\(name).file") {
            guard ids.count < Self.most else {
                trouble = "too_many"
                break
            }
            do {
                let photo = try await visit.site.services.photos.store(file.bytes, for: person)
                if !ids.contains(photo.id) { ids.append(photo.id) }
            } catch let error as ServiceError {
                trouble = trouble ?? error.code.rawValue
            }
        }
        act(form["\(name).do"])
    }

    /// Ids as the field writes them. What is no id of a picture would only be refused, with nothing to see at the field.
    private static func known(_ text: String) -> [String] {
        var ids: [String] = []
        for id in text.split(separator: " ").map(String.init) where PhotoStore.isDigest(id) && !ids.contains(id) {
            ids.append(id)
        }
        return Array(ids.prefix(most))
    }

    /// `earlier …`, `later …`, `remove …` with an id; `add` only takes in what was chosen.
    private mutating func act(_ text: String) {
        let parts = text.split(separator: " ")
        guard let verb = parts.first else { return }
        isMoved = true
        guard parts.count == 2, let index = ids.firstIndex(of: String(parts[1])) else { return }
        switch verb {
        case "earlier" where index > 0: ids.swapAt(index, index - 1)
        case "later" where index < ids.count - 1: ids.swapAt(index, index + 1)
        case "remove": ids.remove(at: index)
        default: break
        }
    }
}
