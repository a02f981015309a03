import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Standing searches: through the gateway, matching, listings, notification and the live stream.
    @Suite(.serialized, .onProcesses) struct WantedTests {
        @Test func a_car_that_somebody_looks_for_is_told_of_once_and_leads_there() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let (word, bens) = (Searches.word(), try await ben.me().id)
            let (atAda, atBen, atEve) = (Listener(ada), Listener(ben), Listener(eve))
            for listener in [atAda, atBen, atEve] { try await listener.connect() }
            let (draft, key) = (WantedDraft(query: Searches.cars(word)), UUID().uuidString)
            let estimate = try await ada.estimateWanted(draft)
            #expect(estimate.fitting == 0 && !estimate.isTooWide)
            let wanted = try await ada.postWanted(draft, key: key)
            #expect(try await ada.postWanted(draft, key: key) == wanted)
            #expect(wanted.state == .live && wanted.found == 0 && wanted.query.things?.brand == "Honda")
            let days = wanted.expiresAt.timeIntervalSinceNow / 86_400
            #expect((59...61).contains(days))
            #expect(try await ada.allWanted().items.map(\.id) == [wanted.id])
            // Nobody is told of what is their own.
            let own = try await Searches.look(ben, for: Searches.cars(word))

            var offered = try await RentalTests.car(of: ben, "Jazz \(word)")
            offered.brand = "Toyota"
            offered.model = "Yaris"
            let other = Subject(try await ben.postThing(offered, as: .car).id)
            let car = try await ben.postThing(try await RentalTests.car(of: ben, "Jazz \(word)"), as: .car)
            let subject = Subject(car.id)
            #expect(await eventually { atAda.found(subject) == 1 })
            #expect(try await Searches.hears([subject], ada))
            let notice = try #require(try await Searches.told(ada).first)
            #expect(notice.kind == .thingFound && notice.title == car.title && notice.actor?.id == bens)
            #expect(notice.link == "/things/\(car.id)?found=yes" && notice.readAt == nil && notice.variant == "car")
            let found = try await ada.wanted(wanted.id)
            #expect(found.found == 1 && found.lastFoundAt != nil && found.version == wanted.version)
            #expect(try await Searches.finds(wanted.id, of: ada) == [subject])
            #expect(try await ada.wantedFinders(of: subject).items.map(\.id) == [wanted.id])
            #expect(try await ada.wantedFinders(of: other).items.isEmpty)
            // It is there already: who makes such a search now is shown it, and not told.
            #expect(try await eve.estimateWanted(draft).fitting == 1)
            #expect(try await ben.wanted(own).found == 0)

            try await unseen(wanted.id, subject, by: eve, atEve)
            #expect(!atBen.heardOfSearches)
            #expect(try await Searches.told(ben).isEmpty)

            try await ben.withdrawThing(car.id, .car)
            #expect(await eventually { atAda.found(subject, isGone: true) == 1 })
            #expect(try await eventually { try await Searches.told(ada, unread: true).isEmpty })
            #expect(try await Searches.finds(wanted.id, of: ada).isEmpty)
            #expect(atAda.found(subject) == 1)
            let after = try await ada.wantedFinds(WantedFindQuery(id: wanted.id)).items
            #expect(after.map { $0.thing == nil } == [true])

            try await ada.removeWanted(wanted.id)
            #expect(await Result { try await ada.wanted(wanted.id) }.refusal == .notFound)
            #expect(try await ada.allWanted().items.isEmpty)
        }

        /// What somebody looks for is theirs alone: a stranger is answered as if it were not there.
        private func unseen(
            _ id: WantedID, _ subject: Subject, by eve: KampongClient, _ atEve: Listener
        ) async throws {
            #expect(try await eve.allWanted().items.isEmpty)
            #expect(try await eve.wantedFinders(of: subject).items.isEmpty)
            let paused = WantedChange(isPaused: true)
            #expect(await Result { try await eve.wanted(id) }.refusal == .notFound)
            #expect(await Result { try await eve.wantedFinds(WantedFindQuery(id: id)) }.refusal == .notFound)
            #expect(await Result { try await eve.changeWanted(id, paused) }.refusal == .notFound)
            #expect(await Result { try await eve.renewWanted(id) }.refusal == .notFound)
            // Whether there was one to remove is not said.
            let removed = await Result { try await eve.removeWanted(id) }
            #expect(removed.refusal == nil || removed.refusal == .notFound)
            #expect(!atEve.heardOfSearches)
            #expect(try await Searches.told(eve).isEmpty)
            let stranger = KampongClient(baseURL: try await Community.address)
            #expect(await Result { try await stranger.allWanted() }.refusal == .unauthenticated)
            #expect(await Result { try await stranger.wanted(id) }.refusal == .unauthenticated)
        }

        @Test func a_spot_is_told_of_once_for_two_searches_and_taken_back_when_it_is_claimed() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let place = Community.someWhere()
            let atAda = Listener(ada)
            try await atAda.connect()
            let narrow = try await Searches.look(ada, for: Searches.spots(near: place))
            let wide = try await Searches.look(ada, for: Searches.spots(near: place, radius: 5000))
            let away = Position(latitude: place.latitude + 0.5, longitude: place.longitude)
            let far = try await Searches.look(ada, for: Searches.spots(near: away))
            let spot = try await ben.postSpot(Community.draft("By the mill", at: place))
            let subject = Subject(spot.id)
            #expect(await eventually { atAda.found(subject) == 1 })
            #expect(try await Searches.hears([subject], ada))
            let notice = try #require(try await Searches.told(ada).first)
            #expect(notice.kind == .spotFound && notice.title == "By the mill")
            #expect(notice.link == "/spots/\(spot.id)?found=yes")
            for id in [narrow, wide] {
                #expect(try await ada.wanted(id).found == 1)
                #expect(try await Searches.finds(id, of: ada) == [subject])
            }
            #expect(try await ada.wanted(far).found == 0)
            #expect(Set(try await ada.wantedFinders(of: subject).items.map(\.id)) == [narrow, wide])

            _ = try await eve.claim(spot.id)
            #expect(await eventually { atAda.found(subject, isGone: true) == 1 })
            #expect(try await eventually { try await Searches.told(ada, unread: true).isEmpty })
            #expect(try await Searches.finds(narrow, of: ada).isEmpty)
            #expect(atAda.found(subject) == 1)
        }

        @Test func while_it_is_paused_nothing_is_told_and_what_came_then_is_shown() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let word = Searches.word()
            let wanted = try await ada.postWanted(WantedDraft(query: Searches.spaces(word)))
            #expect(try await ada.changeWanted(wanted.id, WantedChange(isPaused: true)).state == .paused)
            let meanwhile = Subject(try await Searches.shareSpace("Cellar \(word)", by: ben).id)
            #expect(try await ada.changeWanted(wanted.id, WantedChange(isPaused: false)).state == .live)
            let after = Subject(try await Searches.shareSpace("Attic \(word)", by: ben).id)
            #expect(try await Searches.hears([after], ada))
            #expect(Set(try await Searches.finds(wanted.id, of: ada)) == [after, meanwhile])
            #expect(try await ada.wanted(wanted.id).found == 1)

            // It looks for something else by then.
            let other = Searches.word()
            let changed = try await ada.changeWanted(
                wanted.id, WantedChange(query: Searches.spaces(other), version: wanted.version))
            #expect(changed.query.things?.q == other && changed.version != wanted.version)
            let late = WantedChange(query: Searches.spaces(word), version: wanted.version)
            #expect(await Result { try await ada.changeWanted(wanted.id, late) }.refusal == .changedMeanwhile)
            _ = try await Searches.shareSpace("Garage \(word)", by: ben)
            let fitting = Subject(try await Searches.shareSpace("Shed \(other)", by: ben).id)
            #expect(try await Searches.hears([fitting, after], ada))
            #expect(try await ada.renewWanted(wanted.id).expiresAt >= wanted.expiresAt)
        }

        @Test func nobody_is_told_of_those_from_whom_they_are_apart() async throws {
            let (ada, ben, cem) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Cem")
            )
            let (word, bens) = (Searches.word(), try await ben.me().id)
            let id = try await Searches.look(ada, for: Searches.spaces(word))
            let before = try await Searches.shareSpace("Cellar \(word)", by: ben).id
            #expect(try await Searches.hears([Subject(before)], ada))
            _ = try await ada.block(bens)
            #expect(await eventually { await Result { try await ada.thing(before, .space) }.refusal == .notFound })
            _ = try await Searches.shareSpace("Barn \(word)", by: ben)
            let fitting = Subject(try await Searches.shareSpace("Attic \(word)", by: cem).id)
            // What he had shared before is no news any more, either.
            #expect(try await eventually { try await Searches.told(ada).map(\.subject) == [fitting] })
            #expect(try await Searches.finds(id, of: ada) == [fitting])
        }

        @Test func nobody_looks_for_more_than_twenty_things_and_what_is_no_search_says_why() async throws {
            let ada = try await Community.newcomer("Ada")
            for _ in 0..<20 { _ = try await Searches.look(ada, for: Searches.spaces(Searches.word())) }
            let more = await Result { try await Searches.look(ada, for: Searches.spaces(Searches.word())) }
            #expect(more.refusal == "too_many_wanted")
            let first = try await ada.allWanted(WantedListQuery(limit: 15))
            let rest = try await ada.allWanted(WantedListQuery(limit: 15, cursor: first.next))
            #expect(Set((first.items + rest.items).map(\.id)).count == 20 && rest.next == nil)
            for query in [
                WantedQuery(spots: SpotQuery()), WantedQuery(things: ThingQuery(q: "a car of any kind")),
                WantedQuery(things: ThingQuery(kind: .car, from: RentalTests.day(3))),
            ] {
                #expect(await Result { try await ada.estimateWanted(WantedDraft(query: query)) }.refusal == .invalid)
            }
        }
    }
}
