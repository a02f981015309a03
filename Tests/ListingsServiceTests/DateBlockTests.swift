import FoundationEssentials
import Testing
import WireProtocol

@testable import ListingsService

/// Which days Maya may keep her car for herself. Noon is on 21 September 2026 in Singapore.
@Suite struct DateBlockTests {
    private func refusal(_ from: String, _ until: String, by person: PersonID = maya) throws -> RentalError? {
        let car = try RentableThing.post(
            .new(at: noon), carDraft(), by: maya, having: 0, at: noon, within: rentalLimits
        ).thing
        let period: RentalPeriod
        do throws(RentalError) {
            period = try car.block(PeriodDraft(from: from, until: until), by: person, at: noon, within: rentalLimits)
        } catch { return error }
        #expect(period.from == from && period.until == until)
        return nil
    }

    private let tooFar = RentalError.invalid([
        FieldError("until", "out_of_range", "Later than now, within two years.")
    ])

    @Test func its_owner_alone_blocks_days() throws {
        #expect(try refusal("2026-10-01", "2026-10-04") == nil)
        #expect(try refusal("2026-10-01", "2026-10-04", by: tom) == .notYours)
    }

    @Test func from_today_on_for_as_long_again_as_one_can_ask() throws {
        #expect(try refusal("2026-09-20", "2026-09-20") == tooFar)
        #expect(try refusal("2026-09-01", "2026-09-21") == nil)
        #expect(try refusal("2026-09-21", "2028-09-20") == nil)
        #expect(try refusal("2028-09-20", "2028-09-21") == tooFar)
        #expect(try refusal("2026-10-04", "2026-10-01") == .invalid([RentalPeriod.reversed]))
    }
}
