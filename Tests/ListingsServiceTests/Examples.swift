import FoundationEssentials
import WireProtocol

@testable import ListingsService

// What the tests' spots and people are made of.

let noon = Date(timeIntervalSince1970: 1_790_000_000)
/// So many minutes after noon.
func after(_ minutes: Double) -> Date { noon + minutes * 60 }

let limits = SpotLimits(currency: "SGD")

let maya = PersonID("00000000-0000-4000-8000-000000000001")!
let tom = PersonID("00000000-0000-4000-8000-000000000002")!
let lin = PersonID("00000000-0000-4000-8000-000000000003")!
let kim = PersonID("00000000-0000-4000-8000-000000000004")!

let library = Position(latitude: 60.1711, longitude: 24.95)

func draft(
    _ name: String = "By the library", at position: Position = library, price: Money? = nil, until: Date? = nil,
    lifetime: SpotLifetime? = nil, kind: SpotKind? = nil, photo: String? = nil
) -> SpotDraft {
    SpotDraft(
        name: name, position: position, photo: photo, price: price, expiresAt: until, lifetime: lifetime, kind: kind)
}

/// Maya's free spot, posted at noon for half an hour.
func spot(_ kind: SpotKind = .street, at position: Position = library) -> ParkingSpot {
    ParkingSpot(
        id: .new(at: noon), postedBy: maya, postedAt: noon,
        details: SpotDetails(name: "By the library", position: position, kind: kind, photo: nil, price: nil),
        expiresAt: noon + limits.lifetime(of: kind))
}

func spot(in state: ParkingSpot.State) -> ParkingSpot {
    var spot = spot()
    spot.state = state
    return spot
}

let claimedByTom = ParkingSpot.State.claimed(by: tom, at: noon)

/// The fields that an error is about, with their codes.
func fields(of error: SpotError?) -> Set<String> {
    guard case .invalid(let errors) = error else { return [] }
    return Set(errors.map { "\($0.field): \($0.code)" })
}
