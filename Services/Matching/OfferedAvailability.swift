import FoundationEssentials
import WireProtocol

// What is true of what somebody offers to bring along. No I/O and no clock.

/// "I am at Unicafe, go to Exactum, and can carry two", and what became of it.
struct OfferedAvailability: Hashable, Sendable {
    let id: AvailabilityID
    let deliverer: PersonID
    let beganAt: Date
    var state: AvailabilityState
    var restaurant: KnownPlace
    /// Where they go from there.
    var dropOff: DeliveryPlace
    /// The way there; nil until Places has said it.
    var trip: KnownWay?
    var capacity: Int
    /// How many hands are full. The database counts them, and refuses more than there are.
    var taken = 0
    /// Metres.
    var detour: Int
    var until: Date
    /// Nil where they bring it for nothing, too.
    var leastFee: Money?
    var isListed: Bool
    /// How many offers they have not answered since they last did.
    var unanswered = 0
    /// When the state began.
    var changedAt: Date

    var free: Int { max(0, capacity - taken) }

    /// Whether somebody may be asked for by name.
    func isThere(at now: Date) -> Bool { state == .available && now < until }
}

/// How long a way on foot is.
struct KnownWay: Hashable, Sendable {
    var metres: Int
    /// Otherwise it is the straight line.
    var isAlongStreets: Bool
}

extension KnownWay {
    init(_ distance: PlaceDistance) { self.init(metres: distance.metres, isAlongStreets: distance.alongStreets) }
}

/// An availability after a transition, and what is told of it.
struct AvailabilityDecision: Hashable, Sendable {
    var availability: OfferedAvailability
    /// Nil where nothing is.
    var told: AvailabilityChanged.Change?
}
