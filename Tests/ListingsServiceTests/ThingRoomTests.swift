import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What rooms about a thing are told of it.
@Suite struct ThingRoomTests {
    private let photos = [String(repeating: "a", count: 64), String(repeating: "b", count: 64)]

    private func asked(_ id: ThingID, by person: PersonID, on listings: Listings) async throws -> RoomSubjectFacts {
        try await listings.rentals.roomSubject(RoomSubjectQuery(subject: Subject(id), viewer: person))
    }

    private func told(on listings: Listings) async throws -> [RoomSubjectFacts] {
        try await listings.told(RoomSubjectChanged.self).map(\.facts)
    }

    private func round(on listings: Listings) async throws {
        _ = try await RentalRounds(store: listings.rentals.store, logger: .quiet).round()
    }

    @Test func whoeverSeesAThingIsToldWhoseItIsAndWhoRentsIt() async throws {
        try await Listings.with { listings in
            var draft = carDraft()
            draft.photos = photos
            let car = try await listings.posted(draft).id
            let free = RoomSubjectFacts(
                title: "Jazz for the weekend", photo: photos[0], owner: maya, partners: [], isOpen: true,
                isOpenToAll: true)
            #expect(try await asked(car, by: lin, on: listings) == free)
            #expect(try await told(on: listings).isEmpty)
            let rental = try await listings.ask(car).id
            #expect(try await asked(car, by: maya, on: listings).partners == [tom])
            _ = try await listings.ask(car, "2026-11-01", "2026-11-02", by: lin)
            #expect(try await asked(car, by: maya, on: listings).partners == [tom, lin].sorted())
            try await listings.act(rental, .cancel, by: tom)
            #expect(try await asked(car, by: maya, on: listings).partners == [lin])
            #expect(try await told(on: listings).map(\.partners) == [[tom], [tom, lin].sorted(), [lin]])
            let headers = try await listings.events(of: RoomSubjectChanged.type)
            #expect(headers.allSatisfy { $0.audience == .nobody && $0.aggregate == "subject/\(car)" })
        }
    }

    @Test func ofWhatSomebodyDoesNotSeeTheyAreToldNothing() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let draft = try await listings.posted(spaceDraft(isComplete: false)).id
            func refused(_ subject: Subject, by person: PersonID = tom) async -> RentalError? {
                await rentalRefusal {
                    try await listings.rentals.roomSubject(RoomSubjectQuery(subject: subject, viewer: person))
                }
            }
            #expect(await refused(Subject(ThingID.new())) == .notFound)
            #expect(await refused(Subject(kind: .spot, id: ID(car.uuid))) == .notFound)
            #expect(await refused(Subject(draft)) == .notFound)
            try await listings.part(maya, lin)
            #expect(await refused(Subject(car), by: lin) == .notFound)
            let subject = Subject(car)
            try await listings.apply(SubjectHidden(subject: subject, hiding: Hiding(at: noon, reason: "No car.")))
            #expect(await refused(Subject(car)) == .notFound)
            let hidden = try await asked(car, by: maya, on: listings)
            #expect(!hidden.isOpen && hidden.title == nil && hidden.photo == nil)
            try await listings.apply(SubjectRestored(subject: subject))
            #expect(try await told(on: listings).map(\.isOpen) == [false, true])
            #expect(try await told(on: listings).map(\.title) == [nil, "Jazz for the weekend"])
        }
    }

    @Test func roomsHearOfNamesAndCoversAndOfTheEnd() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            _ = try await listings.rentals.amend(car, with: ThingDraft(description: "Clean."), .from(maya))
            #expect(try await told(on: listings).isEmpty, "nothing that concerns them")
            _ = try await listings.rentals.amend(car, with: ThingDraft(title: "Jazz", photos: photos), .from(maya))
            _ = try await listings.rentals.amend(car, with: ThingDraft(photos: [photos[0]]), .from(maya))
            try await listings.rentals.withdraw(car, .from(maya))
            _ = try await listings.rentals.publish(car, .from(maya))
            let said = try await told(on: listings)
            #expect(said.map(\.title) == ["Jazz", "Jazz", "Jazz"] && said.first?.photo == photos[0])
            #expect(said.map(\.isOpen) == [true, false, true])
        }
    }

    /// What is withdrawn, or hidden, goes on between the two; and three days after it is back they have nothing to talk about.
    @Test func whoRentsItTalksUntilThreeDaysAfterItIsBack() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            try await listings.rentals.withdraw(car, .from(maya))
            for person in [maya, tom] { #expect(try await asked(car, by: person, on: listings).isOpen) }
            let stranger = await rentalRefusal { try await asked(car, by: lin, on: listings) }
            #expect(stranger == .notFound)
            listings.clock.advance(by: .seconds(10 * 86400))
            try await listings.act(rental, .handOver, by: maya)
            try await listings.act(rental, .giveBack, by: tom)
            listings.clock.advance(by: .seconds(3 * 86400 - 1))
            try await round(on: listings)
            let late = try await asked(car, by: tom, on: listings)
            #expect(late.isOpen && late.partners == [tom])
            listings.clock.advance(by: .seconds(1))
            #expect(try await asked(car, by: maya, on: listings).isOpen == false)
            _ = await atOnce(Array(0..<4)) { _ in try await round(on: listings) }
            let said = try await told(on: listings)
            #expect(said.last?.isOpen == false && said.last?.partners == [])
            #expect(said.map(\.partners) == [[tom], [tom], []])
            let gone = await rentalRefusal { try await asked(car, by: tom, on: listings) }
            #expect(gone == .notFound)
        }
    }

    /// To whoever does not rent it, what is withdrawn or hidden is over.
    @Test func whatIsWithdrawnOrHiddenIsOpenToWhoRentsItAlone() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            _ = try await listings.ask(car)
            try await listings.rentals.withdraw(car, .from(maya))
            let subject = Subject(car)
            try await listings.apply(SubjectHidden(subject: subject, hiding: Hiding(at: noon, reason: "No car.")))
            try await listings.apply(SubjectRestored(subject: subject))
            _ = try await listings.rentals.publish(car, .from(maya))
            let said = try await told(on: listings)
            #expect(said.map(\.isOpenToAll) == [true, false, false, false, true])
            #expect(said.allSatisfy(\.isOpen) && said.allSatisfy { $0.isOpen(to: tom) })
            #expect(said.map { $0.isOpen(to: lin) } == [true, false, false, false, true])
        }
    }

    @Test func timeEndsWhatNobodyAnswers() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            _ = try await listings.ask(car)
            listings.clock.advance(by: .seconds(86400))
            try await round(on: listings)
            try await round(on: listings)
            let said = try await told(on: listings)
            #expect(said.map(\.partners) == [[tom], []] && said.last?.isOpen == true)
        }
    }

    @Test func whoIsSuspendedOrErasedHasNoRoomsAboutThings() async throws {
        try await Listings.with { listings in
            let (car, space) = (
                try await listings.posted(carDraft(isInstant: true)).id, try await listings.posted(spaceDraft()).id
            )
            let rental = try await listings.ask(car).id
            listings.clock.advance(by: .seconds(10 * 86400))
            try await listings.act(rental, .handOver, by: maya)
            try await listings.suspend(maya, until: listings.clock.read() + 3600)
            // Tom has it still, and writes about it; of the other one nobody hears any more.
            #expect(try await asked(car, by: tom, on: listings).isOpen)
            #expect(try await asked(space, by: maya, on: listings).isOpen == false)
            _ = try await listings.rentals.store.transaction { try await $0.erase(maya) }
            let last = try await told(on: listings).last
            #expect(last?.owner == .nobody && last?.isOpen == false)
            #expect(try await asked(car, by: tom, on: listings).isOpen == false)
        }
    }

    @Test func ofARenterWhoIsErasedNothingIsSaid() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            listings.clock.advance(by: .seconds(10 * 86400))
            try await listings.act(rental, .handOver, by: maya)
            _ = try await listings.rentals.store.transaction { try await $0.erase(tom) }
            let last = try await told(on: listings).last
            #expect(last?.partners == [] && last?.isOpen == true)
        }
    }
}
