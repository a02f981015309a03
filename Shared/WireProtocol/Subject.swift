// Things that others name without having them: what is reported, written about, completed, or told of.

/// A thing of some service, by its kind and its id.
public struct Subject: Codable, Hashable, Sendable {
    public var kind: SubjectKind
    public var id: ID<Subject>

    public init(kind: SubjectKind, id: ID<Subject>) {
        self.kind = kind
        self.id = id
    }

    enum CodingKeys: String, CodingKey { case kind, id }
}

/// What a subject is. A vertical more adds its kinds here.
public enum SubjectKind: String, Codable, CaseIterable, Hashable, Sendable {
    case person
    /// A parking spot that somebody shares.
    case spot
    /// A car, a space or private parking that somebody lets.
    case thing
    /// An agreement about a thing.
    case rental
    /// A ride that somebody drives and has seats in, and a request for seats in it.
    case ride, seat
    /// What somebody wants brought, and one who brings it, or is asked to.
    case order, match
    /// What somebody offers to bring along.
    case availability
    /// A standing search.
    case wanted
    /// In a chat, one of its messages.
    case room, message
    case review
    /// What auth tells somebody of what moderators did.
    case notice
    /// A spot or a thing, as apps reported both before their kinds were told apart. Nothing is named so that is new.
    case post

    /// What somebody shares.
    package static let shared: [SubjectKind] = [.spot, .thing, .ride]
}

/// What a subject can be: its ids are those of one kind.
package protocol SubjectEntity {
    static var subjectKind: SubjectKind { get }
}

extension Person: SubjectEntity { package static let subjectKind = SubjectKind.person }
extension Spot: SubjectEntity { package static let subjectKind = SubjectKind.spot }
extension Thing: SubjectEntity { package static let subjectKind = SubjectKind.thing }
extension Rental: SubjectEntity { package static let subjectKind = SubjectKind.rental }
extension Ride: SubjectEntity { package static let subjectKind = SubjectKind.ride }
extension SeatRequest: SubjectEntity { package static let subjectKind = SubjectKind.seat }
extension DeliveryOrder: SubjectEntity { package static let subjectKind = SubjectKind.order }
extension DeliveryMatch: SubjectEntity { package static let subjectKind = SubjectKind.match }
extension Availability: SubjectEntity { package static let subjectKind = SubjectKind.availability }
extension Wanted: SubjectEntity { package static let subjectKind = SubjectKind.wanted }
extension Room: SubjectEntity { package static let subjectKind = SubjectKind.room }
extension Message: SubjectEntity { package static let subjectKind = SubjectKind.message }
extension Review: SubjectEntity { package static let subjectKind = SubjectKind.review }
extension Notice: SubjectEntity { package static let subjectKind = SubjectKind.notice }

extension Subject {
    package init<Entity: SubjectEntity>(_ id: ID<Entity>) {
        self.init(kind: Entity.subjectKind, id: ID<Subject>(id.uuid))
    }

    /// Its id, where it is of this kind.
    package func id<Entity: SubjectEntity>(of entity: Entity.Type) -> ID<Entity>? {
        kind == Entity.subjectKind ? ID<Entity>(id.uuid) : nil
    }
}

extension KeyedDecodingContainer {
    /// A subject of a kind that is named for this. Others are no kind there.
    func decodeSubject(for use: SubjectUse, forKey key: Key) throws -> Subject {
        let subject = try decode(Subject.self, forKey: key)
        guard subject.kind.uses.contains(use) else {
            let fields = try nestedContainer(keyedBy: Subject.CodingKeys.self, forKey: key)
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: fields, debugDescription: "\(subject.kind.rawValue) is of another kind")
        }
        return subject
    }
}
