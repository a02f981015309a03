import WireProtocol

/// Who has asked for seats in a ride, for its driver (`rides/requests`): who waits for an answer, who rides along, who is on the list.
struct RideRequests {
    struct Section {
        var id: String
        var title: String
        var rows: [Row]
    }

    /// One request (`rides/request`), with the answers that its driver may give at once.
    struct Row {
        var href: String
        var person: PersonView
        /// `Ana, 2 seats`
        var name: String
        var part: String
        var detour: String?
        var cost: String?
        var message: String?
        var state: String
        var tone: String
        var answerBy: Moment?
        /// Of both ways.
        var together: SeatTogether?
        /// Why time has ended it.
        var why: SeatSentence?
        /// To where they get in, and how that is called.
        var directions: String?
        var boarding: String
        var buttons: [SeatButton]
        var hasButtons: Bool
    }

    /// How addresses and forms name the page of the ride.
    static let page = "ride"

    private static let most = 5

    var sections: [Section] = []
    var any: Bool
    /// Those who have a seat, have asked for one, or wait for one.
    let concerned: [PersonSummary]

    /// All of them, as far as so many answers hold them.
    static func asked(for ride: Ride, in visit: Visit) async throws -> [SeatRequest] {
        var (all, query) = ([SeatRequest](), SeatRequestQuery(ride: ride.id, limit: 100))
        for _ in 0..<most {
            let page = try await visit.ask(RidesMethods.requests, query, Nothing())
            all += page.items
            guard let next = page.next else { break }
            query.cursor = next
        }
        return all
    }

    init(_ requests: [SeatRequest], in visit: Visit) {
        concerned = requests.filter { [.pending, .waiting, .accepted].contains($0.state) }.map(\.rider)
        any = !requests.isEmpty
        // The latest come first; who asked first is answered first.
        let inTurn = requests.reversed()
        add("answer", inTurn.filter { $0.state == .pending }, visit)
        add("riding", inTurn.filter { [.accepted, .rode, .noShow, .disputed, .settled].contains($0.state) }, visit)
        add("waiting", inTurn.filter { $0.state == .waiting }.sorted { ($0.ahead ?? 0) < ($1.ahead ?? 0) }, visit)
        add("over", requests.filter { [.rejected, .withdrawn, .expired, .left, .removed].contains($0.state) }, visit)
    }

    private mutating func add(_ key: String, _ requests: [SeatRequest], _ visit: Visit) {
        guard !requests.isEmpty else { return }
        sections.append(
            Section(
                id: key, title: visit.words["rides.requests.\(key)"], rows: requests.map { Row($0, in: visit) }))
    }
}

extension RideRequests.Row {
    init(_ request: SeatRequest, in visit: Visit) {
        let words = visit.words
        let clock = RideClock(request.ride.zone, in: words)
        href = request.path
        person = PersonView(request.rider, in: visit)
        let seats = words["rides.seats.number", count: request.seats]
        name = words["rides.requests.who", ["name": request.rider.name, "seats": seats]]
        part =
            words[
                "rides.part",
                [
                    "boards": clock.time(request.boarding.time, after: request.ride.departsAt),
                    "from": request.boarding.name, "to": request.leaving.name,
                    "leaves": clock.time(request.leaving.time, after: request.ride.departsAt),
                ]]
        detour =
            request.detour > 0
            ? words["rides.why.detour", ["distance": Distance.reach(request.detour, in: words)]] : nil
        cost = request.cost.map { Price.text($0, in: words) }
        message = request.message
        (state, tone) = (request.stateText(in: words), request.stateTone)
        boarding = request.boarding.name
        if request.state == .accepted, request.boarding.isExact {
            let ways = Directions(to: request.boarding.position, called: boarding)
            directions = ways.primary(for: visit.userAgent)
        }
        answerBy = request.answerBy.map { visit.moment($0, .until) }
        together = SeatTogether(request, in: words)
        why = request.state == .expired ? request.said(in: visit) : nil
        buttons = [SeatAct.accept, .approve, .reject].filter { request.possible.contains($0) }.map {
            SeatButton($0, on: request, isInList: true, back: RideRequests.page, in: words)
        }
        hasButtons = !buttons.isEmpty
    }
}
