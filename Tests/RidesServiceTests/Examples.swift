import FoundationEssentials
import WireProtocol

@testable import RidesService

// What the tests' rides and people are made of.

/// On 21 September 2026, a Monday, in California.
let noon = Date(timeIntervalSince1970: 1_790_017_200)
/// So many hours after noon.
func after(hours: Double) -> Date { noon + hours * 3600 }

let limits = {
    var limits = RideLimits(currency: "USD")
    limits.zone = "America/Los_Angeles"
    return limits
}()

let maya = PersonID("00000000-0000-4000-8000-000000000001")!
let tom = PersonID("00000000-0000-4000-8000-000000000002")!
let lin = PersonID("00000000-0000-4000-8000-000000000003")!
let kim = PersonID("00000000-0000-4000-8000-000000000004")!

let campus = Position(latitude: 35.3012, longitude: -120.6598)
let salinas = Position(latitude: 36.6774, longitude: -121.6555)
let sanJose = Position(latitude: 37.3382, longitude: -121.8863)
let city = Position(latitude: 37.7793, longitude: -122.4193)
