import DurableMessaging
import Logging
import Messaging
import Postgres
import ServiceKit
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Plates that nobody can read any more, since the key is another one: everything else goes on.
@Suite("Plates and their key")
struct PlateSealTests {
    /// What is logged.
    private final class Lines: Sendable {
        private let kept = Mutex<[String]>([])

        var all: [String] { kept.withLock { $0 } }

        var logger: Logger {
            Logger(label: "listings") { label in
                ServiceLogHandler(service: "listings", label: label, format: .json, level: .info) { line in
                    self.kept.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
                }
            }
        }
    }

    /// The same database, with what a service has that was started with this key.
    private func rentals(_ listings: Listings, key: String, _ logger: Logger = .quiet) -> RentalUseCases {
        let before = listings.rentals
        return RentalUseCases(
            store: RentalStore(
                database: listings.database, people: listings.people,
                seal: PlateSeal(secret: Array(key.utf8), logger: logger)),
            people: before.people, limits: before.limits, askForPhone: before.askForPhone, clock: before.clock)
    }

    private func sealed(_ listings: Listings) async throws -> [UInt8] {
        try await listings.database.query("SELECT plate FROM things")[0].get("plate")
    }

    @Test func aPlateIsReadByItsKeyAndForItsThing() throws {
        let lines = Lines()
        let (one, other) = (ThingID.new(at: noon), ThingID.new(at: noon))
        let seal = PlateSeal(secret: Array("a".utf8), logger: lines.logger)
        let sealed = try seal.seal("SBA1234G", of: one)
        #expect(seal.open(sealed, of: one) == "SBA1234G")
        #expect(lines.all.isEmpty)
        #expect(seal.open(sealed, of: other) == nil && seal.open([], of: one) == nil)
        #expect(seal.open(Array(sealed.dropLast()), of: one) == nil)
        #expect(PlateSeal(secret: Array("b".utf8), logger: .quiet).open(sealed, of: one) == nil)
        #expect(lines.all.count == 1, "\(lines.all)")
        #expect(lines.all.allSatisfy { !$0.contains("SBA1234G") })
    }

    @Test func withAnotherKeyEverythingButThePlateIsThere() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let (lines, before) = (Lines(), try await sealed(listings))
            let later = rentals(listings, key: "a new key", lines.logger)
            for person in [maya, tom, nil] {
                let found = try await later.things(ThingQuery(q: "jazz"), for: Caller(person: person))
                #expect(found.items.map(\.id) == [car] && found.items[0].plate == nil)
            }
            let own = try await later.things(ThingQuery(mine: true), for: Caller(person: maya))
            #expect(own.items.map(\.title) == ["Jazz for the weekend"] && own.items[0].plate == nil)
            let rental = try await later.ask(
                car, RentalDraft(from: "2026-10-01", until: "2026-10-04", message: nil), .from(tom))
            _ = try await later.act(rental.id, .accept, RentalActDraft(), .from(maya))
            #expect(lines.all.count == 1, "\(lines.all)")
            // What others do to it leaves the plate as it lies there: the key may come back.
            try await later.store.transaction { try await $0.moderate(car) { $0.isWithheld = true } }
            try await later.withdraw(car, .from(maya))
            #expect(try await sealed(listings) == before)
            #expect(try await listings.rentals.thing(car, for: Caller(person: maya)).plate == "SBA1234G")
        }
    }

    @Test func itsOwnerIsAskedToGiveItAgain() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let before = try await sealed(listings)
            let later = rentals(listings, key: "a new key")
            let asked = RentalError.invalid([
                FieldError("plate", "required", "A car needs its number plate. Nobody else sees it.")
            ])
            #expect(await rentalRefusal { try await later.change(car, to: carDraft(plate: nil), .from(maya)) } == asked)
            let amended = await rentalRefusal { try await later.amend(car, with: ThingDraft(title: "J"), .from(maya)) }
            #expect(amended == asked)
            #expect(try await sealed(listings) == before)
            let given = try await later.change(car, to: carDraft(), .from(maya))
            #expect(given.plate == "SBA1234G")
            #expect(try await later.thing(car, for: Caller(person: maya)).plate == "SBA1234G")
            #expect(try await sealed(listings) != before)
            let taken = await rentalRefusal { try await later.post(carDraft(), as: nil, .from(tom)) }
            #expect(taken == PlateTaken.refusal, "by the new key's digest it is known again")
            #expect(try await later.withdrawnAndListed(car).state == .listed)
        }
    }

    @Test func aDraftKeepsWhatCantBeRead() async throws {
        try await Listings.with { listings in
            var draft = carDraft()
            draft.isComplete = false
            let car = try await listings.posted(draft).id
            let before = try await sealed(listings)
            let later = rentals(listings, key: "a new key")
            _ = try await later.amend(car, with: ThingDraft(title: "Jazz, later"), .from(maya))
            #expect(try await sealed(listings) == before)
            #expect(await rentalRefusal { try await later.publish(car, .from(maya)) } != nil)
            let back = try await listings.rentals.thing(car, for: Caller(person: maya))
            #expect(back.plate == "SBA1234G" && back.title == "Jazz, later")
        }
    }
}

extension RentalUseCases {
    fileprivate func withdrawnAndListed(_ thing: ThingID) async throws -> Thing {
        try await withdraw(thing, .from(maya))
        return try await publish(thing, .from(maya))
    }
}
