import Foundation
import KampongClient
import TestKit
import WireProtocol

/// The parking spots of `listings`.
struct SpotsSubject: LedgerSubject {
    let service = PeerRole.listings
    let book = SpotBook()
    /// Few enough that people meet at the same ones.
    private static let spotsAtOnce = 40

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        let me = person.id!
        switch Int.random(in: 0..<100, using: &random) {
        case ..<15 where book.count < Self.spotsAtOnce: return post(using: &random)
        case ..<35:
            return book.any(using: &random) { $0.owner == me && $0.holder == nil }.map { spot in
                let moves = Int.random(in: 0..<4, using: &random) == 0
                return ChangeCommand(
                    spot: spot.id, book: book,
                    draft: draft(at: moves ? place(using: &random) : spot.place))
            }
        case ..<60:
            return book.any(using: &random) { $0.owner != me && $0.holder == nil && !$0.doubtful.contains(me) }
                .map { ClaimCommand(spot: $0.id, book: book) }
        case ..<68:
            return book.any(using: &random) { $0.holder == me && !$0.doubtful.contains(me) && !$0.isParked }
                .map { ParkCommand(spot: $0.id, book: book) }
        case ..<80:
            return book.any(using: &random) { $0.holder == me || $0.doubtful.contains(me) }
                .map { ReleaseCommand(spot: $0.id, book: book) }
        case ..<92:
            let seen: ObservedState = Int.random(in: 0..<8, using: &random) == 0 ? .gone : .there
            return book.unseen(by: me, using: &random).map { ObserveCommand(spot: $0.id, book: book, seen: seen) }
        default:
            return book.any(using: &random) { $0.owner == me && $0.holder == nil }
                .map { RemoveCommand(spot: $0.id, book: book) }
        }
    }

    func post(using random: inout SeededGenerator) -> PostCommand {
        PostCommand(book: book, draft: draft(at: place(using: &random)))
    }

    /// A private place, because a spot at the street would end by itself within a long run.
    private func draft(at place: Position) -> SpotDraft {
        SpotDraft(name: "Spot \(UUID().uuidString.prefix(13))", position: place, kind: .private)
    }

    private func place(using random: inout SeededGenerator) -> Position {
        Position(
            latitude: .random(in: -60...60, using: &random), longitude: .random(in: -170...170, using: &random))
    }

    let rows = [
        "spots": "SELECT id, posted_by, name, state, claimed_by, there, gone FROM listings.spots",
        "observations": "SELECT spot, person, state FROM listings.observations",
    ]

    /// What rooms are told goes with other commands' work.
    func isOfItsOwn(_ event: PublishedEvent) -> Bool { event.type == RoomSubjectChanged.type }

    // MARK: Audit

    private struct Row: Decodable {
        var id: SpotID
        var posted_by: PersonID
        var name: String
        var state: SpotState
        var claimed_by: PersonID?
        var there: Int
        var gone: Int
    }

    private struct Observation: Decodable, Hashable {
        var spot: SpotID
        var person: PersonID
        var state: ObservedState
    }

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        do {
            let rows = Dictionary(try evidence.rows("spots", as: Row.self).map { ($0.id, $0) }) { first, _ in first }
            let observations = Dictionary(
                grouping: try evidence.rows("observations", as: Observation.self), by: \.spot)
            let listings = (evidence.services["listings"]?.events ?? []).filter { !$0.isNotice }
            let events = Dictionary(grouping: listings, by: \.aggregate)
            var findings: [Finding] = []
            for (aggregate, events) in events.sorted(by: { $0.key < $1.key }) where aggregate.hasPrefix("spot/") {
                guard let id = SpotID(String(aggregate.dropFirst(5))), let row = rows[id] else {
                    findings.append(Finding(.halfDone, "\(aggregate) has \(events.count) events and no row"))
                    continue
                }
                let entries = work.entries(about: aggregate)
                findings +=
                    history(of: aggregate, events, row, work)
                    + self.observations(on: row, observations[id] ?? [], entries)
            }
            findings += rows.values.filter { events["spot/\($0.id)"] == nil }.map {
                Finding(.halfDone, "\($0) has no event")
            }
            return findings
        } catch { return [Finding(.rowsDiffer, "the rows of spots cannot be read: \(error)")] }
    }

    /// Lives the spot's life again by its events, and compares how it ends.
    private func history(
        of aggregate: String, _ events: [PublishedEvent], _ row: Row, _ work: AttributedWork
    ) -> [Finding] {
        var life = SpotLife()
        for event in events.sorted(by: { $0.position ?? .max < $1.position ?? .max }) {
            if let wrong = life.take(event, by: work.author(of: event, in: "listings")?.person) {
                return [Finding(.disorder, "\(aggregate): \(event.type) at \(event.position ?? -1), although \(wrong)")]
            }
        }
        let row = SpotLife(name: row.name, state: row.state, holder: row.claimed_by)
        return life == row ? [] : [Finding(.rowsDiffer, "\(aggregate) is \(row), and by its events \(life)")]
    }

    /// Each observation that is in effect has its row and counts once.
    private func observations(on row: Row, _ kept: [Observation], _ entries: [LedgerEntry]) -> [Finding] {
        let made = entries.compactMap { entry -> Observation? in
            guard let command = entry.command as? ObserveCommand, let person = entry.person else { return nil }
            return Observation(spot: row.id, person: person, state: command.seen)
        }
        let counts = (row.there, row.gone)
        let due = (made.count { $0.state == .there }, made.count { $0.state == .gone })
        guard Set(made) == Set(kept), made.count == kept.count, counts == due else {
            return [Finding(.rowsDiffer, "\(row) counts \(kept.count) observations, and \(made.count) were made")]
        }
        return []
    }
}

/// What a spot is after some of its events.
struct SpotLife: Hashable {
    var name: String?
    var state: SpotState?
    var holder: PersonID?

    /// Goes on by one event.
    /// - Returns: Why that cannot be, or nil.
    mutating func take(_ event: PublishedEvent, by person: PersonID?) -> String? {
        switch event.type {
        case SpotAdded.type:
            // Posted, given back, or moved here in the transaction that took it away from elsewhere.
            if state == .claimed, person != nil, holder != person { return "somebody else held it" }
            if state == .free || state == .expired { return "it was \(state!.rawValue)" }
            (state, holder) = (.free, nil)
        case SpotChanged.type where state != .free: return "it was not free"
        case SpotChanged.type: break
        case SpotClaimed.type:
            if state != .free { return "it was not free" }
            (state, holder) = (.claimed, person)
        case ClaimChanged.type:
            // Stands behind what it says of the spot, from the same transaction.
            let told = event.decoded(as: ClaimChanged.self)
            guard told?.change == .made ? state == .claimed && told?.claimer == holder : state == .free else {
                return "that is not whose claim it is"
            }
        case EncounterCompleted.type:
            let people = Set(event.decoded(as: EncounterCompleted.self)?.people ?? [])
            guard state == .claimed, let holder, people.contains(holder), people.count == 2 else {
                return "those two did not share it"
            }
        case SpotRemoved.type:
            if state != .free { return "it was not free" }
            let reason = event.decoded(as: SpotRemoved.self)?.reason
            state = reason == .removed || reason == .moved ? .removed : .expired
        default: return "no such event is known"
        }
        if let name = event.spotName { self.name = name }
        return nil
    }
}
