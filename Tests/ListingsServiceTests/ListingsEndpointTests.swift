import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService
@testable import Messaging

@Suite("The service as the bus sees it")
struct ListingsEndpointTests {
    /// Asks as the request server does.
    private func ask<Parameters, Body, Reply>(
        _ listings: Listings, _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body,
        by person: PersonID? = nil
    ) async throws -> (reply: Reply, tag: String) {
        var router = RequestRouter(service: "listings")
        ListingsEndpoint(spots: listings.spots, rentals: listings.rentals).answer(on: &router)
        let route = try #require(router.routes[method.name])
        let envelope = RequestEnvelope(
            id: .version7(), method: method.name, deadline: Date() + 60, caller: Caller(person: person),
            parameters: try WireJSON.encode(parameters), body: try WireJSON.encode(body))
        let raw = try await route.handle(envelope, RequestContext(envelope, from: .gateway))
        return (try WireJSON.decode(from: raw.bytes), raw.tag)
    }

    private func code(_ body: () async throws -> Void) async -> ErrorCode? {
        do { try await body() } catch { return (error as? any Refusal)?.serviceError.code }
        return nil
    }

    @Test func everyMethodOfTheContractIsAnswered() async throws {
        try await Listings.with { listings in
            var router = RequestRouter(service: "listings")
            ListingsEndpoint(spots: listings.spots, rentals: listings.rentals).answer(on: &router)
            let methods = [
                "spots", "spot", "postSpot", "changeSpot", "removeSpot", "claimSpot", "releaseSpot", "observeSpot",
                "photosInUse", "personalData", "subject", "roomSubject", "waiting", "shelf", "ping",
                "things", "thing", "postThing", "changeThing", "amendThing", "publishThing", "withdrawThing",
                "carModels", "calendar", "blockDates", "unblockDates", "quoteRental", "askRental", "actOnRental",
                "rentalContact", "commitments", "rental", "rentals", "calendarEntries",
                "readSearch", "searchables", "judgeSearches", "look", "foundItems",
            ]
            #expect(Set(router.routes.keys) == Set(methods.map { "listings.\($0)" }))
        }
    }

    @Test func aShelfHasWhatAPersonShares() async throws {
        try await Listings.with { listings in
            let spot = try await listings.posted(draft())
            let car = try await listings.posted(carDraft()).id
            let method = ListingsEvents.stream.methods.shelf
            func shelf(_ kind: SubjectKind, of person: PersonID = maya) async throws -> [ShelfItem] {
                try await ask(listings, method, ShelfQuery(of: person, kind), Nothing(), by: tom).reply.items
            }
            #expect(try await shelf(.spot).map(\.spot?.id) == [spot.id])
            #expect(try await shelf(.thing).map(\.thing?.id) == [car])
            #expect(try await shelf(.thing, of: lin).isEmpty)
            #expect(await code { _ = try await shelf(.review) } == .notFound)
        }
    }

    @Test func aWholeStory() async throws {
        try await Listings.with { listings in
            let posted = try await ask(listings, ListingsMethods.postSpot, Nothing(), draft(), by: maya).reply
            let reference = SpotReference(id: posted.id)
            let changed = try await ask(
                listings, ListingsMethods.changeSpot, reference, draft("Level 3"), by: maya
            ).reply
            #expect(changed.name == "Level 3")
            let seen = try await ask(
                listings, ListingsMethods.observeSpot, reference, SpotObservation(state: .there), by: lin
            ).reply
            #expect(seen.observations.there == 1)
            let claimed = try await ask(
                listings, ListingsMethods.claimSpot, SpotClaiming(id: reference.id), Nothing(), by: tom
            ).reply
            #expect(claimed.claim?.mine == true)
            let released = try await ask(listings, ListingsMethods.releaseSpot, reference, Nothing(), by: tom).reply
            #expect(released.state == .free)
            let list = try await ask(listings, ListingsMethods.spots, SpotQuery(near: library), Nothing()).reply
            #expect(list.items.map(\.id) == [posted.id])
            _ = try await ask(listings, ListingsMethods.removeSpot, reference, Nothing(), by: maya)
            #expect(
                await code { _ = try await ask(listings, ListingsMethods.spot, reference, Nothing()) } == .notFound)
        }
    }

    @Test func refusalsHaveStableCodes() async throws {
        try await Listings.with { listings in
            let spot = SpotReference(id: try await listings.posted().id)
            func claim(_ person: PersonID?) async -> ErrorCode? {
                await code {
                    _ = try await ask(
                        listings, ListingsMethods.claimSpot, SpotClaiming(id: spot.id), Nothing(), by: person)
                }
            }
            #expect(await claim(nil) == "unauthenticated")
            #expect(await claim(maya) == "forbidden")
            #expect(await claim(tom) == nil)
            #expect(await claim(lin) == "already_claimed")
            #expect(
                await code { _ = try await ask(listings, ListingsMethods.removeSpot, spot, Nothing(), by: maya) }
                    == "wrong_state")
            #expect(
                await code { _ = try await ask(listings, ListingsMethods.releaseSpot, spot, Nothing(), by: lin) }
                    == "forbidden")
            #expect(
                await code { _ = try await ask(listings, ListingsMethods.postSpot, Nothing(), draft(""), by: lin) }
                    == "invalid")
            #expect(
                await code { _ = try await ask(listings, ListingsMethods.spots, SpotQuery(), Nothing()) } == "invalid")
        }
    }

    @Test(
        arguments: [
            (SpotError.invalid([]), "invalid"), (.notFound, "not_found"), (.notYours, "forbidden"),
            (.yourOwn, "forbidden"),
            (.notYourClaim, "forbidden"), (.alreadyClaimed, "already_claimed"), (.claimed, "wrong_state"),
            (.notClaimed, "wrong_state"), (.expired, "wrong_state"), (.removed, "wrong_state"),
            (.tooManyClaims(limit: 3), "too_many_claims"), (.tooManySpots(limit: 20), "too_many_spots"),
        ] as [(SpotError, ErrorCode)])
    func eachRefusalHasACodeAndASentence(error: SpotError, code: ErrorCode) {
        let refusal = error.serviceError
        #expect(refusal.code == code)
        #expect(refusal.detail.hasSuffix("."))
    }

    @Test func theVersionChangesWithWhatIsSeenAndWithWhoSees() async throws {
        try await Listings.with { listings in
            let spot = SpotReference(id: try await listings.posted().id)
            func tag(_ person: PersonID?) async throws -> String {
                try await ask(listings, ListingsMethods.spot, spot, Nothing(), by: person).tag
            }
            let first = try await tag(tom)
            #expect(!first.isEmpty)
            listings.clock.advance(by: .seconds(5))
            #expect(try await tag(tom) == first, "it only got older")
            #expect(try await tag(lin) == first)
            #expect(try await tag(maya) != first, "hers")
            _ = try await listings.spots.observe(spot.id, .there, .from(lin))
            let second = try await tag(tom)
            #expect(second != first)
            _ = try await listings.spots.claim(spot.id, .from(tom))
            #expect(try await tag(tom) != (try await tag(lin)), "only one of them held it")
        }
    }
}
