import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import MatchingService
@testable import Messaging

@Suite("Deliveries as the bus sees them")
struct MatchingEndpointTests {
    /// Asks as the request server does.
    private func ask<Parameters, Body, Reply>(
        _ deliveries: Deliveries, _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body,
        by person: PersonID? = nil
    ) async throws -> Reply {
        let route = try #require(router(deliveries).routes[method.name])
        let envelope = RequestEnvelope(
            id: .version7(), method: method.name, deadline: Date() + 60, caller: Caller(person: person),
            parameters: try WireJSON.encode(parameters), body: try WireJSON.encode(body))
        return try WireJSON.decode(
            from: try await route.handle(envelope, RequestContext(envelope, from: .gateway)).bytes)
    }

    private func router(_ deliveries: Deliveries) -> RequestRouter {
        var router = RequestRouter(service: "matching")
        let searches = Searches(in: deliveries)
        MatchingEndpoint(deliveries: deliveries.useCases, wanted: searches.useCases).answer(on: &router)
        return router
    }

    @Test func every_method_of_the_contract_is_answered() async throws {
        try await Deliveries.with { deliveries in
            let methods = [
                "availability", "offerDelivery", "resumeDelivery", "endDelivery", "restaurants", "deliverers",
                "deliverer",
                "placeOrder", "changeOrder", "cancelOrder", "askNext", "order", "orders", "match", "matches",
                "actOnMatch", "movePosition", "hidePosition", "position", "contact", "subject", "roomSubject",
                "photosInUse", "waiting", "commitments", "personalData", "ping", "postWanted", "changeWanted",
                "renewWanted", "removeWanted", "wanted", "allWanted", "wantedFinds", "wantedFinders", "estimateWanted",
                "seekers", "rideSeekers", "inviteSeeker",
            ]
            #expect(Set(router(deliveries).routes.keys) == Set(methods.map { "matching.\($0)" }))
        }
    }

    @Test func a_whole_story() async throws {
        try await Deliveries.with { deliveries in
            let methods = MatchingMethods.self
            let there = try await ask(deliveries, methods.offerDelivery, Nothing(), Example.offerDraft, by: maya)
            let query = DelivererQuery(restaurant: unicafe.id, to: exactum.position)
            let found = try await ask(deliveries, methods.deliverers, query, Nothing(), by: tom)
            #expect(found.items.map(\.id) == [there.id])
            let one = DelivererReference(id: there.id)
            let shown = try await ask(deliveries, methods.deliverer, one, Nothing(), by: tom)
            #expect(shown.restaurant == unicafe.shown && shown.deliverer.id == there.id)
            let lists = try await ask(deliveries, methods.restaurants, DeliveryRestaurantQuery(), Nothing(), by: tom)
            #expect(lists.items.map(\.deliverers) == [1])
            let draft = Example.orderDraft { $0.availability = there.id }
            let placed = try await ask(deliveries, methods.placeOrder, Nothing(), draft, by: tom)
            let order = OrderReference(id: placed.id)
            let changed = try await ask(deliveries, methods.changeOrder, order, OrderDraft(door: "Room 5"), by: tom)
            let match = MatchReference(id: try #require(changed.asked?.match))
            func act(_ act: MatchAct, _ draft: MatchActDraft = MatchActDraft(), by person: PersonID) async throws {
                let reference = MatchActReference(id: match.id, act: act)
                _ = try await ask(deliveries, methods.actOnMatch, reference, draft, by: person)
            }
            try await act(.accept, by: maya)
            #expect(try await ask(deliveries, methods.contact, match, Nothing(), by: tom).phone == nil)
            try await act(.pickUp, MatchActDraft(spent: euros(900)), by: maya)
            let here = MatchPositionDraft(position: position(500))
            _ = try await ask(deliveries, methods.movePosition, match, here, by: maya)
            #expect(try await ask(deliveries, methods.position, match, Nothing(), by: tom).metres == 500)
            _ = try await ask(deliveries, methods.hidePosition, match, Nothing(), by: maya)
            try await act(.complete, by: maya)
            try await act(.complete, by: tom)
            #expect(try await ask(deliveries, methods.match, match, Nothing(), by: maya).state == .completed)
            #expect(try await ask(deliveries, methods.order, order, Nothing(), by: tom).state == .completed)
            #expect(try await ask(deliveries, methods.orders, OrderQuery(), Nothing(), by: tom).items.count == 1)
            #expect(try await ask(deliveries, methods.matches, MatchQuery(), Nothing(), by: maya).items.count == 1)
            _ = try await ask(deliveries, methods.endDelivery, Nothing(), Nothing(), by: maya)
            #expect(try await ask(deliveries, methods.availability, Nothing(), Nothing(), by: maya).availability == nil)
        }
    }

    @Test func others_are_told_what_they_may_know() async throws {
        try await Deliveries.with { deliveries in
            let methods = MatchingEvents.stream.methods
            let receipt = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
            let id = try await deliveries.accepted()
            let picked = MatchActDraft(spent: euros(1000), receipt: receipt)
            try await deliveries.act(.pickUp, on: id, by: maya, picked)
            let asked = PhotoUse(photos: [receipt, String(receipt.reversed())])
            #expect(try await ask(deliveries, methods.photosInUse, Nothing(), asked).photos == [receipt])
            let person = PersonReference(id: tom)
            let kept = try await ask(deliveries, methods.commitments, person, Nothing()).items
            #expect(kept.map(\.subject) == [Subject(id)] && kept.map(\.title) == ["Unicafe → Exactum"])
            let waiting = try await ask(deliveries, methods.waiting, Nothing(), Nothing(), by: maya).items
            #expect(waiting.map(\.kind) == [.bringing])
            let room = RoomSubjectQuery(subject: Subject(id), viewer: tom)
            #expect(try await ask(deliveries, methods.roomSubject, room, Nothing()).isOpen(to: tom))
            let subject = SubjectQuery(subject: Subject(id), viewer: tom)
            #expect(try await ask(deliveries, methods.subject, subject, Nothing()).owner == maya)
            let records = PersonalDataQuery(person: maya)
            #expect(try await ask(deliveries, methods.personalData, records, Nothing()).items.count == 1)
        }
    }
}
