import DurableMessaging
import Postgres
import WireProtocol

// What moderators have to do with rides.

extension SubjectSnapshot {
    /// What there is to judge of a ride.
    init(_ ride: OfferedRide) {
        self.init(owner: ride.driver, title: ride.title, text: ride.notes)
    }
}

extension RideTransaction {
    /// Who rides along keeps the seat, and nobody gets one meanwhile.
    func hide(_ id: RideID, _ hiding: Hiding) async throws { try await moderate(id) { $0.hidden = hiding } }

    func restore(_ id: RideID) async throws { try await moderate(id) { $0.hidden = nil } }
}
