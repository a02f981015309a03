import FoundationEssentials
import HTTPTypes
import Hummingbird
import WireProtocol

/// `/rentals/{id}`: an agreement, for its two and for moderators: how it stands, what comes next and by whom, and what it costs.
struct RentalPage {
    struct Act {
        var href: String
        var text: String
        var icon: String
        /// Empty, `quiet` or `danger`.
        var tone: String
        /// Whether scripts show it as a dialog; what has files or several fields is a page.
        var asks: Bool
    }

    var id: String
    var title: String
    var thing: String
    var photo: String?
    /// Its state as events name it, for the script.
    var stage: String
    var state: String
    var tone: String
    var said: TimedSentence
    /// Why it is shown instead of what was to be done.
    var problem: String?
    var isRenter: Bool
    var back: String
    var facts: RentalFacts
    var steps: [RentalStep]
    var proofs: [RentalProof]
    var acts: [Act]
    var parties: [PartyView]
    var message: MessageButton?
    var phone: String?
    var callLabel: String
    var address: String?
    var directions: DirectionsView?
    var reviewHref: String?
    var reviewText: String
    /// Where the other one, or the thing, is reported.
    var report: String?

    static func register(on routes: PageRoutes) {
        routes.get("/rentals/{id}") { visit in
            try visit.context.requirePerson()
            return try await show(try await rental(visit), visit)
        }
    }

    static func rental(_ visit: Visit) async throws -> Rental {
        try await visit.ask(ListingsMethods.rental, RentalReference(id: visit.id()), Nothing())
    }

    /// - Parameter problem: why what was wanted did not happen.
    static func show(
        _ rental: Rental, problem: String? = nil, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        async let phone = contact(of: rental, visit)
        async let mayReview = mayReview(rental, visit)
        async let noted: Void = visit.markRead(about: Subject(rental.id))
        var way = WayView()
        if let position = rental.thing.position { way = await WayView(to: position, in: visit) }
        var page = RentalPage(rental, way, in: visit)
        page.problem = problem
        page.phone = await phone
        if !(await mayReview) { page.reviewHref = nil }
        // Before the bell is counted.
        await noted
        let frame = PageFrame(
            title: visit.words["rentals.page", ["title": rental.thing.title]], tab: .me, width: "middle",
            scripts: ["rental", "way"], styles: ["rentals"])
        return try await visit.page("rentals/rental", page, frame, status: status)
    }

    /// The other's number, while an agreement runs. The page does without it where it can't be had.
    static func contact(of rental: Rental, _ visit: Visit) async -> String? {
        guard rental.role != nil, rental.isRunning else { return nil }
        let asked = RentalReference(id: rental.id)
        return try? await visit.ask(ListingsMethods.rentalContact, asked, Nothing(), within: 2).phone
    }

    private static func mayReview(_ rental: Rental, _ visit: Visit) async -> Bool {
        guard rental.role != nil, [.returned, .settled, .disputed].contains(rental.state) else { return false }
        let completed = rental.state == .returned ? rental.changedAt : nil
        return await visit.mayReview(rental.encounter, of: rental.other.id, completed: completed)
    }

    private init(_ rental: Rental, _ way: WayView, in visit: Visit) {
        let words = visit.words
        id = rental.id.description
        title = rental.thing.title
        thing = "/things/\(rental.thing.id)"
        photo = rental.thing.photo
        stage = rental.state.rawValue
        state = rental.stateText(in: words)
        tone = rental.stateTone
        said = rental.said(in: visit)
        isRenter = rental.role == .renter
        back = rental.role == nil ? "/moderation/rentals" : "/rentals"
        facts = RentalFacts(rental, in: visit)
        steps = RentalStep.steps(of: rental, in: visit)
        proofs = RentalProof.all(of: rental, in: visit)
        // What one may add to what is done already stands behind what goes on.
        let (second, first) = (
            rental.possible.filter { rental.isSecond($0) }, rental.possible.filter { !rental.isSecond($0) }
        )
        acts = (first.sorted { $0.order < $1.order } + second).map { act in
            Act(
                href: "/rentals/\(rental.id)/\(act.path)", text: rental.open(act, in: words), icon: act.icon,
                tone: rental.isSecond(act) ? "quiet" : act.tone, asks: act.asks)
        }
        let people = rental.role == nil ? [rental.owner, rental.renter] : [rental.other]
        parties = people.map { person in
            PartyView(
                person: PersonView(person, in: visit),
                role: words["rentals.role.\(person.id == rental.owner.id ? "owner" : "renter")"])
        }
        message = MessageButton.about(rental, in: visit)
        callLabel = words["rentals.call", ["name": rental.other.name]]
        address = rental.thing.address
        directions = rental.thing.position.map {
            DirectionsView(to: $0, called: rental.thing.title, way, in: visit)
        }
        reviewHref = rental.encounter.reviewPath(of: rental.other.id)
        reviewText = words["review.writeOf", ["name": rental.other.name]]
        report = rental.role == nil ? nil : Subject(rental.other.id).reportHref
    }
}

extension Rental {
    var encounter: Subject { Subject(id) }

    /// What the button of an act says; who comes second only shows how they found the thing.
    func open(_ act: RentalAct, in words: Words) -> String {
        words["rentals.act.\(act.rawValue).\(isSecond(act) ? "openToo" : "open")", ["name": other.name]]
    }

    /// Whether the other one has done it already, and one only adds what one saw.
    func isSecond(_ act: RentalAct) -> Bool {
        (act == .handOver && state == .handedOver) || (act == .giveBack && state == .returned)
    }
}

extension RentalAct {
    /// In which order the buttons stand: what goes on first, what ends it last.
    var order: Int {
        [.accept, .handOver, .giveBack, .settle, .explain, .decline, .reportNoShow, .dispute, .cancel].firstIndex(
            of: self)
            ?? 9
    }

    var icon: String {
        switch self {
        case .accept: "check"
        case .decline, .cancel: "close"
        case .handOver: "hand"
        case .giveBack: "undo"
        case .reportNoShow: "gone"
        case .dispute: "flag"
        case .explain: "messages"
        case .settle: "checks"
        }
    }

    var tone: String {
        switch self {
        case .accept, .handOver, .giveBack, .settle: ""
        case .decline, .dispute, .explain: "quiet"
        case .cancel, .reportNoShow: "danger"
        }
    }

    var asks: Bool { !takesPhotos && self != .settle }
}
