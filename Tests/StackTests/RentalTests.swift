import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Cars, spaces and private parking, which people rent to each other: through the gateway, listings, auth and the live stream.
    @Suite(.serialized, .onProcesses) struct RentalTests {
        /// A day in the zone of the community, so many days from today.
        static func day(_ ahead: Int) -> String {
            // Singapore is eight hours ahead, all the year round.
            String(Date(timeIntervalSinceNow: Double(8 * 3600 + ahead * 86400)).ISO8601Format().prefix(10))
        }

        /// A car with a plate that nobody has, and words that no other test uses; region and currency are those of whichever stack this is.
        static func car(
            of owner: KampongClient, _ title: String = "Jazz \(UUID().uuidString.prefix(8))"
        ) async throws -> ThingDraft {
            let about = try await owner.about()
            return ThingDraft(
                title: title, description: "Room for four and a pram.", brand: "Honda", model: "Jazz", plate: plate(),
                region: about.regions.first, place: "Bishan Street 11", address: "Blk 123, #04-56",
                position: Position(latitude: 1.352_13, longitude: 103.848_82),
                price: Money(amount: 5500, currency: about.currency), longest: 14, cancellation: .moderate,
                zone: "Asia/Singapore")
        }

        /// As Singapore's authority makes them: the last letter follows from the others.
        static func plate() -> String {
            let letters = (0..<3).map { _ in "ABCDEFGHJKLMNPQRSTUVWXYZ".randomElement()! }
            let number = Int.random(in: 1000...9999)
            let figures =
                letters.suffix(2).map { Int($0.asciiValue!) - 64 }
                + [number / 1000, number / 100 % 10, number / 10 % 10, number % 10]
            let total = zip(figures, [9, 4, 5, 4, 3, 2]).reduce(0) { $0 + $1.0 * $1.1 }
            return "\(String(letters))\(number)\(Array("AZYXUTSRPMLKJHGEDCB")[total % 19])"
        }

        @Test func a_car_is_found_rented_handed_over_and_given_back_and_both_review_each_other() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let (adas, bens) = (try await ada.me().id, try await ben.me().id)
            _ = try await ada.changeProfile(ProfileChange(phone: "+65 9123 4567"))
            let (atAda, atBen, atEve) = (Listener(ada), Listener(ben), Listener(eve))
            for listener in [atAda, atBen, atEve] { try await listener.connect() }
            var draft = try await Self.car(of: ada)
            draft.photos = [try await ada.uploadPhoto(Picture.jpeg, contentType: "image/jpeg").id]
            let key = UUID().uuidString
            let car = try await ada.postThing(draft, as: .car, key: key)
            #expect(try await ada.postThing(draft, as: .car, key: key) == car)
            #expect(car.state == .listed && car.mine && car.action == .own && car.plate == draft.plate)

            // Everybody finds it, and nobody its door and its plate.
            let stranger = KampongClient(baseURL: try await Community.address)
            let words = try #require(draft.title)
            for client in [ben, stranger] {
                let found = try await client.things(ThingQuery(kind: .car, q: words, sort: .price)).items
                #expect(found.map(\.id) == [car.id])
                let seen = try #require(found.first)
                #expect(seen.plate == nil && seen.address == nil && !seen.isExact && seen.position != draft.position)
                #expect(seen.action == .rent && seen.place == draft.place && seen.photos == draft.photos)
            }
            #expect(try await eve.things(ThingQuery(by: adas)).items.map(\.id) == [car.id])
            #expect(await eventually { atEve.events.contains { $0.name == "thingPosted" && $0.data.contains(words) } })
            #expect(!atEve.events.contains { $0.data.contains("Blk 123") || $0.data.contains(draft.plate ?? "-") })
            #expect(await Result { try await ben.thing(car.id, .space) }.refusal == .notFound)

            let (from, until) = (Self.day(1), Self.day(3))
            let quote = try await stranger.quote(for: car.id, .car, from: from, until: until)
            #expect(quote.units == 3 && quote.cost?.amount == 16500 && quote.isFree)
            let asked = try await ben.rent(
                car.id, .car, RentalDraft(from: from, until: until, message: "For a trip."))
            #expect(asked.state == .requested && asked.role == .renter && asked.cost?.amount == 16500)
            #expect(await eventually { atAda.events.contains { $0.name == "rentalRequested" } })
            #expect(await Result { try await ben.rentalContact(asked.id) }.refusal == .wrongState)
            #expect(await Result { try await eve.rental(asked.id) }.refusal == .notFound)
            #expect(await Result { try await ben.act(.accept, on: asked.id) }.refusal == .wrongState)
            #expect(try await ada.rentals(RentalQuery(role: .owner, thing: car.id)).items.map(\.id) == [asked.id])
            #expect(try await ben.rental(asked.id).thing.address == nil)

            let accepted = try await ada.act(.accept, on: asked.id)
            #expect(accepted.state == .accepted)
            #expect(await eventually { atBen.events.contains { $0.name == "rentalAnswered" } })
            #expect(try await ben.rentalContact(asked.id).phone == "+6591234567")
            #expect(try await ada.rentalContact(asked.id).phone == nil)
            #expect(await Result { try await eve.rentalContact(asked.id) }.refusal == .notFound)
            let rented = try await ben.thing(car.id, .car)
            #expect(rented.address == draft.address && rented.position == draft.position && rented.plate == nil)
            #expect(rented.action == .cancel && rented.rental == asked.id)

            // Nobody else gets a day of it.
            let late = RentalDraft(from: Self.day(3), until: Self.day(4))
            #expect(await Result { try await eve.rent(car.id, .car, late) }.refusal == .overlaps)
            let block = PeriodDraft(from: until, until: until)
            #expect(await Result { try await ada.blockDates(of: car.id, .car, block) }.refusal == .overlaps)
            #expect(try await eve.calendar(of: car.id, .car).taken.map(\.from) == [from])
            let taken = try await eve.quote(for: car.id, .car, from: from, until: from)
            #expect(taken.isFree == false)

            let photo = try await ben.uploadPhoto(Picture.jpeg, contentType: "image/jpeg").id
            let state = RentalActDraft(reason: "A scratch at the left door.", photos: [photo])
            #expect(try await ben.act(.handOver, on: asked.id, state).state == .handedOver)
            let back = try await ada.act(.giveBack, on: asked.id, RentalActDraft(photos: [photo]))
            #expect(back.state == .returned)
            #expect(back.evidence.map(\.by) == [.renter, .owner])
            #expect(back.evidence.map(\.photos) == [[photo], [photo]])
            #expect(await Result { try await ben.rentalContact(asked.id) }.refusal == .wrongState)
            #expect(try await ben.thing(car.id, .car).address == nil)

            let subject = Subject(kind: .rental, id: ID(asked.id.uuid))
            #expect(try await eventually { try await ben.encounters(with: adas).items.map(\.subject) == [subject] })
            _ = try await ben.writeReview(ReviewDraft(subject: subject, rating: 5, text: "A fine car"), about: adas)
            _ = try await ada.writeReview(ReviewDraft(subject: subject, rating: 4, text: "On time"), about: bens)
            #expect(try await stranger.reviews(of: adas).items.map(\.text) == ["A fine car"])
            #expect(!atEve.events.contains { $0.name.hasPrefix("rental") })
        }

        @Test func a_draft_is_seen_by_nobody_and_a_space_has_no_door_until_somebody_rents_it() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let adas = try await ada.me().id
            let title = "Cellar \(UUID().uuidString.prefix(8))"
            let begun = try await ada.postThing(ThingDraft(title: title, isComplete: false), as: .space)
            #expect(begun.state == .draft)
            #expect(await Result { try await ben.thing(begun.id, .space) }.refusal == .notFound)
            #expect(try await ben.things(ThingQuery(kind: .space, q: title)).items.isEmpty)
            #expect(try await ben.things(ThingQuery(by: adas)).items.isEmpty)
            #expect(try await ada.things(ThingQuery(mine: true)).items.map(\.id) == [begun.id])
            #expect(await Result { try await ada.publishThing(begun.id, .space) }.refusal == .invalid)
            let amended = try await ada.amendThing(
                begun.id, .space,
                with: ThingDraft(
                    size: 12, region: try await ada.about().regions.first, place: "Joo Chiat Road",
                    address: "No. 12, cellar 3"))
            #expect(amended.title == title && amended.size == 12 && amended.state == .draft)
            #expect(try await ada.publishThing(begun.id, .space).state == .listed)
            #expect(try await ben.thing(begun.id, .space).address == nil)
            let asked = try await ben.rent(begun.id, .space, RentalDraft(from: Self.day(5), until: Self.day(9)))
            #expect(try await ben.thing(begun.id, .space).address == nil)
            _ = try await ada.act(.accept, on: asked.id)
            #expect(try await ben.thing(begun.id, .space).address == "No. 12, cellar 3")
            #expect(try await ben.rental(asked.id).thing.address == "No. 12, cellar 3")
            try await ada.withdrawThing(begun.id, .space)
            // What was agreed stays agreed.
            #expect(try await ben.thing(begun.id, .space).address == "No. 12, cellar 3")
            #expect(try await ben.act(.cancel, on: asked.id).state == .cancelled)
            let draft = RentalDraft(from: Self.day(5), until: Self.day(6))
            let again = await Result { try await ben.rent(begun.id, .space, draft) }
            #expect(again.refusal == .notFound || again.refusal == .wrongState)
        }

        @Test func what_is_let_to_whoever_asks_is_agreed_at_once_and_dates_can_be_kept() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let about = try await ada.about()
            let garage = try await ada.postThing(
                ThingDraft(
                    title: "Garage", region: about.regions.first, place: "Tiong Bahru", address: "Seng Poh Road 55",
                    price: Money(amount: 250, currency: about.currency), isInstant: true), as: .parking)
            let hours = PeriodDraft(from: "\(Self.day(2))T08:00", until: "\(Self.day(2))T18:00")
            let block = try await ada.blockDates(of: garage.id, .parking, hours)
            let draft = RentalDraft(from: "\(Self.day(2))T17:00", until: "\(Self.day(2))T20:00")
            #expect(await Result { try await ben.rent(garage.id, .parking, draft) }.refusal == .overlaps)
            #expect(try await ben.calendar(of: garage.id, .parking).taken.map(\.block) == [nil])
            #expect(await Result { try await ben.unblockDates(block.id) }.refusal == .notFound)
            try await ada.unblockDates(block.id)
            let agreed = try await ben.rent(garage.id, .parking, draft)
            #expect(agreed.state == .accepted && agreed.units == 3 && agreed.cost?.amount == 750)
            #expect(agreed.thing.address == "Seng Poh Road 55")
        }

        @Test func of_a_hundred_who_ask_for_the_same_days_at_once_one_has_the_car() async throws {
            let ada = try await Community.newcomer("Ada")
            let people = try await Community.newcomers(100)
            var draft = try await Self.car(of: ada)
            draft.isInstant = true
            let car = try await ada.postThing(draft, as: .car).id
            let outcomes = await withTaskGroup(of: Result<Rental, any Error>.self) { group in
                for (number, person) in people.enumerated() {
                    // Not the very same days; but each pair has one in common.
                    let period = RentalDraft(from: Self.day(4 + number % 2), until: Self.day(6 + number % 3))
                    group.addTask { await Result { try await person.rent(car, .car, period) } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let winners = outcomes.compactMap { try? $0.get() }
            #expect(winners.count == 1 && winners.first?.state == .accepted)
            let late = outcomes.count { $0.refusal == .overlaps }
            #expect(late == 99, "\(outcomes.compactMap(\.refusal))")
            #expect(try await ada.rentals(RentalQuery(state: .accepted, thing: car)).items.count == 1)
            #expect(try await ada.calendar(of: car, .car).taken.map(\.rental) == [winners.first?.id])
        }
    }
}
