import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

@Suite("What somebody offers to bring along")
struct AvailabilityOfferTests {
    private let id = Example.availability().id

    private func begin(_ draft: AvailabilityDraft = Example.offerDraft) throws(DeliveryError) -> AvailabilityDecision {
        try OfferedAvailability.begin(draft, id: id, by: maya, among: places, at: noon, within: limits)
    }

    private func faults(_ change: (inout AvailabilityDraft) -> Void) -> [String] {
        var draft = Example.offerDraft
        change(&draft)
        return wrong { () throws(DeliveryError) in _ = try begin(draft) }
    }

    @Test func what_is_not_said_is_usual() throws {
        let decision = try begin()
        #expect(decision.told == .began)
        #expect(decision.availability == Example.availability { $0.capacity = 1 })
    }

    @Test func a_drop_off_may_be_a_point_with_a_name() throws {
        var draft = Example.offerDraft
        draft.dropOff = DropOffDraft(name: " The oak ", position: position(500))
        #expect(try begin(draft).availability.dropOff == DeliveryPlace(name: "The oak", position: position(500)))
        draft.dropOff = DropOffDraft(place: exactum.id, name: "Mine", position: position(5))
        #expect(try begin(draft).availability.dropOff == exactum.shown, "as Places says it")
    }

    @Test func places_are_those_that_places_knows() {
        #expect(faults { $0.restaurant = nil } == ["restaurant: required"])
        #expect(faults { $0.restaurant = PlaceID.new(at: noon) } == ["restaurant: unknown_place"])
        #expect(faults { $0.dropOff = nil } == ["dropOff: required"])
        func dropOff(_ draft: DropOffDraft) -> [String] { faults { $0.dropOff = draft } }
        #expect(dropOff(DropOffDraft()) == ["dropOff: required"])
        #expect(dropOff(DropOffDraft(name: "Somewhere")) == ["dropOff: not_a_place"])
        #expect(dropOff(DropOffDraft(place: PlaceID.new(at: noon))) == ["dropOff.place: unknown_place"])
        #expect(dropOff(DropOffDraft(position: position(5))) == ["dropOff.name: required"])
        let long = String(repeating: "a", count: 121)
        #expect(dropOff(DropOffDraft(name: long, position: position(5))) == ["dropOff.name: too_long"])
        #expect(dropOff(DropOffDraft(name: long)) == ["dropOff.name: too_long"])
        for (latitude, longitude) in [(85.1, 0), (.nan, 0), (0, 180.1), (0, .infinity)] as [(Double, Double)] {
            let far = Position(latitude: latitude, longitude: longitude)
            #expect(dropOff(DropOffDraft(name: "Far", position: far)) == ["dropOff.position: out_of_range"])
        }
    }

    @Test func hands_metres_minutes_and_fees_have_their_range() {
        #expect([0, 1, 4, 5].map { count in faults { $0.capacity = count }.count } == [1, 0, 0, 1])
        #expect(
            [0, 150, 300, 500, 100, -1].map { metres in faults { $0.detour = metres }.count } == [0, 0, 0, 0, 1, 1])
        #expect([14, 15, 180, 181].map { minutes in faults { $0.minutes = minutes }.count } == [1, 0, 0, 1])
        #expect([-1, 0, 10_000, 10_001].map { fee in faults { $0.leastFee = euros(fee) }.count } == [1, 0, 0, 1])
        #expect(faults { $0.leastFee = Money(amount: 1, currency: "USD") } == ["leastFee.currency: wrong_currency"])
    }

    @Test func all_that_is_wrong_comes_at_once() {
        let errors = faults {
            ($0.restaurant, $0.dropOff, $0.capacity) = (PlaceID.new(at: noon), DropOffDraft(position: position(5)), 9)
            ($0.detour, $0.minutes, $0.leastFee) = (7, 7, Money(amount: -1, currency: "USD"))
        }
        #expect(
            errors == [
                "restaurant: unknown_place", "dropOff.name: required", "capacity: out_of_range",
                "detour: not_a_choice", "minutes: out_of_range", "leastFee.currency: wrong_currency",
                "leastFee.amount: out_of_range",
            ])
    }

    @Test func places_are_asked_for_before() {
        #expect(Example.offerDraft.places == [unicafe.id, exactum.id])
        #expect(AvailabilityDraft(minutes: 30).places == [])
    }

    // MARK: Changes

    private func change(
        _ draft: AvailabilityDraft, of availability: OfferedAvailability = Example.availability(),
        having matches: [MatchAgreement] = [], at now: Date = after(minutes: 10)
    ) throws(DeliveryError) -> OfferedAvailability {
        try availability.change(draft, having: matches, among: places, at: now, within: limits).availability
    }

    @Test func what_is_absent_stays() throws {
        let before = Example.availability {
            ($0.leastFee, $0.isListed, $0.trip) = (euros(100), false, KnownWay(metres: 1200, isAlongStreets: true))
        }
        #expect(try change(AvailabilityDraft(), of: before) == before)
        let longer = try change(AvailabilityDraft(minutes: 45), of: before)
        #expect(longer.until == after(minutes: 55) && longer.trip == before.trip)
        #expect(try change(AvailabilityDraft(leastFee: euros(0)), of: before).leastFee == nil)
        let elsewhere = try change(AvailabilityDraft(dropOff: DropOffDraft(place: physicum.id)), of: before)
        #expect(elsewhere.dropOff == physicum.shown && elsewhere.trip == nil, "which is measured anew")
        let moved = try change(AvailabilityDraft(restaurant: chemicum.id), of: before)
        #expect(moved.restaurant == chemicum && moved.trip == nil)
    }

    @Test func there_are_no_fewer_hands_than_are_full() throws {
        let full = Example.availability { $0.taken = 2 }
        #expect(
            wrong { () throws(DeliveryError) in _ = try change(AvailabilityDraft(capacity: 1), of: full) }
                == ["capacity: below_taken"])
        #expect(try change(AvailabilityDraft(capacity: 2), of: full).capacity == 2)
    }

    @Test(arguments: MatchState.allCases)
    func who_has_something_to_bring_stays_at_the_restaurant(_ state: MatchState) throws {
        let draft = AvailabilityDraft(restaurant: chemicum.id)
        if state == .accepted || state == .pickedUp {
            #expect(throws: DeliveryError.restaurantStays) { try change(draft, having: [Example.match(state)]) }
            #expect(try change(AvailabilityDraft(restaurant: unicafe.id), having: [Example.match(state)]).capacity == 2)
        } else {
            #expect(try change(draft, having: [Example.match(state)]).restaurant == chemicum)
        }
    }

    @Test func who_changes_it_is_there() throws {
        let paused = Example.availability(.paused) { $0.unanswered = 3 }
        let changed = try change(AvailabilityDraft(minutes: 60), of: paused)
        #expect(changed.state == .available && changed.unanswered == 0 && changed.until == after(minutes: 70))
        #expect(throws: DeliveryError.notOffering([.end])) {
            try change(AvailabilityDraft(minutes: 60), at: after(minutes: 30))
        }
        #expect(throws: DeliveryError.notOffering([])) {
            try change(AvailabilityDraft(minutes: 60), of: Example.availability(.ended))
        }
    }

    @Test func offers_that_no_longer_fit_are_withdrawn() {
        func gone(_ match: MatchAgreement = Example.match(), _ change: (inout OfferedAvailability) -> Void) -> Bool {
            Example.availability(.available, change).noLonger([match]) == [match]
        }
        #expect(!gone { _ in })
        #expect(!gone { ($0.capacity, $0.until, $0.isListed) = (4, noon, false) })
        #expect(gone { $0.restaurant = chemicum })
        #expect(gone { $0.dropOff = physicum.shown })
        #expect(!gone { $0.leastFee = euros(200) } && gone { $0.leastFee = euros(201) })
        let far = MatchAgreement(
            of: Example.order(), "Soup", to: Example.availability(), DeliveryFit(detour: 100, walk: 0),
            id: Example.match().id, code: "0000", until: after(minutes: 1), at: noon)
        #expect(gone(far) { $0.detour = 99 } && !gone(far) { $0.detour = 100 })
        #expect(!gone(Example.match(.accepted)) { $0.restaurant = chemicum })
    }
}
