import PlainText
import WireProtocol

/// What a form says of a restaurant in an address field: one that Places knows, since others mean the same one by its id.
struct RestaurantAnswer {
    /// What the field shows.
    var answer = PlaceAnswer()
    /// Nil where the text does not say which one is meant.
    private(set) var place: PlaceID?

    init() {}

    /// One that is known already.
    init(_ place: DeliveryPlace) {
        answer = PlaceAnswer(chosen: place.choice)
        self.place = place.place
    }

    init(_ place: Place) {
        answer = PlaceAnswer(chosen: PlaceChoice(position: place.position, label: place.label))
        self.place = place.id
    }

    /// One of which an address says no more than the id.
    init(of place: PlaceID) { self.place = place }

    init(_ form: SubmittedForm, _ name: String) { answer = PlaceAnswer(form, name) }

    /// Finds out which restaurant was chosen; where none was, which ones are called so.
    /// - Parameter known: those whose ids need no looking up.
    mutating func lookUp(near: Position?, known: [DeliveryPlace] = [], in visit: Visit) async {
        guard !answer.text.isEmpty else { return }
        do {
            guard let chosen = answer.chosen else { return try await search(near, in: visit) }
            place = known.first { $0.choice == chosen }?.place
            if place == nil { place = try await Self.restaurant(at: chosen, in: visit) }
            answer.trouble = place == nil ? .unknown : nil
        } catch let error as ServiceError where error.code == .invalid {
            answer.trouble = .unknown
        } catch {
            answer.trouble = .away
        }
    }

    private mutating func search(_ near: Position?, in visit: Visit) async throws {
        let query = PlaceQuery(
            q: answer.text, near: near, kind: .restaurant, limit: PlaceOptions.limit, language: visit.words.code)
        let found = try await visit.ask(PlacesMethods.search, query, Nothing())
        (answer.matches, answer.leftOut) = (found.items, found.leftOutSaid(in: visit.words))
        answer.trouble = answer.matches.isEmpty ? .unknown : .choose
    }

    /// The one that is exactly there. Several may be in one house: then its name says which.
    private static func restaurant(at chosen: PlaceChoice, in visit: Visit) async throws -> PlaceID? {
        let query = NearbyPlaceQuery(
            at: chosen.position, kind: .restaurant, radius: 50, limit: 50, language: visit.words.code)
        let found = try await visit.ask(PlacesMethods.nearby, query, Nothing()).items
        let there = found.filter { Distance.between($0.position, chosen.position) < 2 }
        return (there.first { $0.label == chosen.label } ?? (there.count == 1 ? there[0] : nil))?.id
    }
}

extension DeliveryPlace {
    /// As an address field has it.
    var choice: PlaceChoice { PlaceChoice(position: position, label: name) }
}
