import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// Things and agreements in the tables `things`, `rentals`, `rental_evidence` and `occupied`.
struct RentalStore: TransactionStore {
    let database: Database
    let people: PeopleProjection
    let seal: PlateSeal
    /// How many different plates a person may give in a day.
    var plateTries = 20

    // MARK: Reading

    func thing(
        _ id: ThingID, as kind: ThingKind? = nil, for viewer: ThingViewer, at now: Date
    ) async throws -> SeenThing? {
        let rows = try await database.read(viewer.thing(id, at: now, people.campuses))
        guard let seen = try rows.first.map({ try SeenThing($0, seal, at: now) }), seen.isOf(kind) else { return nil }
        return seen
    }

    /// Whether neither of the two has blocked the other.
    func areTogether(_ one: PersonID, _ other: PersonID) async throws -> Bool {
        try await database.read(Self.togetherness(of: one, other))[0].get("together")
    }

    static func togetherness(of one: PersonID, _ other: PersonID) -> SQLQuery {
        "SELECT \(BlockProjection.isTogetherHere("\(other)", with: one)) AS together"
    }

    func things(_ page: ThingPage, for viewer: PersonID?, at now: Date) async throws -> [SeenThing] {
        let statement = page.statement(for: viewer, at: now, people.campuses)
        let rows = try await page.words.isEmpty ? database.read(statement) : withBitmaps(statement)
        return try rows.map { try SeenThing($0, seal, at: now, measured: page.near != nil) }
    }

    /// By which clocks things of these kinds are let: a step of the index for each.
    func clocks(of kinds: [ThingKind]) async throws -> [ThingClock] {
        try await database.read(
            """
            WITH RECURSIVE clocks AS (
                SELECT kind, (SELECT min(things.zone) FROM things WHERE things.kind = kinds.kind) AS zone
                FROM unnest(\(kinds.map(\.rawValue))::text[]) AS kinds (kind)
                UNION ALL
                SELECT kind, (SELECT min(things.zone) FROM things WHERE things.kind = clocks.kind AND things.zone > clocks.zone)
                FROM clocks WHERE zone IS NOT NULL
            )
            SELECT kind, zone FROM clocks WHERE zone IS NOT NULL
            """
        ).map { ThingClock(kind: try ThingKind.stored($0.get("kind")), zone: try $0.get("zone")) }
    }

    /// Indexes of words and of photos answer by bitmaps only, which connections of this service are told to leave (SpotPage.unsuitable).
    func withBitmaps(_ statement: SQLQuery) async throws -> PostgresRows {
        try await database.transaction { transaction in
            try await transaction.pipeline(["SET LOCAL enable_bitmapscan = on", statement])[1]
        }
    }

    /// In order; at most one more than an answer holds.
    func taken(_ thing: ThingID, from: Date, until: Date) async throws -> [Occupation] {
        try await database.read(
            """
            SELECT occupied.id, occupied.starts, occupied.until, lower(period) AS starts_at, rental, rentals.renter
            FROM occupied LEFT JOIN rentals ON rentals.id = rental
            WHERE occupied.thing = \(thing) AND period && tstzrange(\(from), \(until))
            ORDER BY period LIMIT \(unescaped: "\(Occupation.most + 1)")
            """
        ).map {
            Occupation(
                id: try $0.get("id"), from: try $0.get("starts"), until: try $0.get("until"),
                startsAt: try $0.get("starts_at"),
                rental: try $0.get("rental"), renter: try $0.get("renter"))
        }
    }

    func isFree(_ thing: ThingID, _ period: RentalPeriod) async throws -> Bool {
        try await database.read(Self.freedom(of: thing, period))[0].get("is_free")
    }

    func own(of thing: ThingID, by person: PersonID) async throws -> [OwnPeriod] {
        try await database.read(OwnPeriod.selection(of: thing, by: person)).map { try OwnPeriod($0) }
    }

    static func freedom(of thing: ThingID, _ period: RentalPeriod) -> SQLQuery {
        """
        SELECT NOT EXISTS (
            SELECT FROM occupied
            WHERE thing = \(thing) AND period && tstzrange(\(period.startsAt), \(period.endsAt))) AS is_free
        """
    }

    /// One that this person has to do with; of moderators, one that is or was disputed.
    func agreement(_ id: RentalID, for person: PersonID, isModerator: Bool) async throws -> Agreement? {
        let rows = try await database.read(Self.selection(id, for: person, isModerator: isModerator))
        return try await withEvidence(try rows.map(Agreement.init)).first
    }

    func agreements(_ page: AgreementPage) async throws -> [Agreement] {
        try await withEvidence(try await database.read(page.statement).map(Agreement.init))
    }

    /// Things of these agreements, for their doors.
    func things(of agreements: [Agreement]) async throws -> [ThingID: RentableThing] {
        let ids = Array(Set(agreements.map(\.thing)))
        if ids.isEmpty { return [:] }
        let things = try await database.read(
            "SELECT \(RentableThing.columns) FROM things WHERE id = ANY(\(ids))"
        ).map { try RentableThing($0, seal) }
        return Dictionary(things.map { ($0.id, $0) }) { one, _ in one }
    }

    func photos(among photos: [String]) async throws -> [String] {
        try await withBitmaps(
            """
            SELECT photo FROM (
                SELECT unnest(photos) AS photo FROM things WHERE photos && \(photos)::text[]
                UNION SELECT unnest(photos) FROM rental_evidence WHERE photos && \(photos)::text[]
                UNION SELECT photo FROM rentals WHERE photo = ANY(\(photos)::text[])
            ) AS used WHERE photo = ANY(\(photos)::text[])
            """
        ).map { try $0.get("photo") }
    }

    static func selection(_ id: RentalID, for person: PersonID, isModerator: Bool) -> SQLQuery {
        let more: SQLQuery = isModerator ? "OR state IN ('disputed', 'settled')" : ""
        return """
            SELECT \(Agreement.columns) FROM rentals
            WHERE id = \(id) AND (owner = \(person) OR renter = \(person) \(more))
            """
    }

    func withEvidence(_ agreements: [Agreement]) async throws -> [Agreement] {
        if agreements.isEmpty { return [] }
        let rows = try await database.read(Self.evidence(of: agreements))
        return try Self.adding(rows, to: agreements)
    }

    static func evidence(of agreements: [Agreement]) -> SQLQuery {
        """
        SELECT rental, role, act, photos, note, made_at FROM rental_evidence
        WHERE rental = ANY(\(agreements.map(\.id))) ORDER BY made_at, role, number
        """
    }

    static func adding(_ rows: PostgresRows, to agreements: [Agreement]) throws -> [Agreement] {
        let shown = try Dictionary(
            grouping: rows.map { (try $0.get("rental", as: RentalID.self), try RentalEvidence($0)) }, by: \.0)
        return agreements.map { one in
            var one = one
            one.evidence = shown[one.id]?.map(\.1) ?? []
            return one
        }
    }

    // MARK: Writing

    /// Does what a person asked for (`PeopleProjection.command`).
    /// - Parameter first: first statements, whose answers `body` gets: they cost no round trip of their own.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext,
        asking first: @Sendable @escaping (PersonID, _ now: Date) -> [SQLQuery] = { _, _ in [] },
        _ body: @Sendable @escaping (RentalTransaction, PersonID, [PostgresRows]) async throws -> Reply
    ) async throws -> Reply {
        do {
            return try await people.command(request, asking: first, meaning: Self.refusal(of:)) {
                try await body(rentals(in: $0), $1, $2)
            }
        } catch let taken as PlateTaken {
            // What was refused is undone, and counts all the same.
            try await transaction { try await $0.note(taken) }
            throw PlateTaken.refusal
        }
    }

    @Sendable private static func refusal(of error: PostgresError) -> (any Refusal)? {
        switch error.constraint {
        case "occupied_once": RentalError.overlaps
        case "rentals_asked_once": RentalError.alreadyAsked(nil)
        case ListingsSchema.keptZone: RentalError.zoneInUse
        default: nil
        }
    }

    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (RentalTransaction) async throws -> Result
    ) async throws -> Result {
        try await database.transaction { try await body(rentals(in: $0)) }
    }

    func rentals(in transaction: CommandTransaction) -> RentalTransaction {
        RentalTransaction(transaction: transaction, people: people, seal: seal, plateTries: plateTries)
    }
}

/// A period in which nobody else can have a thing.
struct Occupation: Hashable, Sendable {
    /// In one answer; more than there are days in the longest that is asked for.
    static let most = 1000

    var id: DateBlockID
    var from: String
    var until: String
    var startsAt: Date
    var rental: RentalID?
    var renter: PersonID?
}
