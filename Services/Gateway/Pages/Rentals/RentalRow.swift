import WireProtocol

/// An agreement in a list (`rentals/row`).
struct RentalRow {
    var href: String
    var title: String
    var photo: String?
    var period: String
    /// Of both where neither is who looks.
    var with: String
    var state: String
    var tone: String
    /// What waits for who looks.
    var next: String?

    init(_ rental: Rental, in visit: Visit) {
        let words = visit.words
        href = "/rentals/\(rental.id)"
        title = rental.thing.title
        photo = rental.thing.photo
        period = rental.period(in: words)
        let names = ["owner": rental.owner.name, "renter": rental.renter.name]
        with = words["rentals.list.with.\(rental.role?.rawValue ?? "moderator")", names]
        state = rental.stateText(in: words)
        tone = rental.stateTone
        let awaited: RentalAct? =
            switch rental.state {
            case .requested: .accept
            case .accepted: .handOver
            case .handedOver: .giveBack
            case .disputed: .settle
            case .returned, .declined, .lapsed, .cancelled, .noShow, .settled: nil
            }
        next = awaited.flatMap { rental.possible.contains($0) ? rental.open($0, in: words) : nil }
    }
}
