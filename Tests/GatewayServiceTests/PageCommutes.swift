import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Ways back and commutes, as the rides service shows them to who drives them. What is posted, changed and ended is so from then on.
struct PageCommutes: Sendable {
    let carpool: PageCarpool
    private let kept = Mutable<[(driver: PersonID, series: RideSeries)]>([])
    /// Days on which there is no ride.
    let gaps = Mutable<[SeriesGap]>([])

    var all: [RideSeries] { kept.value.map(\.series) }

    init(at door: PageDoor) {
        carpool = PageCarpool(at: door)
        playPosting(door)
        playOwn(door.services)
    }

    private func playPosting(_ door: PageDoor) {
        let services = door.services
        services.on(RidesMethods.quoteRide) { try quote($0.content) }
        services.on(RidesMethods.postRide) { request in
            let person = try door.person(try door.summary(of: request.caller).name)
            let back = request.content.returnRide.map { _ in carpool.drive(person) }
            return carpool.drive(person) { ride in
                ride.accepts = request.content.accepts ?? .nobody
                ride.other = back.map { Self.other($0, isReturn: true) }
            }
        }
        services.on(RidesMethods.quoteSeries) { request in
            RideSeriesQuote(
                ride: try quote(request.content.ride ?? RideDraft()), days: days(of: request.content), gaps: gaps.value)
        }
        services.on(RidesMethods.postSeries) { request in
            let person = try request.caller.requirePerson()
            return keep(by: person, ride: request.content.ride ?? RideDraft()) { series in
                series.from = String(request.content.ride?.departsAt?.prefix(10) ?? "")
                Self.take(request.content, into: &series)
            }
        }
    }

    private func playOwn(_ services: FakeBackend) {
        services.on(RidesMethods.series) { try series($0.parameters.id, $0.caller) }
        services.on(RidesMethods.mySeries) { request in
            let own = kept.value.filter { $0.driver == request.caller.person }.map(\.series)
            return Page(own, from: request.parameters.cursor)
        }
        services.on(RidesMethods.changeSeries) { request in
            var series = try series(request.parameters.id, request.caller)
            if let seen = request.content.version, seen != series.version {
                throw ServiceError.changedMeanwhile(series.version)
            }
            Self.take(request.content, into: &series)
            series.version += "1"
            replace(series)
            return series
        }
        services.on(RidesMethods.endSeries) { request in
            var series = try series(request.parameters.id, request.caller)
            series.isOver = true
            replace(series)
            return Nothing()
        }
    }

    static func other(_ ride: Ride, isReturn: Bool) -> OtherWay {
        OtherWay(id: ride.id, isReturn: isReturn, state: ride.state, departsAt: ride.departsAt, zone: ride.zone)
    }

    /// Somebody's commute: Mondays and Wednesdays at 8 from Mill Lane by Harbour to Old Town, and back at 17.
    @discardableResult
    func keep(
        by driver: PersonID, ride: RideDraft = weekly, _ change: (inout RideSeries) -> Void = { _ in }
    ) -> RideSeries {
        var series = RideSeries(
            id: .new(), ride: ride, weekdays: [.monday, .wednesday], from: "2999-03-04", until: "2999-03-13",
            version: "1")
        change(&series)
        kept.mutate { [series] in $0.append((driver, series)) }
        return series
    }

    private static let weekly = RideDraft(
        stops: ["Mill Lane 7, Testholm", "Harbour", "Old Town"].enumerated().map { index, name in
            RideStopDraft(
                name: name == "Mill Lane 7, Testholm" ? "Mill Lane, Testholm" : name, address: index == 0 ? name : nil,
                position: Position(latitude: 60.17 + Double(index) / 10, longitude: 24.95))
        },
        departsAt: "2999-03-04T08:00", zone: PageCarpool.zone, seats: 3, cost: Money(amount: 400, currency: "EUR"),
        maxDetour: 5000, luggage: .small, accepts: .friends, notes: "Quiet.",
        returnRide: ReturnDraft(departsAt: "2999-03-04T17:00", seats: 2))

    /// One of its rides; `isReturn` of a way back.
    static func ride(_ day: String, isReturn: Bool = false, requests: Int = 0) -> SeriesRide {
        SeriesRide(
            id: .new(), day: day, isReturn: isReturn, departsAt: moment(day, isReturn ? 15 : 6), requests: requests)
    }

    /// In Helsinki it is two hours later.
    private static func moment(_ day: String, _ hour: Int) -> Date {
        WireJSON.date(from: "\(day)T\(CivilDay.padded(hour, 2)):00:00Z") ?? Ride.evening
    }

    private func series(_ id: RideSeriesID, _ caller: Caller) throws -> RideSeries {
        guard let own = kept.value.first(where: { $0.series.id == id && $0.driver == caller.person }) else {
            throw ServiceError.notFound("series")
        }
        return own.series
    }

    private func replace(_ series: RideSeries) {
        kept.mutate { all in
            for index in all.indices where all[index].series.id == series.id { all[index].series = series }
        }
    }

    private static func take(_ draft: RideSeriesDraft, into series: inout RideSeries) {
        series.weekdays = draft.weekdays ?? series.weekdays
        series.until = draft.until ?? series.until
        series.skips = draft.skips ?? series.skips
        series.ride.seats = draft.ride?.seats ?? series.ride.seats
        series.ride.notes = draft.ride?.notes ?? series.ride.notes
    }

    private func days(of draft: RideSeriesDraft) -> [String] {
        var series = RideSeries(
            id: .new(), ride: RideDraft(), weekdays: [], from: String(draft.ride?.departsAt?.prefix(10) ?? ""),
            until: "", version: "")
        Self.take(draft, into: &series)
        series.gaps = gaps.value
        return series.days.map(\.text)
    }

    private func quote(_ draft: RideDraft) throws -> RideQuote {
        let stops = (draft.stops ?? []).enumerated().map { PageCarpool.stop($1.name, $0 * 10_000, address: $1.address) }
        let day = String(draft.departsAt?.prefix(10) ?? "2999-03-04")
        var quote = RideQuote(
            stops: stops, departsAt: Self.moment(day, 6), arrivesAt: Self.moment(day, 7), zone: PageCarpool.zone,
            length: 60_000, costs: [draft.cost ?? Money(amount: 0, currency: "EUR")],
            highestCost: carpool.highest.value,
            warnings: carpool.warnings.value)
        guard let back = draft.returnRide else { return quote }
        let cost = back.cost ?? draft.cost ?? Money(amount: 0, currency: "EUR")
        let there = String(back.departsAt?.prefix(10) ?? "2999-03-04")
        quote.returnRide = ReturnQuote(
            stops: stops.reversed(), departsAt: Self.moment(there, 15), arrivesAt: Self.moment(there, 16),
            length: 60_000, costs: [cost], warnings: [.closeToAnother])
        return quote
    }
}
