import FoundationEssentials
import WireProtocol

/// A spot in a list, as `parking/card` shows it and `markers.js` reads it.
struct SpotCard {
    var id: String
    var latitude: String
    var longitude: String
    var name: String
    var posted: Moment
    var metres: Int?
    var distance: String?
    /// The colour of its pin: `warm` where it costs, `gone` where it is likely gone, else empty.
    var tone: String
    var photo: String?
    var price: String
    var priced: Bool
    var likelyGone: Bool
    /// Nil at the street, where most are.
    var kind: String?
    var mine: Bool
    var directions: String
    var directionsLabel: String
    /// Whether it is in the list of what a standing search has found.
    var found = false

    /// - Parameter place: where distances are taken from, where the service did not say one.
    init(_ spot: Spot, from place: Position?, in visit: Visit) {
        let words = visit.words
        let metres = place.map { Distance.between($0, spot.position) }
        id = spot.id.description
        latitude = String(spot.position.latitude)
        longitude = String(spot.position.longitude)
        name = spot.name
        posted = visit.moment(spot.postedAt, .ago)
        self.metres = metres
        distance = metres.map { Distance.text($0, in: words) }
        tone = spot.likelyGone ? "gone" : spot.price == nil ? "" : "warm"
        photo = spot.photo
        price = spot.priceText(in: words)
        priced = spot.price != nil
        likelyGone = spot.likelyGone
        kind = spot.kind == .street ? nil : words["kind.\(spot.kind.rawValue)"]
        mine = spot.mine
        directions = Directions(to: spot.position, called: spot.name).primary(for: visit.userAgent)
        directionsLabel = words["parking.directionsTo", ["name": spot.name]]
    }
}

extension Spot {
    func priceText(in words: Words) -> String {
        price.flatMap { $0.amount == 0 ? nil : Price.text($0, in: words) } ?? words["parking.noCharge"]
    }
}
