import WireProtocol

/// A ride in one's own lists (`rides/my-row`), with what waits in it for who looks.
struct MyRidesRow {
    /// What tells it from the others of the list.
    var key: String
    /// The request where it is about one, else the ride.
    var href: String
    var ride: RideView
    var drives: Bool
    var role: String?
    /// Of the request, or of a ride that is over or not to be found.
    var state: String?
    var tone: String
    var seats: RideSeats?
    /// Who drives it; of one's own who has asked for seats in it.
    var person: PersonView?
    /// How it stands, and what comes next.
    var said: SeatSentence?
    /// Why it can't be had, or does not take place.
    var why: String?
    /// What was said with what ended it, and by whom.
    var reason: String?
    var reasonBy: String?
    /// Of both ways: the other one, or the way to it.
    var other: Other?
    var together: SeatTogether?
    /// What is asked for, where that is to be answered.
    var facts: SeatFacts?
    var message: String?
    var buttons: [SeatButton]
    var hasButtons: Bool
    var unsave: String?
    /// Where one reviews; of a ride that one drives where all are listed with whom one may do so.
    var review: String?

    /// The other way, where both or none were asked for.
    struct Other {
        var href: String
        var ride: RideView
        var facts: SeatFacts

        init(_ request: SeatRequest, in visit: Visit) {
            (href, ride, facts) = (
                request.path, RideView(request.ride, in: visit), SeatFacts(request, in: visit)
            )
        }
    }

    /// - Parameter pair: the ride with the other one of two requests that are answered at once.
    init(_ item: MyRide, with pair: MyRide?, _ tab: MyRidesTab, _ reviews: [Encounter], in visit: Visit) {
        let (words, ride) = (visit.words, item.ride)
        let request = tab == .saved ? nil : item.request
        self.ride = RideView(ride, in: visit)
        drives = ride.mine
        role = ride.mine ? words["rides.role.driving"] : request == nil ? ride.roleText(in: words) : nil
        // Of a ride that one drives only the list of what waits is about its requests.
        let isAboutSeat = request != nil && (!ride.mine || tab == .pending)
        key = (isAboutSeat ? request?.id.description : nil) ?? ride.id.description
        href = (isAboutSeat ? request?.path : nil) ?? ride.path
        seats =
            ride.state == .open && (ride.mine || tab == .saved) && tab != .pending ? RideSeats(ride, in: words) : nil
        (state, tone) = Self.state(ride, isAboutSeat ? request : nil, in: words)
        person = (ride.mine ? request?.rider : ride.driver).map { PersonView($0, in: visit) }
        said = request?.said(in: visit)
        why = Self.why(ride, tab, in: words)
        let isOver = request.map { $0.state.isOver && !ride.mine } ?? false
        reason = isOver ? request?.reason : nil
        reasonBy = request?.changedBy.map { words["seats.saidBy", ["name": $0.name]] }
        other = pair?.request.map { Other($0, in: visit) }
        together = request.flatMap { SeatTogether($0, pair?.request, in: words) }
        let isPending = tab == .pending
        facts = isPending ? request.map { SeatFacts($0, in: visit) } : nil
        message = isPending && ride.mine ? request?.message : nil
        let acts: [SeatAct] = isPending ? [.accept, .approve, .reject, .withdraw] : [.keep]
        buttons =
            request.map { request in
                acts.filter { request.possible.contains($0) }.map {
                    SeatButton($0, on: request, isInList: true, back: isPending ? MyRidesPage.pending : nil, in: words)
                }
            } ?? []
        hasButtons = !buttons.isEmpty
        unsave = tab == .saved ? "\(ride.path)/unsave" : nil
        review = request.flatMap { Self.review(of: $0, among: reviews) } ?? Self.review(of: ride, among: reviews)
    }

    private static func review(of request: SeatRequest, among open: [Encounter]) -> String? {
        let isOpen = open.contains { $0.subject == request.encounter }
        return isOpen ? request.encounter.reviewPath(of: request.other.id) : nil
    }

    private static func review(of ride: Ride, among open: [Encounter]) -> String? {
        let riders = Set(ride.mine ? ride.passengers.map(\.person.id) : [])
        let isOpen = open.contains { $0.subject.kind == .seat && riders.contains($0.with.id) }
        return isOpen ? "/me/encounters" : nil
    }

    private static func why(_ ride: Ride, _ tab: MyRidesTab, in words: Words) -> String? {
        switch tab {
        case .saved where ride.state != .open: words["rides.notice.\(ride.state.rawValue)"]
        case .saved where ride.action == .unavailable: words["rides.unavailable.open"]
        case .past where ride.mine && ride.state == .removed: words["rides.notice.removed"]
        default: nil
        }
    }

    private static func state(_ ride: Ride, _ request: SeatRequest?, in words: Words) -> (String?, String) {
        if let request { return (request.stateText(in: words), request.stateTone) }
        if ride.hidden != nil { return (words["state.hidden"], "full") }
        return ride.state == .open ? (nil, "") : (words["rides.state.\(ride.state.rawValue)"], "plain")
    }
}
