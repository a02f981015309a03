import WireProtocol

/// When it is, what it costs, and what cancelling would: of the agreement's page and of its print.
struct RentalFacts {
    var period: String
    var units: String
    var zone: String
    /// IANA's name, for scripts.
    var zoneName: String
    var starts: Moment
    var ends: Moment
    var cost: String
    var each: String?
    var owed: String?
    var ifCancelled: String?
    var policy: String?

    init(_ rental: Rental, in visit: Visit) {
        let texts = visit.words
        period = rental.period(in: texts)
        units = rental.units(in: texts)
        let city = rental.zone.split(separator: "/").last.map(String.init) ?? rental.zone
        zone = texts["rentals.calendar.zone", ["zone": city.replacing("_", with: " ")]]
        zoneName = rental.zone
        starts = visit.moment(rental.startsAt, .due)
        ends = visit.moment(rental.endsAt, .due)
        cost = rental.price(rental.cost, in: texts)
        each = rental.terms.price.map { "\(rental.units(in: texts)) × \(Price.text($0, in: texts))" }
        owed = rental.owedText(in: texts)
        if rental.possible.contains(.cancel) {
            let amount = rental.owedIfCancelled(at: visit.now).flatMap { $0.amount > 0 ? $0 : nil }
            ifCancelled = rental.price(amount, in: texts)
        }
        let isOpen = rental.state == .requested || rental.state == .accepted
        policy =
            isOpen && rental.cost != nil
            ? texts["rentals.policy.\(rental.terms.cancellation.rawValue).\(rental.terms.unit.rawValue)"] : nil
    }
}
