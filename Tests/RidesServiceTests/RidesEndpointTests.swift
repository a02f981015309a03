import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import Messaging
@testable import RidesService

@Suite("Rides as the bus sees them")
struct RidesEndpointTests {
    /// Asks as the request server does.
    private func ask<Parameters, Body, Reply>(
        _ rides: Rides, _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body,
        by person: PersonID? = nil
    ) async throws -> (reply: Reply, tag: String) {
        let route = try #require(router(rides).routes[method.name])
        let envelope = RequestEnvelope(
            id: .version7(), method: method.name, deadline: Date() + 60, caller: Caller(person: person),
            parameters: try WireJSON.encode(parameters), body: try WireJSON.encode(body))
        let raw = try await route.handle(envelope, RequestContext(envelope, from: .gateway))
        return (try WireJSON.decode(from: raw.bytes), raw.tag)
    }

    private func router(_ rides: Rides) -> RequestRouter {
        var router = RequestRouter(service: "rides")
        RidesEndpoint(rides: rides.rides).answer(on: &router)
        return router
    }

    @Test func every_method_of_the_contract_is_answered() async throws {
        try await Rides.with { rides in
            let methods = [
                "regions", "rides", "search", "quoteRide", "ride", "myRides", "postRide", "changeRide", "removeRide",
                "departRide", "arriveRide", "saveRide", "unsaveRide", "quoteSeries",
                "mySeries", "series", "postSeries", "changeSeries", "endSeries", "quoteSeat", "requestSeat", "requests",
                "request",
                "actOnRequest", "contact", "subject", "roomSubject", "waiting", "shelf", "commitments",
                "calendarEntries", "personalData", "readSearch", "searchables", "judgeSearches", "look", "foundItems",
                "seeking", "seekerFits", "ping",
            ]
            #expect(Set(router(rides).routes.keys) == Set(methods.map { "rides.\($0)" }))
        }
    }

    @Test func a_whole_story() async throws {
        try await Rides.with { rides in
            let quote = try await ask(rides, RidesMethods.quoteRide, Nothing(), Example.draft(), by: maya).reply
            #expect(quote.stops.count == 3)
            let posted = try await ask(rides, RidesMethods.postRide, Nothing(), Example.draft(), by: maya).reply
            let ride = RideReference(id: posted.id)
            _ = try await ask(rides, RidesMethods.changeRide, ride, RideDraft(seats: 2), by: maya)
            _ = try await ask(rides, RidesMethods.saveRide, ride, Nothing(), by: tom)
            _ = try await ask(rides, RidesMethods.unsaveRide, ride, Nothing(), by: tom)
            let seat = try await ask(rides, RidesMethods.quoteSeat, ride, SeatDraft(), by: tom).reply
            #expect(seat.free == 2)
            let asked = try await ask(rides, RidesMethods.requestSeat, ride, SeatDraft(), by: tom).reply
            let accept = SeatActReference(id: asked.id, act: .accept)
            _ = try await ask(rides, RidesMethods.actOnRequest, accept, SeatActDraft(), by: maya)
            let request = SeatRequestReference(id: asked.id)
            #expect(try await ask(rides, RidesMethods.request, request, Nothing(), by: tom).reply.state == .accepted)
            #expect(try await ask(rides, RidesMethods.contact, request, Nothing(), by: tom).reply.phone == nil)
            let list = try await ask(rides, RidesMethods.requests, SeatRequestQuery(), Nothing(), by: maya).reply
            #expect(list.items.map(\.id) == [asked.id])
            rides.advance(hours: 47.75)
            _ = try await ask(rides, RidesMethods.departRide, ride, Nothing(), by: maya)
            _ = try await ask(rides, RidesMethods.arriveRide, ride, Nothing(), by: maya)
            let mine = try await ask(rides, RidesMethods.myRides, MyRidesQuery(tab: .past), Nothing(), by: tom).reply
            #expect(mine.items.map(\.ride.state) == [.completed])
            let records = try await ask(
                rides, RidesEvents.stream.methods.personalData, PersonalDataQuery(person: maya), Nothing()
            ).reply
            #expect(records.items.count == 1)
        }
    }

    @Test func others_are_told_what_they_may_know() async throws {
        try await Rides.with { rides in
            let methods = RidesEvents.stream.methods
            let ride = try await rides.posted().id
            let shelf = try await ask(rides, methods.shelf, ShelfQuery(of: maya, .ride), Nothing(), by: tom).reply
            #expect(shelf.items.map(\.ride?.id) == [ride])
            let none = await refusalCode {
                try await ask(rides, methods.shelf, ShelfQuery(of: maya, .spot), Nothing(), by: tom).reply
            }
            #expect(none == .notFound)
            let subject = SubjectQuery(subject: Subject(ride), viewer: tom)
            let reported = try await ask(rides, methods.subject, subject, Nothing()).reply
            #expect(reported.title == "San Luis Obispo → San Francisco" && reported.text == "No smoking.")
            #expect(reported.owner == maya)
            func room(_ person: PersonID) async throws -> RoomSubjectFacts {
                let query = RoomSubjectQuery(subject: Subject(ride), viewer: person)
                return try await ask(rides, methods.roomSubject, query, Nothing()).reply
            }
            let before = try await room(tom)
            #expect(before.isOpen && before.partners.isEmpty)
            _ = try await rides.seated(in: ride)
            try await rides.rides.remove(ride, RideRemoval(), .from(maya))
            let facts = try await room(tom)
            #expect(facts.partners == [tom] && facts.isOpen(to: tom) && !facts.isOpen(to: lin))
            #expect(await rideRefusal { try await room(lin) } == .notFound)
        }
    }

    @Test(
        arguments: [
            (RideError.invalid([]), "invalid"), (.notFound, "not_found"), (.forbidden, "forbidden"),
            (.yourOwn, "forbidden"), (.wrongState([.keep]), "wrong_state"), (.rideOver([.arrive]), "wrong_state"),
            (.soldOut(free: 0), "sold_out"), (.soldOut(free: 1), "sold_out"), (.soldOut(free: 2), "sold_out"),
            (.alreadyAsked(nil), "already_asked"), (.tooManyRides(limit: 20), "too_many_rides"),
            (.tooManyRequests(limit: 10), "too_many_requests_open"), (.overlaps(.new()), "overlaps"),
            (.duplicate(.new()), "duplicate"), (.termsChanged([]), "terms_changed"),
            (.changedMeanwhile("1"), "changed_meanwhile"), (.inUse, "in_use"), (.seatsTaken(1), "seats_taken"),
            (.seatsTaken(3), "seats_taken"),
        ] as [(RideError, ErrorCode)])
    func each_refusal_has_a_code_and_a_sentence(error: RideError, code: ErrorCode) {
        let refusal = error.serviceError
        #expect(refusal.code == code)
        #expect(refusal.detail.hasSuffix("."))
    }

    @Test func the_version_changes_with_what_is_seen_and_with_who_sees() async throws {
        try await Rides.with { rides in
            let id = try await rides.posted().id
            func tag(_ person: PersonID?) async throws -> String {
                try await ask(rides, RidesMethods.ride, RideReference(id: id), Nothing(), by: person).tag
            }
            let first = try await tag(tom)
            #expect(!first.isEmpty)
            #expect(try await tag(lin) == first)
            #expect(try await tag(maya) != first)
            rides.advance(hours: 1)
            #expect(try await tag(tom) == first)
            _ = try await rides.seated(in: id)
            for person in [tom, lin] { #expect(try await tag(person) != first) }
        }
    }
}
