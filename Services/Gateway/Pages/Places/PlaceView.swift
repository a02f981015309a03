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
    /// The name by which it was found, where it is shown under another one.
    var foundBy: String?
    var metres: Int?
    var distance: String?
    var directions: String
    var directionsLabel: String

    /// - Parameter point: where the one is who looks, or what is looked around; nil where that is not known, and no distance is shown.
    init(_ place: Place, from point: Position? = nil, in visit: Visit) {
        let words = visit.words
        let metres = point.map { place.distance ?? Distance.between($0, place.position) }
        id = place.id.description
        name = place.name
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
        // By its address, which is shown anyway.
        let isShown = place.foundBy == place.address?.lowercased()
        foundBy = isShown ? nil : place.foundBy.map { words["places.foundBy", ["name": $0]] }
        self.metres = metres
        distance = metres.map { Distance.text($0, in: words) }
        directions = Directions(to: place.position, called: place.name).primary(for: visit.userAgent)
        directionsLabel = words["parking.directionsTo", ["name": place.name]]
    }
}

extension Place {
    /// `Fabianinkatu 33, Helsinki`; a town is its own.
    var label: String {
        guard let locality, locality != name else { return name }
        return "\(name), \(locality)"
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
