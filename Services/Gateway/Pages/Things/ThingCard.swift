import PlainText
import WireProtocol

/// A thing in a list, as `things/card` shows it and `markers.js` reads it.
struct ThingCard {
    var id: String
    /// As everybody is told it, or the door to who may know it.
    var latitude: String?
    var longitude: String?
    /// The field of the grid around it, where that is all that is told.
    var area: String?
    /// The colour of its pin: `place warm` where it costs.
    var tone: String
    var href: String
    var title: String
    var photo: String?
    var icon: String
    /// What kind it is, where a list has several.
    var kind: String?
    /// `Toyota Yaris`, `12 m²`
    var what: String?
    /// As everybody may know where it is: street and region.
    var whereabouts: String?
    var distance: String?
    var price: String
    var priced: Bool
    var mine: Bool
    /// Why others don't find it.
    var state: String?
    var by: PersonView
    /// Whether it is in the list of what a standing search has found.
    var found = false

    /// - Parameters:
    ///   - period: when it is wanted, as a query that its page goes on with.
    ///   - near: from where distances are measured, where the service was not asked for them.
    ///   - isMixed: Whether the list has things of several kinds.
    init(_ thing: Thing, period: String = "", near: Position? = nil, isMixed: Bool = false, in visit: Visit) {
        let words = visit.words
        id = thing.id.description
        latitude = thing.position.map { String($0.latitude) }
        longitude = thing.position.map { String($0.longitude) }
        area = thing.area?.written
        href = thing.path + period
        title = thing.title
        photo = thing.photos.first
        icon = thing.kind.icon
        kind = isMixed ? words["things.one.\(thing.kind.rawValue)"] : nil
        what = thing.what(in: words)
        whereabouts = thing.whereabouts
        let between = near.flatMap { near in thing.position.map { Distance.between(near, $0) } }
        distance = (thing.distance ?? between).map { Distance.text($0, in: words) }
        price = thing.priceTag(in: words)
        priced = (thing.terms.price?.amount ?? 0) > 0
        tone = priced ? "place warm" : "place"
        mine = thing.mine
        state =
            thing.hidden != nil
            ? words["state.hidden"] : thing.state == .listed ? nil : words["things.state.\(thing.state.rawValue)"]
        by = PersonView(thing.owner, in: visit)
    }
}

extension Thing {
    /// What it is in a few words, where it has any: brand and model, or its size.
    func what(in words: Words) -> String? {
        kind.look.isVehicle
            ? [brand, model].compactMap(\.self).joined(separator: " ").nonEmpty
            : size.map { words["things.size", ["n": String($0)]] }
    }

    /// `$25 a day`, `No charge`
    func priceTag(in words: Words) -> String {
        (terms.price?.amount ?? 0) > 0 ? terms.priceText(in: words) : words["parking.noCharge"]
    }

    var whereabouts: String? { [place, region].compactMap { $0?.nonEmpty }.joined(separator: " · ").nonEmpty }
}
