import DurableMessaging
import FoundationEssentials
import People
import WireProtocol

// What is told of deliveries. No door, no code and no point is in it.

extension DeliveryTransaction {
    /// What an event says of a match. The two hear of it even where they are apart since.
    /// - Parameters:
    ///   - order: as it is once this has happened.
    ///   - person: who did it; nil where time did it.
    func news(of match: MatchAgreement, in order: PlacedOrder, by person: PersonID?) async throws -> MatchNews {
        let known = try await people([match.orderer, match.deliverer], for: nil)
        return MatchNews(match, of: order, by: person, among: known)
    }

    /// To the two of a match.
    func publish(_ event: some Event, of match: MatchAgreement) { publish(event, about: match, to: match.audience) }

    func publish(_ event: some Event, about match: MatchAgreement, to people: Set<PersonID>) {
        transaction.publish(event, about: "match/\(match.id)", to: .people(people.subtracting([.nobody])))
    }

    func tell(_ decision: MatchDecision, in order: PlacedOrder) async throws {
        let match = decision.match
        if let told = decision.told {
            let news = try await news(of: match, in: order, by: decision.by)
            publish(MatchUpdate(match: news, what: told), of: match)
        }
        guard decision.isCompleted, match.audience.count == 2 else { return }
        let encounter = EncounterCompleted(
            subject: Subject(match.id), title: match.title, people: [match.deliverer, match.orderer], completedAt: now)
        publish(encounter, about: match, to: [])
    }

    func tell(_ decision: AvailabilityDecision) {
        guard let told = decision.told else { return }
        let availability = decision.availability
        transaction.publish(
            AvailabilityChanged(availability, told), about: "availability/\(availability.id)",
            to: .people(Set([availability.deliverer]).subtracting([.nobody])))
    }

    func tellLapse(of order: PlacedOrder) {
        transaction.publish(
            OrderLapsed(order), about: "order/\(order.id)", to: .people(Set([order.orderer]).subtracting([.nobody])))
    }
}
