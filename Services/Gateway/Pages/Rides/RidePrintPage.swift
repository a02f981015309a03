import Hummingbird
import WireProtocol

/// `/rides/{id}/print`: a ride on paper, for who drives it and who has a seat: the way, the times, and who gets in and out where.
struct RidePrintPage {
    /// Somebody who rides along.
    struct Rider {
        var name: String
        /// To the driver, where it can be had.
        var phone: String?
        var facts: SeatFacts
    }

    var id: String
    var ride: RideView
    var heading: String
    var driver: String
    /// The driver's, to who rides along.
    var phone: String?
    var car: String?
    var way: RideWayView
    var ridersTitle: String
    var riders: [Rider]
    var anyRiders: Bool
    var printed: Moment

    static func register(on routes: PageRoutes) {
        routes.get("/rides/{id}/print") { visit in
            try visit.context.requirePerson()
            let ride = try await RidePage.ride(visit)
            let riding = try await RideRequests.asked(for: ride, in: visit).filter(\.hasSeat)
            guard ride.mine || !riding.isEmpty else {
                throw ServiceError(.forbidden, "Only who drives it or rides along may do that.")
            }
            async let driver = RideDriver(of: ride, in: visit)
            async let phones = phones(of: riding, visit)
            let page = RidePrintPage(ride, riding, await phones, car: await driver.car, in: visit)
            let frame = PageFrame(
                title: page.heading, width: "middle print", scripts: ["ride"], styles: ["rentals", "rides"])
            return try await visit.page("rides/print", page, frame)
        }
    }

    /// The other's number of each request, where it can be had.
    private static func phones(of requests: [SeatRequest], _ visit: Visit) async -> [SeatRequestID: String] {
        await withTaskGroup(of: (SeatRequestID, String?).self) { group in
            for request in requests {
                group.addTask { (request.id, await SeatPage.contact(of: request, visit)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private init(
        _ ride: Ride, _ riding: [SeatRequest], _ phones: [SeatRequestID: String], car: String?, in visit: Visit
    ) {
        let words = visit.words
        id = ride.id.description
        self.ride = RideView(ride, in: visit)
        heading = words["rides.print.title", ["title": self.ride.title]]
        driver = ride.driver.name
        phone = ride.mine ? nil : riding.first.flatMap { phones[$0.id] }
        self.car = car
        way = RideWayView(ride, in: words)
        ridersTitle = words[ride.mine ? "rides.passengers" : "rides.print.seat"]
        // In the order in which they get in.
        riders = riding.sorted { $0.boarding.at < $1.boarding.at }.map { request in
            Rider(
                name: request.rider.name, phone: ride.mine ? phones[request.id] : nil,
                facts: SeatFacts(request, in: visit))
        }
        anyRiders = !riders.isEmpty
        printed = visit.moment(visit.now, .date)
    }
}
