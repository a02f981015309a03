import FoundationEssentials
import HTTPTypes
import Hummingbird
import WireProtocol

/// `/seats/{id}`: a request for seats, for its two and for moderators: how it stands, what comes next and by when, and what one may do.
struct SeatPage {
    var id: String
    var title: String
    var when: String
    var ride: String
    /// Its state as events name it, for the script.
    var stage: String
    var state: String
    var tone: String
    var said: SeatSentence
    /// Of both ways.
    var together: SeatTogether?
    /// Why it is shown instead of what was to be done.
    var problem: String?
    var back: String
    var backText: String
    var facts: SeatFacts
    var words: String?
    /// What was said with what was done last, and by whom.
    var reason: String?
    var reasonBy: String?
    var buttons: [SeatButton]
    var parties: [PartyView]
    var message: MessageButton?
    var phone: String?
    var callLabel: String
    /// To where one gets in, once that is known.
    var directions: DirectionsView?
    var reviewHref: String?
    var reviewText: String
    var report: String?
    /// To the ride on paper, for who has a seat and who drives them.
    var print: String?

    static func register(on routes: PageRoutes) {
        routes.get("/seats/{id}") { visit in
            try visit.context.requirePerson()
            return try await show(try await request(visit), visit)
        }
    }

    static func request(_ visit: Visit) async throws -> SeatRequest {
        try await visit.ask(RidesMethods.request, SeatRequestReference(id: visit.id()), Nothing())
    }

    /// - Parameter problem: why what was wanted did not happen.
    static func show(
        _ request: SeatRequest, problem: String? = nil, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        async let phone = contact(of: request, visit)
        async let mayReview = mayReview(request, visit)
        async let noted: Void = visit.markRead(about: Subject(request.id))
        async let other = request.other(visit)
        let hasWay = request.role != nil && request.boarding.isExact && request.state == .accepted
        let way = hasWay ? await WayView(to: request.boarding.position, in: visit) : nil
        var page = SeatPage(request, way, in: visit)
        page.problem = problem
        page.phone = await phone
        page.together = SeatTogether(request, await other, in: visit.words)
        if !(await mayReview) { page.reviewHref = nil }
        // Before the bell is counted.
        await noted
        let frame = PageFrame(
            title: visit.words["seats.page", ["title": page.title]], tab: .me, width: "middle",
            scripts: ["seat", "elsewhere", "way"], styles: ["rentals", "rides"])
        return try await visit.page("rides/seat", page, frame, status: status)
    }

    /// The other's number, from the acceptance until a day after the arrival. The page does without it where it can't be had.
    static func contact(of request: SeatRequest, _ visit: Visit) async -> String? {
        guard request.role != nil, [.accepted, .rode, .noShow, .disputed].contains(request.state) else { return nil }
        let asked = SeatRequestReference(id: request.id)
        return try? await visit.ask(RidesMethods.contact, asked, Nothing(), within: 2).phone
    }

    private static func mayReview(_ request: SeatRequest, _ visit: Visit) async -> Bool {
        guard request.role != nil, [.rode, .settled].contains(request.state) else { return false }
        let completed = request.state == .rode ? request.changedAt : nil
        return await visit.mayReview(request.encounter, of: request.other.id, completed: completed)
    }

    private init(_ request: SeatRequest, _ way: WayView?, in visit: Visit) {
        let (words, ride) = (visit.words, RideView(request.ride, in: visit))
        id = request.id.description
        (title, when, self.ride) = (ride.title, ride.when, ride.href)
        stage = request.state.rawValue
        state = request.stateText(in: words)
        tone = request.stateTone
        said = request.said(in: visit)
        let isJudge = request.role == nil
        back = isJudge ? SeatDisputesPage.path : MyRidesPage.path
        backText = words[isJudge ? "seats.disputes.title" : "mine.title"]
        facts = SeatFacts(request, in: visit)
        self.words = request.message
        reason = request.reason
        reasonBy = request.changedBy.map { words["seats.saidBy", ["name": $0.name]] }
        buttons = SeatButton.all(of: request, in: words)
        let people = isJudge ? [request.driver, request.rider] : [request.other]
        parties = people.map { person in
            PartyView(
                person: PersonView(person, in: visit),
                role: words["seats.role.\(person.id == request.driver.id ? "driver" : "rider")"])
        }
        message = MessageButton.about(request, in: visit)
        callLabel = words["rentals.call", ["name": request.other.name]]
        directions = way.map {
            DirectionsView(to: request.boarding.position, called: request.boarding.name, $0, in: visit)
        }
        reviewHref = request.encounter.reviewPath(of: request.other.id)
        reviewText = words["review.writeOf", ["name": request.other.name]]
        print = !isJudge && request.hasSeat ? "\(ride.href)/print" : nil
        report = isJudge ? nil : Subject(request.other.id).reportHref
    }
}
