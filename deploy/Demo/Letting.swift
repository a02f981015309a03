import Foundation
import KampongClient
import WireProtocol

/// The neighbours let what they have, and rent from each other, as `Possession.all` says. What there is already is left alone.
struct Letting: Sendable {
    var neighbours: [Resident]
    var places: [Place]
    var pictures: [String: String]
    var currency: String
    var regions: [String]

    func begin(now: Date) async throws {
        for resident in neighbours {
            let theirs = Set(try await resident.client.things(ThingQuery(mine: true, limit: 100)).items.map(\.title))
            for (number, possession) in Possession.all.enumerated()
            where possession.owner == resident.neighbour.username && !theirs.contains(possession.title) {
                do {
                    let thing = try await share(possession, number: number, by: resident, now: now)
                    guard let deal = possession.deal, let renter = neighbour(deal.renter) else { continue }
                    try await agree(on: thing, deal, between: resident, and: renter, now: now)
                } catch let problem as Problem where problem.status != 429 && problem.status < 500 {
                    // A community may have other rules than this demo's; what it does not want is not let.
                    note("\(possession.title): \(problem.said)")
                }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private func share(_ possession: Possession, number: Int, by owner: Resident, now: Date) async throws -> Thing {
        let draft = ThingDraft(
            possession, at: places[(number * 7 + 3) % places.count], number: 2 + number % 40,
            region: regions.isEmpty ? nil : regions[number % regions.count], pictures: pictures, currency: currency,
            today: CalendarDays(now: now, zone: .gmt))
        let thing = try await owner.client.postThing(draft, as: possession.kind)
        note("\(owner.name) \(possession.isDraft ? "began with" : "lets") \(thing.title)")
        return thing
    }

    private func agree(
        on thing: Thing, _ deal: Possession.Deal, between owner: Resident, and renter: Resident, now: Date
    ) async throws {
        let days = CalendarDays(now: now, zone: TimeZone(identifier: thing.terms.zone) ?? .gmt)
        let period = days.period(for: thing.kind, deal.reaches)
        var rental = try await renter.client.rent(
            thing.id, thing.kind, RentalDraft(from: period.from, until: period.until, message: deal.message))
        if deal.reaches >= .accepted, rental.state == .requested {
            rental = try await owner.client.act(.accept, on: rental.id)
        }
        if deal.reaches >= .running {
            let picture = thing.photos.first.map { [$0] }
            rental = try await owner.client.act(
                .handOver, on: rental.id, RentalActDraft(reason: "As in the picture.", photos: picture))
        }
        if deal.reaches >= .returned { rental = try await renter.client.act(.giveBack, on: rental.id) }
        note("\(renter.name) and \(owner.name): \(thing.title) is \(rental.state.rawValue)")
    }

    private func neighbour(_ username: String) -> Resident? {
        neighbours.first { $0.neighbour.username == username }
    }
}

/// Days and hours as they are written in requests, seen from a moment somewhere.
struct CalendarDays: Sendable {
    private let now: Date
    private let calendar: Calendar

    init(now: Date, zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        (self.now, self.calendar) = (now, calendar)
    }

    func day(after days: Int) -> String {
        // Noon is there on every day.
        let noon = calendar.startOfDay(for: now).addingTimeInterval(12 * 3600)
        return written(calendar.date(byAdding: .day, value: days, to: noon) ?? noon)
    }

    /// The hour that it is, or one that comes.
    func hour(after hours: Int) -> String {
        let date = now.addingTimeInterval(TimeInterval(hours * 3600))
        return "\(written(date))T\(padded(calendar.component(.hour, from: date))):00"
    }

    /// What suits what is to become of it: what runs or is over has begun today, and something else comes later.
    func period(for kind: ThingKind, _ stage: Possession.Stage) -> (from: String, until: String) {
        switch (kind.unit, stage) {
        case (.day, .requested): (day(after: 6), day(after: 8))
        case (.day, .accepted): (day(after: 2), day(after: 4))
        case (.day, .running): (day(after: 0), day(after: 3))
        case (.day, .returned): (day(after: 0), day(after: 0))
        case (.hour, .requested): (hour(after: 20), hour(after: 24))
        case (.hour, .accepted): (hour(after: 30), hour(after: 36))
        case (.hour, .running), (.hour, .returned): (hour(after: 0), hour(after: 5))
        }
    }

    private func written(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return [parts.year ?? 0, parts.month ?? 0, parts.day ?? 0].map(padded).joined(separator: "-")
    }

    private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
