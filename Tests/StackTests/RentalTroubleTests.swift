import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Disputes, and people who want to have nothing to do with each other any more.
    @Suite(.serialized, .onProcesses) struct RentalTroubleTests {
        @Test(.onlyOnOwnStack) func a_dispute_is_settled_by_a_moderator_and_by_nobody_else() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let mod = try await ModerationTests.moderator()
            // The token says it from the next one on.
            try await mod.refresh()
            let car = try await ada.postThing(RentalTests.car(of: ada), as: .car).id
            let draft = RentalDraft(from: RentalTests.day(1), until: RentalTests.day(2))
            let rental = try await ben.rent(car, .car, draft).id
            _ = try await ada.act(.accept, on: rental)
            _ = try await ben.act(.handOver, on: rental)
            #expect(await Result { try await mod.rental(rental) }.refusal == .notFound)
            #expect(await Result { try await ben.act(.dispute, on: rental) }.refusal == .invalid)
            let disputed = try await ben.act(.dispute, on: rental, RentalActDraft(reason: "The brakes fail."))
            #expect(disputed.state == .disputed && disputed.reason == "The brakes fail.")
            func waiting() async throws -> [InboxNotice] {
                try await mod.notifications(unread: true).items.filter { $0.subject.id == ID(rental.uuid) }
            }
            #expect(try await eventually { try await waiting().map(\.kind) == [.rentalDisputed] })
            #expect(try await waiting().map(\.link) == ["/rentals/\(rental)"])

            #expect(await Result { try await ben.rentals(RentalQuery(disputed: true)) }.refusal == .forbidden)
            let seen = try await mod.rentals(RentalQuery(disputed: true, limit: 100)).items.first { $0.id == rental }
            #expect(seen?.role == nil && seen?.possible == [.settle] && seen?.thing.address == nil)
            let settlement = RentalActDraft(reason: "Half each.", share: 50)
            for client in [ada, ben] {
                #expect(await Result { try await client.act(.settle, on: rental, settlement) }.refusal == .wrongState)
            }
            let settled = try await mod.act(.settle, on: rental, settlement)
            #expect(settled.state == .settled && settled.owed?.amount == 5500)
            #expect(try await eventually { try await waiting().isEmpty })
            #expect(try await ben.rental(rental).owed?.amount == 5500)
            let late = await Result { try await mod.act(.settle, on: rental, settlement) }
            #expect(late.refusal == .wrongState)
        }

        @Test func what_the_owner_has_changed_is_not_agreed_unseen() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let car = try await ada.postThing(RentalTests.car(of: ada), as: .car).id
            let seen = try await ben.thing(car, .car).terms
            let currency = try await ada.about().currency
            let dearer = ThingDraft(price: Money(amount: 9900, currency: currency), isInstant: true)
            _ = try await ada.amendThing(car, .car, with: dearer)
            var draft = RentalDraft(from: RentalTests.day(4), until: RentalTests.day(5), expected: seen)
            do {
                _ = try await ben.rent(car, .car, draft)
                Issue.record("agreed unseen")
            } catch let problem as Problem {
                #expect(problem.code == .termsChanged && problem.status == 409)
                #expect(problem.errors.map(\.field) == ["expected.price", "expected.isInstant"])
                #expect(problem.errors.map(\.code) == ["9900 \(currency)", "true"])
            }
            #expect(try await ben.rentals(RentalQuery(thing: car)).items.isEmpty)
            draft.expected = try await ben.thing(car, .car).terms
            #expect(try await ben.rent(car, .car, draft).state == .accepted)
        }

        @Test func what_was_shown_is_what_is_done_and_the_same_days_are_asked_for_once() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let car = try await ada.postThing(RentalTests.car(of: ada), as: .car)
            let draft = RentalDraft(from: RentalTests.day(4), until: RentalTests.day(5))
            let asked = try await ben.rent(car.id, .car, draft).id
            do {
                _ = try await ben.rent(car.id, .car, draft)
                Issue.record("asked twice")
            } catch let problem as Problem {
                #expect(problem.code == .alreadyAsked && problem.errors.map(\.code) == [asked.description])
            }
            _ = try await ada.act(.accept, on: asked)
            let shown = RentalActDraft(expected: RentalExpectation(state: .requested, owed: 0))
            #expect(await Result { try await ben.act(.cancel, on: asked, shown) }.refusal == .termsChanged)
            #expect(try await ben.rental(asked).state == .accepted)

            let first = ThingDraft(title: "Jazz, quiet", version: car.version)
            #expect(try await ada.amendThing(car.id, .car, with: first).version != car.version)
            let second = ThingDraft(title: "Jazz, loud", version: car.version)
            #expect(
                await Result { try await ada.amendThing(car.id, .car, with: second) }.refusal == .changedMeanwhile)
            #expect(try await ben.thing(car.id, .car).version == nil)
        }

        @Test func nobody_erases_themselves_with_what_is_anothers() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let car = try await ada.postThing(RentalTests.car(of: ada), as: .car).id
            let draft = RentalDraft(from: RentalTests.day(1), until: RentalTests.day(2))
            let rental = try await ben.rent(car, .car, draft).id
            _ = try await ada.act(.accept, on: rental)
            _ = try await ben.act(.handOver, on: rental)
            for client in [ada, ben] {
                do {
                    _ = try await client.eraseMe(password: "eight or more")
                    Issue.record("gone with it")
                } catch let problem as Problem {
                    #expect(problem.code == .inHand && problem.errors.map(\.code) == [rental.description])
                }
                _ = try await client.me()
            }
            // Ben's word alone is not enough.
            _ = try await ben.act(.giveBack, on: rental)
            #expect(await Result { try await ben.eraseMe(password: "eight or more") }.refusal == .inHand)
            _ = try await ada.act(.giveBack, on: rental)
            _ = try await ben.eraseMe(password: "eight or more")
        }

        @Test func a_block_ends_what_one_sees_of_the_other_and_can_ask_of_them() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let bens = try await ben.me().id
            _ = try await ada.changeProfile(ProfileChange(phone: "+65 9123 4567"))
            let (car, other) = (
                try await ada.postThing(RentalTests.car(of: ada), as: .car).id,
                try await ada.postThing(RentalTests.car(of: ada), as: .car).id
            )
            let draft = RentalDraft(from: RentalTests.day(8), until: RentalTests.day(9))
            let rental = try await ben.rent(car, .car, draft).id
            _ = try await ada.act(.accept, on: rental)
            #expect(try await ben.rentalContact(rental).phone != nil)
            let atBen = Listener(ben)
            try await atBen.connect()
            _ = try await ada.block(bens)
            #expect(await eventually { await Result { try await ben.thing(other, .car) }.refusal == .notFound })
            #expect(await Result { try await ben.rent(other, .car, draft) }.refusal == .notFound)
            let quote = await Result {
                try await ben.quote(for: other, .car, from: draft.from, until: draft.until)
            }
            #expect(quote.refusal == .notFound)
            // What was agreed is there until one of them calls it off, without the other one's name and number.
            let left = try await ben.rental(rental)
            #expect(left.state == .accepted && left.owner.name != "Ada")
            #expect(try await ben.rentalContact(rental).phone == nil)
            _ = try await ada.amendThing(other, .car, with: ThingDraft(title: "Words after the block"))
            #expect(try await ben.act(.cancel, on: rental).state == .cancelled)
            #expect(await eventually { await Result { try await ben.thing(car, .car) }.refusal == .notFound })
            #expect(!atBen.events.contains { $0.data.contains("Words after the block") })
        }
    }
}
