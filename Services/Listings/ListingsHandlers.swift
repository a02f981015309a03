import DurableMessaging
import People
import WireProtocol

/// What auth says of people and of what moderators decide, and what becomes of it in every vertical.
struct ListingsHandlers: Sendable {
    let spots: SpotStore
    let rentals: RentalStore
    let limits: SpotLimits
    /// Of one person at once; the rounds take what is left.
    private static let mostOfOne = 1000

    func follow(_ community: Community, on consumer: DurableConsumer) {
        community.follow(
            on: consumer,
            erase: { person, transaction in
                let ofSpots = try await spots.spots(in: transaction).erase(person, within: limits)
                let ofThings = try await rentals.rentals(in: transaction).erase(person)
                let records = ErasedRecords.sum(ofSpots.records + ofThings.records)
                return (records, Set(ofSpots.photos + ofThings.photos).sorted())
            },
            changed: { person, transaction in
                try await rentals.rentals(in: transaction).tellSearchesOfMoved(person)
                try await spots.spots(in: transaction).tellSearchesOfMoved(person)
            },
            suspended: { person, transaction in
                _ = try await rentals.rentals(in: transaction).reconcile(person, atMost: Self.mostOfOne)
                _ = try await spots.spots(in: transaction).reconcile(person, atMost: Self.mostOfOne, within: limits)
            })
        consumer.on(SubjectHidden.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            if let id = event.subject.moderated(as: Spot.self) {
                let onMap = spots.spots(in: transaction)
                try await onMap.moderate(id) { $0.hide(event.hiding, at: onMap.now) }
            }
            if let id = event.subject.moderated(as: Thing.self) {
                try await rentals.rentals(in: transaction).moderate(id) { $0.hidden = event.hiding }
            }
        }
        consumer.on(SubjectRestored.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            if let id = event.subject.moderated(as: Spot.self) {
                let onMap = spots.spots(in: transaction)
                try await onMap.moderate(id) { $0.restore(at: onMap.now) }
            }
            if let id = event.subject.moderated(as: Thing.self) {
                try await rentals.rentals(in: transaction).moderate(id) { $0.hidden = nil }
            }
        }
    }
}

extension Subject {
    /// Its id, where it is of this kind, or may be: cases from before spots and things were told apart call both posts.
    fileprivate func moderated<Entity: SubjectEntity>(as entity: Entity.Type) -> ID<Entity>? {
        kind == .post ? ID<Entity>(id.uuid) : id(of: entity)
    }
}

extension ErasedRecords {
    /// One line for each kind, in the order in which they come first.
    static func sum(_ records: [ErasedRecords]) -> [ErasedRecords] {
        records.reduce(into: []) { sum, record in
            if let index = sum.firstIndex(where: { $0.kind == record.kind }) {
                sum[index].count += record.count
            } else {
                sum.append(record)
            }
        }
    }
}
