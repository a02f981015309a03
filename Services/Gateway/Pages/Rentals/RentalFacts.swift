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
    /// Until when it is that, and what comes then.
    var cancelledLater: String?
    var policy: String?

    init(_ rental: Rental, in visit: Visit) {
        let texts = visit.words
        period = rental.period(in: texts)
        units = rental.units(in: texts)
        zone = texts["rentals.calendar.zone", ["zone": CivilText.city(of: rental.zone)]]
        zoneName = rental.zone
        starts = visit.moment(rental.startsAt, .due)
        ends = visit.moment(rental.endsAt, .due)
        cost = rental.price(rental.cost, in: texts)
        each = rental.terms.price.map { "\(rental.units(in: texts)) × \(Price.text($0, in: texts))" }
        owed = rental.owedText(in: texts)
        if rental.possible.contains(.cancel) {
            let cost = rental.cancellationCost(at: visit.now)
            ifCancelled = rental.price(cost.flatMap { $0.owed.amount > 0 ? $0.owed : nil }, in: texts)
            cancelledLater = cost.flatMap { rental.deadline(of: $0, in: texts) }
        }
        let isOpen = rental.state == .requested || rental.state == .accepted
        policy =
            isOpen && rental.cost != nil
            ? texts["rentals.policy.\(rental.terms.cancellation.rawValue).\(rental.terms.unit.rawValue)"] : nil
    }
}
