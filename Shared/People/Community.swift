package import DurableMessaging
package import Messaging
package import Postgres
package import ServiceLifecycle
package import WireProtocol

/// What a service keeps of the community, in its own schema: who people are, who is apart from whom, who is suspended, who moderates.
///
/// Their tables are one migration, and what auth says of them is followed by one call, together with what follows from it in the
/// service's own tables.
package struct Community: Sendable {
    package let people: PeopleProjection
    package let blocks: BlockProjection
    package let suspensions: SuspensionProjection
    /// Nil in a service that tells moderators nothing, and does not have their table.
    package let moderators: ModeratorProjection?

    package init(
        people: PeopleProjection, blocks: BlockProjection, suspensions: SuspensionProjection,
        moderators: ModeratorProjection? = nil
    ) {
        (self.people, self.blocks, self.suspensions) = (people, blocks, suspensions)
        self.moderators = moderators
    }

    /// - Parameters:
    ///   - tellsModerators: whether the service tells moderators something, and so keeps who they are.
    ///   - client: connected to auth.
    package init(
        database: Database, campuses: CampusSeparation, tellsModerators: Bool = true, asking client: RequestClient
    ) {
        self.init(
            people: PeopleProjection(database: database, campuses: campuses, asking: client),
            blocks: BlockProjection(database: database, asking: client),
            suspensions: SuspensionProjection(database: database, asking: client),
            moderators: tellsModerators ? ModeratorProjection(database: database, asking: client) : nil)
    }

    /// Makes all tables at once, in the schema of a service that is new.
    package static func migration(number: Int) -> Migration {
        let parts = steps(from: 1) + [ModeratorProjection.migration(number: 8)]
        return Migration(number, "the community", parts.map(\.sql).joined(separator: ";\n"))
    }

    /// The seven steps of a service that is older than the bundle. Who moderates came later.
    package static func steps(from first: Int) -> [Migration] {
        [
            PeopleProjection.migration(number: first), PeopleProjection.snapshotMigration(number: first + 1),
            PeopleProjection.campusMigration(number: first + 2),
            PeopleProjection.reputationMigration(number: first + 3),
            BlockProjection.migration(number: first + 4), PeopleErasure.migration(number: first + 5),
            SuspensionProjection.migration(number: first + 6),
        ]
    }

    /// What has to run beside the service: fills the tables with what was before.
    package var snapshots: [any Service] {
        var snapshots: [any Service] = [people.snapshot, blocks.snapshot, suspensions.snapshot]
        if let moderators { snapshots.append(moderators.snapshot) }
        return snapshots
    }

    /// What else a service does about two people, or about one, in the transaction that keeps what auth says.
    package typealias OfTwo = @Sendable (BlockedPair, CommandTransaction) async throws -> Void
    package typealias OfOne = @Sendable (PersonID, CommandTransaction) async throws -> Void

    /// Keeps what auth says.
    /// - Parameters:
    ///   - erase: the service's own part, where somebody erases themselves.
    ///   - changed: what else follows where somebody is called something else, or belongs somewhere else.
    ///   - parted: what else follows where two are apart from now on, or together again.
    ///   - suspended: what else follows where somebody is suspended, or may take part again.
    ///   - left: what else follows for somebody who does not moderate, or does so no more.
    package func follow(
        on consumer: DurableConsumer, erase: @escaping PeopleErasure.Erase,
        changed: @escaping OfOne = { _, _ in },
        parted: @escaping OfTwo = { _, _ in }, suspended: @escaping OfOne = { _, _ in },
        left: @escaping OfOne = { _, _ in }
    ) {
        people.follow(on: consumer, changed: changed)
        blocks.follow(on: consumer, changed: parted)
        suspensions.follow(on: consumer, changed: suspended)
        moderators?.follow(on: consumer, left: left)
        let forgetsModerators = moderators != nil
        PeopleErasure.follow(on: consumer) { person, transaction in
            if forgetsModerators { try await ModeratorProjection.forget(person, in: transaction) }
            return try await erase(person, transaction)
        }
    }
}
