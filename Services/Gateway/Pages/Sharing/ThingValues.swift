import PlainText
import Sentences
import WireProtocol

/// What was typed of a thing, as it was typed: read into a draft, or shown again.
struct ThingValues {
    /// What a form, or a step of one, asks for.
    enum Part: CaseIterable { case place, what, terms, photos }

    var kind: ThingKind
    var photos = PicturesAnswer()
    var brand = ""
    var model = ""
    var plate = ""
    var title = ""
    var description = ""
    var size = ""
    var region = ""
    /// An address that says where on the map it is.
    var find = PlaceAnswer()
    /// Where its pin is, by an address or by hand: `latitude,longitude`.
    var position = ""
    /// What everybody may know.
    var place = ""
    /// What `place` was filled in with, from where it is; as long as it is still that, it follows the address.
    var proposed = ""
    /// The door.
    var address = ""
    var price = ""
    var from = ""
    var until = ""
    var longest = ""
    var cancellation = CancellationPolicy.flexible
    var isInstant = false
    var zone = ""
    /// Of what the form was made; nil of a new thing.
    var version: String?
    /// Whether there is a plate already, which stays where none is typed.
    var hasPlate = false
    /// Whether the one that there was can't be read any more.
    var hasLostPlate = false

    init(_ kind: ThingKind) { self.kind = kind }

    /// - Parameter thing: the one that is changed; nil where it is a new one.
    init(_ form: SubmittedForm, _ kind: ThingKind, changing thing: Thing? = nil) {
        self.init(kind)
        if let thing { takePlate(of: thing) }
        (brand, model) = CarModelField.chosen(form)
        (plate, title, description, size) = (form["plate"], form["title"], form["description"], form["size"])
        (region, position) = (form["region"], form["position"])
        find = PlaceAnswer(form, "find")
        if let chosen = find.chosen { position = chosen.position.written }
        (place, proposed, address) = (form["place"], form["proposed"], form["address"])
        (price, from, until, longest) = (form["price"], form["from"], form["until"], form["longest"])
        cancellation = CancellationPolicy(rawValue: form["cancellation"]) ?? .flexible
        isInstant = form["instant"] == "yes"
        zone = form["zone"]
        version = form["version"].nonEmpty
    }

    init(_ thing: Thing) {
        self.init(thing.kind)
        photos = PicturesAnswer(thing.photos)
        (brand, model) = (thing.brand ?? "", thing.model ?? "")
        takePlate(of: thing)
        (title, description, size) = (thing.title, thing.description ?? "", thing.size.map(String.init) ?? "")
        (region, position) = (thing.region ?? "", thing.position?.written ?? "")
        (place, address) = (thing.place ?? "", thing.address ?? "")
        price = thing.terms.price.map { MoneyText.number($0, separator: ".") } ?? ""
        (from, until) = (thing.available?.from ?? "", thing.available?.until ?? "")
        longest = thing.terms.longest.map(String.init) ?? ""
        (cancellation, isInstant, zone) = (thing.terms.cancellation, thing.terms.isInstant, thing.terms.zone)
        version = thing.version
    }

    private mutating func takePlate(of thing: Thing) {
        (hasPlate, hasLostPlate) = (thing.plate != nil, thing.hasLostPlate)
    }

    /// What only places knows: which address is meant, and what its neighbourhood is called. What is filled in is looked over before it is
    /// sent: a name may be another one a moment later, and the same form must be the same request.
    /// - Returns: whether something was filled in.
    mutating func complete(in visit: Visit) async -> Bool {
        await find.lookUp(near: Position(written: position) ?? visit.community.center, in: visit)
        // What was filled in and not touched follows an address that is chosen anew.
        let mayFollow = place.isEmpty || (place == proposed && find.chosen != nil)
        guard find.trouble == nil, mayFollow, let point = Position(written: position),
            let name = await Neighbourhood.name(of: point, in: visit), name != place
        else { return false }
        (place, proposed) = (name, name)
        if address.isEmpty, let chosen = find.chosen { address = chosen.label }
        return true
    }
}

// MARK: As a draft

extension ThingValues {
    /// What the service calls the fields, where the form calls them otherwise.
    static let names = [
        "brand": "car", "model": "car", "position": "find", "position.latitude": "find", "position.longitude": "find",
        "price.amount": "price", "price.currency": "price", "available.from": "from", "available.until": "until",
        "available": "from",
    ]
    /// Where the catalogue has words of their own for them.
    static let topics = [
        "find": "thingFind", "address": "door", "place": "thingPlace", "title": "thingTitle", "from": "days",
        "until": "days", "photos": "pictures", "size": "thingSize", "longest": "thingLongest", "car": "thingModel",
        "zone": "thingZone",
    ]

    /// Reads parts of a draft, or says what is wrong with which field. The same fields make the same draft at any time, so that a form that is
    /// sent twice is one request.
    /// - Parameter isWhole: whether nothing that a listed thing needs may be missing.
    func draft(_ parts: Set<Part>, isWhole: Bool = true, in visit: Visit) -> (ThingDraft, FieldErrors) {
        var errors = FieldErrors(visit.words)
        var draft = ThingDraft()
        if parts.contains(.photos) {
            draft.photos = photos.ids
            if let trouble = photos.trouble { add("photos", trouble, &errors) }
        }
        if parts.contains(.what) { readWhat(into: &draft, isWhole, &errors) }
        if parts.contains(.place) { readPlace(into: &draft, isWhole, visit.community, &errors) }
        if parts.contains(.terms) { readTerms(into: &draft, visit.community, &errors) }
        return (draft, errors)
    }

    private func add(_ field: String, _ code: String, _ errors: inout FieldErrors) {
        errors.add(field, code, topic: Self.topics[field])
    }

    private func readWhat(into draft: inout ThingDraft, _ isWhole: Bool, _ errors: inout FieldErrors) {
        (draft.title, draft.description) = (title, description)
        if isWhole, title.isEmpty { add("title", "required", &errors) }
        if kind.look.isVehicle {
            (draft.brand, draft.model) = (brand, model)
            draft.plate = plate.nonEmpty
            if isWhole, brand.isEmpty || model.isEmpty { add("car", "required", &errors) }
            if isWhole, plate.isEmpty, !hasPlate { add("plate", "required", &errors) }
        }
        if kind.look.hasSize {
            draft.size = Int(size)
            if draft.size == nil, isWhole || !size.isEmpty {
                add("size", size.isEmpty ? "required" : "malformed", &errors)
            }
        }
    }

    private func readPlace(
        into draft: inout ThingDraft, _ isWhole: Bool, _ community: Community, _ errors: inout FieldErrors
    ) {
        (draft.region, draft.place, draft.address) = (region, place, address)
        draft.position = Position(written: position)
        if draft.position == nil, !position.isEmpty { add("find", "malformed", &errors) }
        if let trouble = find.trouble { add("find", trouble.rawValue, &errors) }
        guard isWhole else { return }
        if region.isEmpty, !community.regions.isEmpty { add("region", "required", &errors) }
        if place.isEmpty { add("place", "required", &errors) }
        if address.isEmpty, kind.look.needsAddress { add("address", "required", &errors) }
    }

    private func readTerms(into draft: inout ThingDraft, _ community: Community, _ errors: inout FieldErrors) {
        // Zero costs nothing, and takes away what it cost before.
        let amount = price.isEmpty ? 0 : Price.amount(price, currency: community.currency)
        if let amount { draft.price = Money(amount: amount, currency: community.currency) }
        if amount == nil { add("price", "malformed", &errors) }
        draft.available = AvailableDays(from: from.nonEmpty, until: until.nonEmpty)
        draft.longest = Int(longest)
        if draft.longest == nil, !longest.isEmpty { add("longest", "malformed", &errors) }
        // Zero would take away what was said before, which is what an empty field is for.
        if draft.longest == 0 { add("longest", "out_of_range", &errors) }
        (draft.cancellation, draft.isInstant, draft.zone) = (cancellation, isInstant, zone.nonEmpty)
    }
}
