import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

// What tests of renting have in common.

extension PageVisitor {
    /// The form of the page that says what a period costs, as it is sent from there.
    /// - Parameter fields: the period (`from` and `until`), and what is typed beside it.
    func rentForm(_ path: String, _ fields: [String: String]) async throws -> [String: String] {
        let period = ["from", "until"].map { "\($0)=\(LocalPath.encoded(fields[$0] ?? ""))" }.joined(separator: "&")
        let page = try await get("\(path)?\(period)").text
        var form = fields.merging(["do": "ask"]) { own, _ in own }
        for name in ["seen", "quoted"] {
            let value: String = try #require(page.hiddenField(name), "\(name)")
            form[name] = value
        }
        return form
    }
}

extension String {
    /// What a hidden field of a page has.
    func hiddenField(_ name: String) -> String? {
        firstRange(of: "name=\"\(name)\" value=\"").map { String(self[$0.upperBound...].prefix { $0 != "\"" }) }
    }
}

extension Rental {
    /// An agreement about a thing, of days or hours of its own time.
    static func of(_ thing: Thing, _ from: String, _ until: String, _ state: RentalState) -> Rental {
        let zone = Zone.named(thing.terms.zone)
        func moment(_ text: String, after days: Int = 0) -> Date? {
            if let day = CivilDay(text) { return zone?.start(of: day + days) }
            return WallTime(text).flatMap { zone?.moments(of: $0).first }
        }
        let long = Date(timeIntervalSince1970: 0)
        return Rental(
            id: .new(), thing: RentedThing(id: thing.id, kind: thing.kind, title: thing.title), owner: thing.owner,
            renter: PersonSummary(id: .new(), name: "Ben"), role: .renter, state: state, from: from, until: until,
            zone: thing.terms.zone, startsAt: moment(from) ?? long, endsAt: moment(until, after: 1) ?? long, units: 1,
            terms: thing.terms, cost: nil, owed: nil, message: nil, requestedAt: long, answerBy: nil, changedAt: long,
            changedBy: nil, reason: nil, evidence: [], possible: [])
    }
}

extension WaitingItem {
    /// As listings tells of it.
    static func of(_ rental: Rental, _ kind: Kind) -> WaitingItem {
        let isFirst = kind == .begins
        let day = rental.terms.unit == .day ? Day(isFirst ? rental.from : rental.until, in: rental.zone) : nil
        return WaitingItem(
            kind, Subject(rental.id), title: rental.thing.title, with: rental.renter,
            at: rental.answerBy ?? (isFirst ? rental.startsAt : rental.endsAt), day: day, thing: rental.thing.kind)
    }

    /// As auth tells of it.
    static func of(_ encounter: Encounter) -> WaitingItem {
        WaitingItem(
            .review, encounter.subject, title: encounter.title, with: encounter.with, at: encounter.reviewsUntil)
    }
}
