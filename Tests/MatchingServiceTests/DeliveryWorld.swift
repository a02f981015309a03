import FoundationEssentials
import TestKit
import WireProtocol

@testable import MatchingService

/// The rules, with what the database would keep. Everybody is at one restaurant and goes to one house, so whoever is there fits.
struct World {
    static let people = [tom, maya, kim]

    var now = noon
    var orders: [PlacedOrder] = []
    var matches: [MatchAgreement] = []
    var availabilities: [OfferedAvailability] = []

    /// - Returns: whether it was done.
    mutating func does(_ command: DeliveryCommand) -> Bool {
        do {
            try follow(command)
            pass()
            return true
        } catch {
            return false
        }
    }

    private mutating func follow(_ command: DeliveryCommand) throws {
        switch command {
        case .begin(let person, let hands): try begin(Self.people[person], hands)
        case .end(let person):
            keep(try current(person).end(at: now))
            withdrawAll(by: Self.people[person])
        case .resume(let person): keep(try current(person).resume(at: now))
        case .place(let person, let asked, let rollsOn): try place(Self.people[person], asked, rollsOn)
        case .change(let number):
            let order = orders[number]
            let draft = OrderDraft(fee: euros((order.terms.fee?.amount ?? 0) + 1))
            let requested = availabilities.first { $0.id == order.asked }.map(request)
            keep(
                try order.change(
                    draft, of: all(of: order), asking: requested, among: places, at: now, within: limits), number)
        case .cancel(let number): keep(try orders[number].cancel(open(orders[number]), at: now), number)
        case .ask(let number, let asked):
            let requested = asked.flatMap { last($0) }.map(request)
            let asking = OrderAsking(availability: asked.map { _ in requested?.availability.id ?? .new(at: now) })
            let order = orders[number]
            keep(try order.askNext(asking, requested, of: all(of: order), at: now, within: limits), number)
        case .act(let act, let number, let asOrderer, let cents, let withCode):
            try self.act(act, matches[number], asOrderer, cents, withCode)
        case .wait(let minutes): now += Double(minutes) * 60
        }
    }

    // MARK: Availabilities

    private func last(_ person: Int) -> OfferedAvailability? {
        availabilities.last { $0.deliverer == Self.people[person] }
    }

    private func current(_ person: Int) throws -> OfferedAvailability {
        guard let last = last(person) else { throw DeliveryError.notThere }
        return last
    }

    private mutating func begin(_ person: PersonID, _ hands: Int) throws {
        guard !availabilities.contains(where: { $0.deliverer == person && $0.state != .ended }) else {
            throw DeliveryError.notOffering([])
        }
        var draft = Example.offerDraft
        (draft.capacity, draft.minutes) = (hands, 180)
        availabilities.append(
            try OfferedAvailability.begin(
                draft, id: .new(at: now), by: person, among: places, at: now, within: limits
            ).availability)
    }

    mutating func keep(_ decision: AvailabilityDecision?) {
        guard let decision, let place = availabilities.firstIndex(where: { $0.id == decision.availability.id }) else {
            return
        }
        availabilities[place] = decision.availability
    }

    mutating func withdrawAll(by person: PersonID?) {
        let ended = Set(availabilities.filter { $0.state == .ended }.map(\.id))
        for match in matches where ended.contains(match.availability) { keep(match.gone(by: person, at: now)) }
    }

    /// The database counts the hands that are full.
    func counted(_ availability: OfferedAvailability) -> OfferedAvailability {
        var availability = availability
        availability.taken = matches.count { $0.availability == availability.id && $0.fillsHand }
        return availability
    }

    private func request(_ availability: OfferedAvailability) -> RequestedDeliverer {
        RequestedDeliverer(availability: counted(availability), match: .new(at: now), code: "0472")
    }

    // MARK: Orders

    func all(of order: PlacedOrder) -> [MatchAgreement] { matches.filter { $0.order == order.id } }
    func open(_ order: PlacedOrder) -> MatchAgreement? { all(of: order).first { $0.state == .offered } }

    private mutating func place(_ person: PersonID, _ asked: Int?, _ rollsOn: Bool) throws {
        let requested = asked.flatMap { last($0) }.map(request)
        let draft = Example.orderDraft {
            $0.rollsOn = rollsOn
            $0.availability = asked.map { _ in requested?.availability.id ?? .new(at: now) }
        }
        let open = orders.count { $0.orderer == person && !$0.state.isOver }
        let decision = try PlacedOrder.place(
            draft, id: .new(at: now), by: person, having: open, asking: requested, among: places, at: now,
            within: limits)
        orders.append(decision.order)
        keep(decision, orders.count - 1)
    }

    mutating func keep(_ decision: OrderDecision, _ number: Int) {
        orders[number] = decision.order
        if let match = decision.match { store(match) }
        if let offer = decision.offer { matches.append(offer) }
    }

    // MARK: Matches

    private mutating func act(
        _ act: MatchAct, _ match: MatchAgreement, _ asOrderer: Bool, _ cents: Int, _ withCode: Bool
    ) throws {
        let party: MatchParty = act == .settle ? .moderator : asOrderer ? .orderer : .deliverer
        let person = act == .settle ? lin : asOrderer ? match.orderer : match.deliverer
        let draft = MatchActDraft(
            reason: "So it was.", spent: euros(cents), code: withCode ? match.code : nil, amount: euros(cents),
            share: cents % 101)
        let decision = try match.act(act, draft, by: person, as: party, at: now, within: limits)
        keep(decision)
    }

    mutating func keep(_ decision: MatchDecision?) {
        guard let decision else { return }
        store(decision)
        guard let number = orders.firstIndex(where: { $0.id == decision.match.order }),
            let after = orders[number].follow(decision.match, at: now)
        else { return }
        orders[number] = after.order
    }

    private mutating func store(_ decision: MatchDecision) {
        guard let place = matches.firstIndex(where: { $0.id == decision.match.id }) else { return }
        matches[place] = decision.match
        let availability = availabilities.first { $0.id == decision.match.availability }
        keep(availability?.follow(decision, at: now))
    }
}
