import DurableMessaging
import FoundationEssentials
import People
import WireProtocol

// What is told of requests for seats.

extension RideTransaction {
    /// The two hear of it even where they are apart since.
    func tell(_ change: SeatChange, among known: KnownPeople) {
        guard let decision = change.decision else { return }
        let (seat, ride) = (change.after, change.ride)
        let news = SeatNews(seat, in: ride, by: decision.by, among: known)
        switch decision.told {
        case .requested: publish(SeatRequested(request: news), of: seat)
        case .answered: publish(SeatAnswered(request: news), of: seat)
        case .changed(let what): publish(SeatChanged(request: news, what: what), of: seat)
        }
        guard decision.isCompleted, seat.driver != .nobody, seat.rider != .nobody else { return }
        let encounter = EncounterCompleted(
            subject: Subject(seat.id), title: ride.title, people: [seat.driver, seat.rider], completedAt: now)
        transaction.publish(encounter, about: "seat/\(seat.id)", to: .nobody)
    }

    /// The inbox does not ask the driver for an answer any more.
    func publishNothingToAnswer(of seat: SeatAgreement) {
        let settled = NoticeSettled([.seat(seat.id, .seatRequested)], for: .people([seat.driver]))
        transaction.publish(settled, about: "seat/\(seat.id)", to: .nobody)
    }

    func publish(_ event: some Event, of seat: SeatAgreement) {
        transaction.publish(
            event, about: "seat/\(seat.id)", to: .people(Set([seat.driver, seat.rider]).subtracting([.nobody])))
    }
}
