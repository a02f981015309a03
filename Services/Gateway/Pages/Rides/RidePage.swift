import FoundationEssentials
import Hummingbird
import WireProtocol

/// `/rides/{id}`: everything about one ride, and what one may do about it; strangers may look.
struct RidePage {
    struct Fact {
        var icon: String
        var name: String
        var text: String
    }

    struct Passenger {
        var person: PersonView
        /// How many seats are theirs, where that is more than one.
        var seats: String?
    }

    /// What its driver may do with it.
    struct Act {
        var href: String
        var text: String
        var icon: String
        /// Empty, `quiet` or `danger`.
        var tone: String
        /// Whether scripts show it as a dialog.
        var asks: Bool
    }

    /// The star: kept with one press, taken off after a question.
    struct Star {
        var href: String
        var isSaved: Bool
        var key = Visit.newKey()
    }

    var id: String
    var tabs: [PageLink]
    var since: String
    var ride: RideView
    var way: RideWayView
    var map: WayMap
    /// The other one of outward and return.
    var other: RideOther?
    var series: RideSeriesDays?
    /// Why what was wanted did not happen.
    var problem: String?
    /// That nobody can ride along any more, or that nobody else finds it, and why.
    var notice: String?
    var hidden: String?
    var button: RideButton
    var acts: [Act]
    var anyActs: Bool
    var facts: [Fact]
    var notes: String?
    var driver: RideDriver
    var passengers: [Passenger]
    var anyPassengers: Bool
    /// To its driver alone; nil where that can't be had just now.
    var requests: RideRequests?
    var requestsAway: Bool
    var message: MessageButton?
    var star: Star?
    /// Its whole address, to give to others.
    var address: Field
    /// To it on paper, for who drives it and who rides along.
    var print: String?
    var report: String?
    /// That one has looked for it.
    var found: FoundBox?
    /// To its driver: how many seek along its way.
    var seekers: SeekersBox?

    static func register(on routes: PageRoutes) {
        routes.get("/rides/{id}") { visit in
            try visit.context.requireSoundSession()
            return try await show(try await ride(visit), visit)
        }
    }

    static func ride(_ visit: Visit) async throws -> Ride {
        try await visit.ask(RidesMethods.ride, RideReference(id: visit.id()), Nothing())
    }

    /// - Parameter problem: why what was wanted did not happen.
    static func show(
        _ ride: Ride, problem: String? = nil, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        async let driver = RideDriver(of: ride, in: visit)
        async let requests = ride.mine ? try? RideRequests.asked(for: ride, in: visit) : nil
        async let map = WayMap(of: ride, in: visit)
        async let series = RideSeriesDays(of: ride, in: visit)
        async let seekers = SeekersBox(along: ride, in: visit)
        async let sought = SoughtRide(ride, in: visit)
        var page = RidePage(ride, await driver, await requests, await map, part: await sought.part, in: visit)
        page.series = await series
        page.found = await sought.box
        page.seekers = await seekers
        page.problem = problem
        let frame = PageFrame(
            title: page.ride.title, tab: .home, width: "", usesMap: true,
            scripts: ["elsewhere", "ride", "ridemap", "copy"], styles: ["rides"])
        return try await visit.page("rides/ride", page, frame, status: status)
    }

    private init(
        _ ride: Ride, _ driver: RideDriver, _ requests: [SeatRequest]?, _ map: WayMap, part: SoughtPart,
        in visit: Visit
    ) {
        let words = visit.words
        id = ride.id.description
        tabs = RideTabs(nil, in: words).tabs
        since = visit.since
        self.ride = RideView(ride, in: visit)
        self.ride.href += part.query
        way = RideWayView(ride, in: words)
        self.map = map
        other = ride.other.map { RideOther($0, in: words) }
        notice = ride.state == .open ? nil : words["rides.notice.\(ride.state.rawValue)"]
        hidden = ride.hidden.map { words["rides.hidden", ["reason": $0.reason]] }
        button = RideButton(ride, part: part, in: words)
        acts = ride.possible.map { Act($0, of: ride, in: words) }
        anyActs = !acts.isEmpty
        facts = RideFacts.all(of: ride, in: words)
        notes = ride.notes
        self.driver = driver
        passengers = ride.passengers.map { passenger in
            Passenger(
                person: PersonView(passenger.person, badge: visit.badge(of: passenger.person.campus)),
                seats: passenger.seats > 1 ? words["rides.seats.number", count: passenger.seats] : nil)
        }
        anyPassengers = !passengers.isEmpty
        self.requests = requests.map { RideRequests($0, in: visit) }
        requestsAway = ride.mine && requests == nil
        message = MessageButton.about(ride, in: visit)
        star =
            ride.mine || !visit.takesPart
            ? nil : Star(href: "\(ride.path)/\(ride.isSaved ? "unsave" : "save")", isSaved: ride.isSaved)
        address = Field("address", words["rides.address"]).with {
            $0.value = visit.community.publicURL + ride.path
            $0.locked = true
            $0.verbatim = true
        }
        let isAboard = ride.passengers.contains { $0.person.id == visit.context.caller.person }
        print = ride.mine || isAboard ? "\(ride.path)/print" : nil
        report = ride.mine || !visit.isSignedIn ? nil : Subject(ride.id).reportHref
    }
}

extension RidePage.Act {
    fileprivate init(_ act: RideAct, of ride: Ride, in words: Words) {
        href = "\(ride.path)/\(act.rawValue)"
        text = words["rides.acts.\(act.rawValue).open"]
        asks = act != .change
        (icon, tone) =
            switch act {
            case .change: ("edit", "quiet")
            case .remove: ("trash", "danger")
            case .depart: ("wheel", "")
            case .arrive: ("check", "")
            }
    }
}

/// What is said of a ride besides where it goes and when.
private enum RideFacts {
    static func all(of ride: Ride, in words: Words) -> [RidePage.Fact] {
        func fact(_ icon: String, _ name: String, _ text: String) -> RidePage.Fact {
            RidePage.Fact(icon: icon, name: words["rides.fact.\(name)"], text: text)
        }
        let detour =
            ride.maxDetour == 0
            ? words["rides.detour.none"]
            : words["rides.detour.upTo", ["distance": Distance.reach(max(0, ride.detourLeft), in: words)]]
        return [
            fact("route", "length", words["rides.length", ["distance": Distance.reach(ride.length, in: words)]]),
            fact("undo", "detour", detour),
            fact("box", "luggage", words["rides.luggage.\(ride.luggage.rawValue)"]),
            fact("check", "answer", words["rides.accepts.\(ride.accepts.rawValue)"]),
        ]
    }
}

extension MessageButton {
    /// To whoever drives it.
    static func about(_ ride: Ride, in visit: Visit) -> MessageButton? {
        guard visit.isSignedIn, !ride.mine, ride.hidden == nil, ride.state == .open || ride.state == .departed,
            ride.driver.name != PersonSummary.nameOfUnknown
        else { return nil }
        return MessageButton(.ride, ride.id.description, ride.driver, in: visit.words)
    }
}
