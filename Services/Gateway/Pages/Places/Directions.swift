import WireProtocol

/// The ways to a place, in the applications that people have. They are links: nobody is told anything before one is pressed, and
/// then not where one stands, which the application knows itself.
struct Directions {
    var geo: String
    var osm: String
    var google: String
    var apple: String

    init(to position: Position, called name: String) {
        let place = LocalPath.encoded(position.written)
        geo = GeoAddress.text(of: name, at: position)
        osm = "https://www.openstreetmap.org/directions?to=\(place)"
        google = "https://www.google.com/maps/dir/?api=1&destination=\(place)"
        apple = "https://maps.apple.com/?daddr=\(place)"
    }

    /// Telephones open their own map by `geo:`, except Apple's, which never learnt it; elsewhere OpenStreetMap knows the way.
    func primary(for userAgent: String) -> String {
        if userAgent.contains("Android") { return geo }
        return userAgent.contains("iPhone") || userAgent.contains("iPad") ? apple : osm
    }
}

/// The section of a page that says the way (`places/directions`).
struct DirectionsView {
    /// `lat,lng`
    var to: String
    /// In the application that this device opens by itself.
    var primary: String
    var geo: String
    var osm: String
    var google: String
    var apple: String
    var way: WayView

    init(to position: Position, called name: String, _ way: WayView, in visit: Visit) {
        let ways = Directions(to: position, called: name)
        (geo, osm, google, apple) = (ways.geo, ways.osm, ways.google, ways.apple)
        to = position.written
        primary = ways.primary(for: visit.userAgent)
        self.way = way
    }
}
