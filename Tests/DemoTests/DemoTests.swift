import Foundation
import Testing
import WireProtocol

@testable import demo

/// Chance that can be repeated.
private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

private let neighbours = (0..<3).map { _ in PersonID.new() }
private let now = Date(timeIntervalSince1970: 1_790_000_000)

private func place(_ index: Int, _ kind: SpotKind = .street, name: String = "Unioninkatu") -> demo.Place {
    demo.Place(name: name, position: Position(latitude: 60.17 + Double(index) / 1000, longitude: 24.94), kind: kind)
}

private func spot(at place: demo.Place, by person: PersonID, gone: Int = 0) -> Spot {
    Spot(
        id: .new(), name: place.name, position: place.position, kind: place.kind, state: .free, photo: nil, price: nil,
        postedBy: PersonSummary(id: person, name: "Aino"), postedAt: now, expiresAt: now + 600, age: 0, distance: nil,
        directions: "geo:0,0", observations: ObservationCount(there: 0, gone: gone), likelyGone: gone > 0, mine: false,
        claim: nil)
}

private func scene(places: Int, occupied: Int, by person: PersonID? = nil) -> Scene {
    let all = (0..<places).map { place($0) }
    return Scene(
        free: all.prefix(occupied).map { spot(at: $0, by: person ?? neighbours[0]) }, claimed: [:], places: all,
        neighbours: neighbours)
}

@Suite struct PastimeTests {
    @Test func a_map_with_few_spots_is_filled_up_at_vacant_places() throws {
        let scene = scene(places: 30, occupied: 5)
        for seed in 0..<100 {
            var dice = Dice(state: UInt64(seed))
            guard case .post(let place) = Pastime().next(in: scene, using: &dice) else {
                Issue.record("something else than a post")
                return
            }
            #expect(!scene.free.contains { place.isAt($0.position) })
        }
    }

    @Test func a_full_map_gets_no_more_spots() {
        let scene = scene(places: 40, occupied: 24)
        for seed in 0..<500 {
            var dice = Dice(state: UInt64(seed))
            if case .post = Pastime().next(in: scene, using: &dice) { Issue.record("posted") }
        }
    }

    @Test func what_visitors_post_is_confirmed_at_most() {
        var scene = scene(places: 40, occupied: 14)
        let visitors = (30..<40).map { spot(at: scene.places[$0], by: .new()) }
        scene.free += visitors
        var confirmed = 0
        for seed in 0..<2000 {
            var dice = Dice(state: UInt64(seed))
            switch Pastime().next(in: scene, using: &dice) {
            case .claim(let id), .observe(let id, .gone): #expect(!visitors.contains { $0.id == id })
            case .observe(let id, .there): confirmed += visitors.contains { $0.id == id } ? 1 : 0
            default: break
            }
        }
        #expect(confirmed > 0)
    }

    @Test func no_spot_is_doubted_twice_by_them() {
        var scene = scene(places: 20, occupied: 0)
        scene.free = scene.places.map { spot(at: $0, by: neighbours[0], gone: 1) }
        for seed in 0..<500 {
            var dice = Dice(state: UInt64(seed))
            if case .observe(_, .gone) = Pastime().next(in: scene, using: &dice) { Issue.record("doubted") }
        }
    }

    @Test func only_what_is_held_is_given_back_and_by_its_holder() {
        var scene = scene(places: 20, occupied: 14)
        let held = SpotID.new()
        scene.claimed = [held: neighbours[1]]
        let acts = (0..<500).compactMap { seed -> Act? in
            var dice = Dice(state: UInt64(seed))
            return Pastime().next(in: scene, using: &dice)
        }
        #expect(acts.contains(.giveBack(held, by: neighbours[1])))
    }
}

@Suite struct DraftTests {
    private func draft(_ place: demo.Place, seed: Int) -> SpotDraft {
        var dice = Dice(state: UInt64(seed))
        return .at(
            place, now: now,
            pictures: [
                "garage": "g", "garage-entrance": "g", "courtyard": "c", "driveway": "c", "courtyard-evening": "c",
            ], currency: "EUR", using: &dice)
    }

    @Test(arguments: 0..<50) func drafts_are_what_listings_accepts(seed: Int) throws {
        for kind in SpotKind.allCases {
            let draft = draft(place(0, kind), seed: seed)
            #expect(!draft.name.isEmpty && draft.name.count <= 120)
            #expect(draft.kind == kind)
            if let price = draft.price { #expect(price.currency == "EUR" && price.amount > 0) }
            let expires = try #require(draft.expiresAt)
            #expect(expires > now + 600 && (kind != .street || expires < now + 1800))
        }
    }

    @Test func free_streets_cost_nothing_and_garages_something() {
        var free = place(0)
        free.fee = false
        #expect((0..<50).allSatisfy { draft(free, seed: $0).price == nil })
        #expect((0..<50).allSatisfy { draft(place(0, .garage), seed: $0).price != nil })
    }

    @Test func the_picture_suits_the_place() {
        #expect(draft(place(0, .garage), seed: 1).photo == "g")
        #expect(draft(place(0, .private), seed: 1).photo == "c")
    }

    @Test func every_drawing_that_is_chosen_exists() {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/Demo/pictures")
        for seed in 0..<400 {
            var dice = Dice(state: UInt64(seed))
            let place = place(0, SpotKind.allCases[seed % 3], name: seed % 5 == 0 ? "Eteläranta" : "Unioninkatu")
            let name = Scenery.drawing(for: place, now: now + Double(seed % 24) * 3600, using: &dice)
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "\(name).svg").path()), "\(name)")
        }
    }
}

@Suite struct ConversationTests {
    @Test func there_is_something_to_write_for_everybody_and_one_thing_to_report() {
        let all = (0..<Neighbour.cast.count).map { Conversation.between($0) }
        let haveLines = all.allSatisfy { !$0.lines.isEmpty && $0.lines.allSatisfy { (1...4000).contains($0.count) } }
        #expect(haveLines)
        #expect(all.contains { $0.reported != nil })
        let areThere = all.allSatisfy { one in one.reported.map { one.lines.indices.contains($0) } ?? true }
        #expect(areThere)
    }
}

@Suite struct PossessionTests {
    private let all = Possession.all
    private let cast = Set(Neighbour.cast.map(\.username))

    @Test func there_is_some_of_each_kind_and_one_draft() {
        let counts = ThingKind.allCases.map { kind in all.count { $0.kind == kind } }
        #expect(counts == [12, 8, 4])
        #expect(all.count { $0.isDraft } == 1)
        #expect(Set(all.map(\.title)).count == all.count)
        #expect(Set(all.compactMap { $0.car?.plate }).count == 12)
        #expect(Set(all.compactMap { $0.deal?.reaches }).count == 4)
    }

    @Test(arguments: Possession.all) func it_is_somebody_s_and_looks_like_something(_ possession: Possession) {
        #expect(cast.contains(possession.owner))
        if let deal = possession.deal { #expect(cast.contains(deal.renter) && deal.renter != possession.owner) }
        #expect(!possession.isDraft || possession.deal == nil)
        #expect((possession.car != nil) == (possession.kind == .car))
        #expect((possession.size != nil) == (possession.kind == .space))
        #expect(possession.title.count <= 120 && !possession.pictures.isEmpty)
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/Demo/pictures")
        for name in possession.pictures {
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "\(name).svg").path()), "\(name)")
        }
    }

    @Test func days_and_hours_are_those_of_the_place() throws {
        let helsinki = try #require(TimeZone(identifier: "Europe/Helsinki"))
        // 22:30 on the 23rd in Greenwich.
        let late = Date(timeIntervalSince1970: 1_795_473_000)
        let (there, here) = (CalendarDays(now: late, zone: helsinki), CalendarDays(now: late, zone: .gmt))
        #expect(here.day(after: 0) == "2026-11-23" && there.day(after: 0) == "2026-11-24")
        #expect(here.hour(after: 2) == "2026-11-24T00:00" && there.hour(after: 0) == "2026-11-24T00:00")
        #expect(here.day(after: 8) == "2026-12-01")
        let running = there.period(for: .parking, .running)
        #expect(running.from == "2026-11-24T00:00" && running.until == "2026-11-24T05:00")
        let today = there.period(for: .car, .returned)
        #expect(today.from == "2026-11-24" && today.until == "2026-11-24")
    }
}
