import FoundationEssentials
import WireProtocol

// What becomes of an availability. No I/O and no clock.

extension OfferedAvailability {
    /// How long before its end its deliverer is asked whether they are still there.
    static let notice: TimeInterval = 5 * 60

    /// What its deliverer may do now.
    func possible(at now: Date) -> [AvailabilityAct] {
        AvailabilityRule.of(.deliverer, for: self, at: now).compactMap(\.act)
    }

    /// They are still there.
    func resume(at now: Date) throws(DeliveryError) -> AvailabilityDecision { try act(.resume, at: now) }

    /// What is offered to them is withdrawn, what they have in hand they bring.
    func end(at now: Date) throws(DeliveryError) -> AvailabilityDecision { try act(.end, at: now) }

    /// What time has done to it; nil where nothing.
    func pass(at now: Date) -> AvailabilityDecision? { become(by: .time, at: now) }

    /// Its deliverer may not take part any more, or has gone; nil where it has ended.
    func callOff(at now: Date) -> AvailabilityDecision? { become(by: .community, at: now) }

    /// Something became of what is or was offered to them: who answers is there, and of who does not three times in a row that is asked.
    /// - Returns: Nil where nothing follows.
    func follow(_ match: MatchDecision, at now: Date) -> AvailabilityDecision? {
        var after = self
        switch match.told {
        case .expired where state == .available:
            after.unanswered += 1
            return after.pass(at: now) ?? AvailabilityDecision(availability: after)
        case .accepted, .declined:
            let decision = try? act(.answer, at: now)
            return decision?.availability == self ? nil : decision
        default: return nil
        }
    }

    /// When `pass` may next do something; nil where never.
    var dueAt: Date? { state == .ended ? nil : until }

    /// When its deliverer is to be told that it ends soon; nil where they are not, or were at that time. Who is paused is asked already.
    func remindAt(after now: Date) -> Date? {
        let moment = until - Self.notice
        return state == .available && moment > now ? moment : nil
    }

    func act(_ act: AvailabilityAct, at now: Date) throws(DeliveryError) -> AvailabilityDecision {
        guard let rule = AvailabilityRule.of(.deliverer, for: self, at: now).first(where: { $0.act == act }) else {
            throw .notOffering(possible(at: now).filter { $0 != .answer })
        }
        return become(rule, at: now)
    }

    private func become(by party: AvailabilityParty, at now: Date) -> AvailabilityDecision? {
        AvailabilityRule.of(party, for: self, at: now).first.map { become($0, at: now) }
    }

    private func become(_ rule: AvailabilityRule, at now: Date) -> AvailabilityDecision {
        var after = self
        if rule.next != state { (after.state, after.changedAt) = (rule.next, now) }
        if rule.next == .available { after.unanswered = 0 }
        return AvailabilityDecision(availability: after, told: rule.told)
    }
}
