import PlainText
import WireProtocol

/// A place as lists show one: its name, and what tells it from others of that name.
struct PlaceView {
    var id: String
    var name: String
    /// Name and town, as one would write it into a field.
    var label: String
    /// `lat,lng`
    var position: String
    var latitude: String
    var longitude: String
    var icon: String
    var kind: String
    /// `Helsinki, Uusimaa, FI`
    var whereabouts: String?
    /// As far as it tells what is near from one another: `Kaisaniemenkatu 4, Helsinki`.
    var street: String?
    /// Its own name, where it is shown under another one by which it was found; else the name by which it was found.
    var foundBy: String?
    /// That it is not what was typed: another house, or only the street of it.
    var note: String?
    var metres: Int?
    var distance: String?
    var directions: String
    var directionsLabel: String

    /// - Parameter point: where the one is who looks, or what is looked around; nil where that is not known, and no distance is shown.
    init(_ place: Place, from point: Position? = nil, in visit: Visit) {
        let words = visit.words
        let metres = point.map { place.distance ?? Distance.between($0, place.position) }
        id = place.id.description
        name = place.shownName
        label = place.label
        position = place.position.written
        latitude = String(place.position.latitude)
        longitude = String(place.position.longitude)
        icon = place.kind.icon
        kind = words["places.kind.\(place.kind.rawValue)"]
        whereabouts = place.whereabouts
        street =
            place.kind == .town
            ? place.whereabouts : [place.address, place.locality].compactMap(\.self).joined(separator: ", ").nonEmpty
        let other = place.shownName == place.name ? place.foundBy : place.name
        // By its address, which is shown anyway.
        foundBy = other == place.address ? nil : other.map { words["places.foundBy", ["name": $0]] }
        note = place.match.flatMap { words.find("places.match.\($0.rawValue)") }
        self.metres = metres
        distance = metres.map { Distance.text($0, in: words) }
        directions = Directions(to: place.position, called: name).primary(for: visit.userAgent)
        directionsLabel = words["parking.directionsTo", ["name": name]]
    }
}

extension Place {
    /// A town is called as the one calls it who looks for it: sources seldom say in which language a name is, and who types München reads München.
    var shownName: String { kind == .town ? foundBy ?? name : name }

    /// `Fabianinkatu 33, Helsinki`; a town is its own.
    var label: String {
        guard let locality, locality != name else { return shownName }
        return "\(shownName), \(locality)"
    }

    /// Street, town, state, country, as far as they say more than the name does.
    var whereabouts: String? {
        var parts: [String] = []
        for part in [address, locality, region, country].compactMap(\.self) where part != name && !parts.contains(part)
        {
            parts.append(part)
        }
        return parts.joined(separator: ", ").nonEmpty
    }
}

extension PlaceKind {
    /// A symbol of `icons.svg`.
    var icon: String {
        switch self {
        case .town, .district: "town"
        case .street: "street"
        case .address, .building, .venue: "building"
        case .restaurant: "restaurant"
        case .shop: "shop"
        case .hotel: "hotel"
        case .parking: "park"
        case .station: "station"
        case .park: "tree"
        case .school: "school"
        }
    }
}

extension [Place] {
    /// Whose data is shown: each source once, in the words that its licence asks for.
    var attribution: String? {
        var said: [String] = []
        for place in self where !said.contains(place.attribution) { said.append(place.attribution) }
        return said.joined(separator: " · ").nonEmpty
    }
}
