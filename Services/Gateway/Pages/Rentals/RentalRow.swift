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
        let waiting: [RentalAct] = [.accept, .handOver, .giveBack, .settle]
        let isDone = rental.state == .returned || rental.evidence.contains { $0.by == rental.role } && rental.state != .handedOver
        next = isDone ? nil : waiting.first { rental.possible.contains($0) }.map { rental.open($0, in: words) }
    }
}
