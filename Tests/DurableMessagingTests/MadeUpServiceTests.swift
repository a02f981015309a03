import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import Messaging

/// A service that no other one knows. What it does for all others it does by the modules that every service stands on; that whoever asks it names
/// nobody, `ServiceListTests` holds true.
@Suite struct MadeUpServiceTests {
    private let ada = PersonID.new()
    private let ben = PersonID.new()
    /// The driver's.
    private static let photo = String(repeating: "a", count: 64)

    private func ask<Parameters, Body, Reply>(
        _ rides: Rides, _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body,
        as role: PeerRole
    ) async throws -> Reply {
        let route = try #require(rides.router.routes[method.name])
        #expect(route.peers.contains(role))
        let envelope = RequestEnvelope(
            id: .version7(), method: method.name, deadline: Date() + 60, caller: Caller(),
            parameters: try WireJSON.encode(parameters), body: try WireJSON.encode(body))
        let raw = try await route.handle(envelope, RequestContext(envelope, from: role))
        return try WireJSON.decode(from: raw.bytes)
    }

    private func published(in database: Database) async throws -> [(header: EventHeader, payload: [UInt8])] {
        let rows = try await database.query(
            "SELECT header::text AS header, payload::text AS payload FROM outbox ORDER BY id")
        return try rows.map { row in
            let header: String = try row.get("header")
            let payload: String = try row.get("payload")
            return (try WireJSON.decode(EventHeader.self, from: Array(header.utf8)), Array(payload.utf8))
        }
    }

    @Test func it_is_exported_kept_from_photo_deletion_reported_and_talked_about() async throws {
        try await Database.withCommunity(Rides.tables) { database in
            let rides = Rides(database)
            let (ride, methods) = (Subject(kind: .thing, id: .new()), Rides.methods)
            try await rides.offer(ride, with: Self.photo, to: ben, request(.version7(), person: ada))
            let archive = try await ask(
                rides, methods.personalData, PersonalDataQuery(person: ada), Nothing(), as: .auth)
            #expect(archive.items == [PersonalRecord(kind: "rides", json: "\"To work\"", photos: [Self.photo])])
            let asked = PhotoUse(photos: [Self.photo, String(repeating: "b", count: 64)])
            let shown = try await ask(rides, methods.photosInUse, Nothing(), asked, as: .gateway)
            #expect(shown.photos == [Self.photo])
            let reported = try await ask(
                rides, methods.subject, SubjectQuery(subject: ride, viewer: ben), Nothing(), as: .auth)
            #expect(reported == SubjectSnapshot(owner: ada, title: "To work"))
            let facts = try await ask(
                rides, methods.roomSubject, RoomSubjectQuery(subject: ride, viewer: ben), Nothing(), as: .chat)
            #expect(facts.owner == ada && facts.isOpen)
            let unknown = SubjectQuery(subject: Subject(kind: .thing, id: .new()), viewer: ben)
            let refused = await thrown(ServiceError.self) {
                try await ask(rides, methods.subject, unknown, Nothing(), as: .auth)
            }
            #expect(refused?.code == .notFound)
        }
    }

    @Test func people_are_told_of_it_and_it_is_erased() async throws {
        try await Database.withCommunity(Rides.tables) { database in
            let rides = Rides(database)
            let ride = Subject(kind: .thing, id: .new())
            try await rides.offer(ride, with: Self.photo, to: ben, request(.version7(), person: ada))
            let offered = try await published(in: database)
            try #require(offered.map(\.header.type) == [RideOffered.type, NoticeRaised.type])
            #expect(offered[0].header.told == true)
            let raised = try WireJSON.decode(NoticeRaised.self, from: offered[1].payload)
            #expect(raised.kind == "rideOffered" && raised.subject == ride && raised.to == .people([ben]))

            let erasure = PersonErased(erasure: .new(), person: ada)
            try await rides.consumer.hear(erasure, at: 1, of: UUID())
            let said = try await published(in: database).dropFirst(2)
            try #require(said.map(\.header.type) == [RoomSubjectChanged.type, PersonalDataErased.type])
            let room = try WireJSON.decode(RoomSubjectChanged.self, from: said[2].payload)
            #expect(room.subject == ride && !room.facts.isOpen)
            let erased = try WireJSON.decode(PersonalDataErased.self, from: said[3].payload)
            #expect(erased.erasure == erasure.erasure && erased.records == [ErasedRecords(.things, 1)])
            #expect(erased.photos == [Self.photo])
            let late = await thrown(ServiceError.self) {
                try await rides.offer(ride, with: nil, to: ben, request(.version7(), person: ada))
            }
            #expect(late?.code == .unauthenticated)
            #expect(try await database.query("SELECT FROM rides").count == 0)
        }
    }
}

/// Somebody takes another one along.
private struct RideOffered: Event {
    static let type = "rideOffered"
    var ride: Subject
    var by: PersonID
    var to: PersonID

    func notices(at moment: Date) -> [NoticeNews] {
        let key = NoticeKey(rawValue: "rideOffered/\(ride.id)")
        let raised = NoticeRaised("rideOffered", key, to: .people([to]), by: by, ride, title: "To work", at: moment)
        return [.raised(raised)]
    }
}

/// The service, but for its sockets.
private struct Rides: Sendable {
    static let methods = CommonMethods(service: "rides")
    static let tables = """
        CREATE TABLE rides (id uuid PRIMARY KEY, driver uuid NOT NULL, title text NOT NULL, photo text);
        \(PeopleErasure.guarding("rides", columns: ["driver"]))
        """

    let people: PeopleProjection
    let consumer: DurableConsumer
    let router: RequestRouter

    init(_ database: Database) {
        let community = Community(
            people: PeopleProjection(database: database, ask: { _ in nil }),
            blocks: BlockProjection(database: database) { _ in Page(items: []) },
            suspensions: SuspensionProjection(database: database))
        people = community.people
        consumer = DurableConsumer(database: database)
        community.follow(on: consumer, erase: { try await Self.erase($0, in: $1) })
        var router = RequestRouter(service: "rides")
        let own = PersonalSections([.init("rides") { person, _ in try await Self.records(of: person, in: database) }])
        router.on(Self.methods.personalData) { query, _, _ in try await own.page(query) }
        router.on(Self.methods.photosInUse) { _, asked, _ in
            let rows = try await database.query("SELECT photo FROM rides WHERE photo = ANY(\(asked.photos))")
            let photos: [String] = try rows.map { try $0.get("photo") }
            return PhotoUse(photos: photos)
        }
        router.on(Self.methods.subject) { query, _, _ in
            let ride = try await Self.ride(query.subject, in: database)
            return SubjectSnapshot(owner: ride.driver, title: ride.title)
        }
        router.on(Self.methods.roomSubject) { query, _, _ in
            let ride = try await Self.ride(query.subject, in: database)
            return RoomSubjectFacts(title: ride.title, photo: nil, owner: ride.driver, partners: [], isOpen: true)
        }
        self.router = router
    }

    /// The command that it has of its own.
    func offer(_ ride: Subject, with photo: String?, to other: PersonID, _ request: RequestContext) async throws {
        _ = try await people.command(request) { transaction, person, _ in
            try await transaction.query(
                """
                INSERT INTO rides (id, driver, title, photo) VALUES (\(ride.id), \(person), 'To work', \(photo))
                """)
            let event = RideOffered(ride: ride, by: person, to: other)
            transaction.publish(event, about: "ride/\(ride.id)", to: .people([other]))
            return Nothing()
        }
    }

    private static func ride(
        _ subject: Subject, in database: Database
    ) async throws -> (driver: PersonID, title: String) {
        let rows = try await database.query("SELECT driver, title FROM rides WHERE id = \(subject.id)")
        guard let row = rows.first else { throw ServiceError.notFound("ride") }
        return (try row.get("driver"), try row.get("title"))
    }

    private static func records(of person: PersonID, in database: Database) async throws -> Page<PersonalRecord> {
        let rows = try await database.query("SELECT title, photo FROM rides WHERE driver = \(person)")
        let records = try rows.map { row in
            let (title, photo): (String, String?) = (try row.get("title"), try row.get("photo"))
            return PersonalRecord(kind: "rides", json: "\"\(title)\"", photos: [photo].compactMap(\.self))
        }
        return Page(items: records)
    }

    /// Its part of an erasure. What rooms are about is over.
    private static func erase(
        _ person: PersonID, in transaction: CommandTransaction
    ) async throws -> (records: [ErasedRecords], photos: [String]) {
        let rows = try await transaction.query("DELETE FROM rides WHERE driver = \(person) RETURNING id, photo")
        var photos: [String] = []
        for row in rows {
            let ride = Subject(kind: .thing, id: try row.get("id"))
            let facts = RoomSubjectFacts(title: nil, photo: nil, owner: person, partners: [], isOpen: false)
            transaction.publish(
                RoomSubjectChanged(subject: ride, facts: facts), about: "subject/\(ride.id)", to: .nobody)
            let photo: String? = try row.get("photo")
            photos += [photo].compactMap(\.self)
        }
        return ([ErasedRecords(.things, rows.count)], photos)
    }
}
