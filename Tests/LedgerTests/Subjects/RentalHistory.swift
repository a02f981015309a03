import TestKit
import WireProtocol

/// Agreements by their events and by their rows: each goes the way that it may, ends where its row is, and nobody else ever has its days.
struct RentalHistory {
    struct Row: Decodable {
        var id: RentalID
        var thing: ThingID
        var owner: PersonID
        var renter: PersonID
        var state: RentalState
        var starts: String
        var until: String
        var holds: Bool
    }

    struct Occupied: Decodable, Hashable {
        var thing: ThingID
        var rental: RentalID?
        var starts: String
        var until: String
    }

    struct ThingRow: Decodable { var id: ThingID }

    let rentals: [Row]
    let occupied: [Occupied]
    let things: Set<ThingID>
    let events: [PublishedEvent]

    private static let holding: Set<RentalState> = [.accepted, .handedOver]
    /// What may follow what; whatever is not here is an end.
    private static let ways: [RentalState: Set<RentalState>] = [
        .requested: [.accepted, .declined, .cancelled, .lapsed],
        .accepted: [.handedOver, .cancelled, .lapsed, .noShow],
        .handedOver: [.returned, .disputed],
    ]

    func findings() -> [Finding] { lives() + held() + posted() }

    /// Goes through all events in their order.
    private func lives() -> [Finding] {
        var findings: [Finding] = []
        var states: [RentalID: RentalState] = [:]
        var completed: Set<String> = []
        var held: [ThingID: [RentalNews]] = [:]
        for event in events.sorted(by: { $0.position ?? .max < $1.position ?? .max }) {
            if event.type == EncounterCompleted.type, event.aggregate.hasPrefix("rental/") {
                if !completed.insert(event.aggregate).inserted {
                    findings.append(Finding(.doubled, "\(event.aggregate) was completed twice"))
                }
                continue
            }
            guard let news = event.rental else { continue }
            let before = states.updateValue(news.state, forKey: news.id)
            if let wrong = wrong(event.type, news.state, after: before) {
                findings.append(
                    Finding(
                        .disorder, "\(event.aggregate): \(event.type) at \(event.position ?? -1), although \(wrong)"))
            }
            held[news.thing]?.removeAll { $0.id == news.id }
            guard Self.holding.contains(news.state) else { continue }
            for other in held[news.thing, default: []] where news.from <= other.until && other.from <= news.until {
                findings.append(
                    Finding(.doubled, "\(news.thing) is held by \(news.id) and \(other.id) on the same days"))
            }
            held[news.thing, default: []].append(news)
        }
        for row in rentals {
            let state = states.removeValue(forKey: row.id)
            if state != row.state {
                findings.append(
                    Finding(
                        .rowsDiffer, "rental/\(row.id) is \(row.state), and by its events \(String(describing: state))")
                )
            }
            if (row.state == .returned) != completed.contains("rental/\(row.id)") {
                findings.append(
                    Finding(.halfDone, "rental/\(row.id) is \(row.state), and its encounter says something else"))
            }
        }
        return findings + states.keys.map { Finding(.halfDone, "rental/\($0) has events and no row") }
    }

    private func wrong(_ type: String, _ state: RentalState, after before: RentalState?) -> String? {
        guard let before else { return type == RentalRequested.type ? nil : "nobody has asked" }
        // What is agreed at once is told as a request and as its answer.
        if type == RentalAnswered.type, state == .accepted, before == .accepted { return nil }
        if type == RentalRequested.type { return "it was asked for already" }
        return Self.ways[before]?.contains(state) == true ? nil : "it was \(before)"
    }

    /// What is held is occupied, once and by nobody else.
    private func held() -> [Finding] {
        let due = Set(
            rentals.filter { Self.holding.contains($0.state) }.map {
                Occupied(thing: $0.thing, rental: $0.id, starts: $0.starts, until: $0.until)
            })
        var findings = rentals.filter { $0.holds != Self.holding.contains($0.state) }.map {
            Finding(.rowsDiffer, "rental/\($0.id) is \($0.state), and holds: \($0.holds)")
        }
        if due != Set(occupied) || due.count != occupied.count {
            findings.append(Finding(.rowsDiffer, "\(occupied.count) periods are taken, and \(due.count) are held"))
        }
        for (_, periods) in Dictionary(grouping: occupied, by: \.thing) {
            let sorted = periods.sorted { $0.starts < $1.starts }
            for (one, next) in zip(sorted, sorted.dropFirst()) where next.starts <= one.until {
                findings.append(Finding(.doubled, "\(one) and \(next) have the same days"))
            }
        }
        return findings
    }

    private func posted() -> [Finding] {
        let told = events.compactMap { $0.decoded(as: ThingPosted.self)?.thing.id }
        return Set(told).symmetricDifference(things).map {
            Finding(.halfDone, "thing/\($0) has a row or an event, not both")
        }
    }
}
