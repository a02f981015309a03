import FoundationEssentials
import Postgres
import WireProtocol

// The seam between the inbox, which says what is due for push and when, and whatever brings it to devices.
//
// The inbox writes a row of `deliveries` for each device of a person when a notice is due, deletes it when the notice is seen or read
// meanwhile, and writes it anew when a notice that collapses grows. Whoever delivers takes rows by `DeliveryQueue`, and keeps devices in a table of
// its own.

/// Which devices there are: a SELECT of `id` (uuid) and `person` (uuid) of each that wants to be pushed to, and of `rests_until`
/// (timestamptz), before which nothing is tried there; NULL where anything may be.
struct PushDevices: Sendable {
    let rows: SQLQuery

    /// Where nothing is pushed.
    static let none = PushDevices(
        rows:
            "SELECT NULL::uuid AS id, NULL::uuid AS person, NULL::timestamptz AS rests_until WHERE false")
}

/// One notice on its way to one device.
struct PushDelivery: Hashable, Sendable {
    let id: UUID
    let device: UUID
    let person: PersonID
    /// As it is now: how many messages it stands for, and what its people are called.
    let notice: InboxNotice
    /// How many the person has not read, for a badge.
    let unread: Int
    /// Those that were begun, the one at hand included.
    let attempts: Int
    /// When it is of no more use.
    let expiresAt: Date
}

/// Where what is due for push waits.
protocol DeliveryQueue: Sendable {
    /// Takes what is due, so that nobody else takes it before `lease`; each counts as an attempt. What was seen meanwhile is not among
    /// them. Of each device it is one: what else waits there is told afterwards, or rests with it.
    /// - Parameter busy: Devices to which something is under way: nothing of theirs is taken.
    func claimDeliveries(atMost count: Int, besides busy: Set<UUID>, now: Date, lease: Date) async throws
        -> [PushDelivery]
    /// Notes what became of one, unless somebody else has it by now, or there is something new to be said by it.
    /// - Parameter again: when to try it once more; nil where it is done, or given up.
    func settle(_ delivery: PushDelivery, again: Date?) async throws
    /// Puts one back that was taken and not begun.
    func putBack(_ delivery: PushDelivery, until: Date) async throws
    /// A device is left alone: whatever waits for it is tried no sooner.
    func postponeDeliveries(to device: UUID, until: Date) async throws
    /// A device is gone: nothing waits for it any more.
    func forgetDeliveries(to device: UUID) async throws
}
