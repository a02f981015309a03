import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

/// What becomes of a search that others may see, without a database.
@Suite struct SeekingRulesTests {
    private static let limits = WantedLimits()

    private static func prepared(_ query: WantedQuery = rides()) -> PreparedSearch {
        PreparedSearch(
            service: .rides, query: query, keys: [SearchKey(rawValue: "ride")], until: nil,
            estimate: WantedEstimate(perMonth: 3, isTooWide: false, fitting: 0), fitting: [])
    }

    private static func seeking(from region: String? = "Uusimaa") -> Seeking {
        Seeking(
            from: SeekingEnd(region: region, position: position(0)),
            to: SeekingEnd(region: "Kainuu", position: position(5000)), after: after(minutes: 60),
            before: after(minutes: 180), seats: 1)
    }

    /// As it is in this state, posted at noon; nobody sees it.
    private static func search(_ state: WantedState = .live) throws -> WantedSearch {
        var search = try WantedSearch.post(
            prepared(), id: WantedID("00000000-0000-4000-8000-0000000000e1")!, by: tom, having: 0, at: noon,
            within: limits)
        search.isSettled = true
        return switch state {
        case .live: search
        case .paused: try search.pause(at: noon)
        case .ended: search.end(at: noon)
        }
    }

    /// The same once others see it, and drivers were told.
    private static func seen(_ state: WantedState = .live) throws -> WantedSearch {
        var search = try Self.search().show(seeking(), at: noon)
        search.announceDue = nil
        return switch state {
        case .live: search
        case .paused: try search.pause(at: noon)
        case .ended: search.end(at: noon)
        }
    }

    private let now = after(minutes: 10)

    @Test func drivers_are_told_of_what_is_live_when_others_begin_to_see_it() throws {
        let shown = try Self.search().show(Self.seeking(), at: now)
        #expect(shown.isVisible && shown.announceDue == now && shown.regionsDue == nil)
        #expect(shown.isSettled && shown.changedAt == noon, "it does not begin anew")
        let paused = try Self.search(.paused).show(Self.seeking(), at: now)
        #expect(paused.isVisible && paused.announceDue == nil)
        let hidden = try shown.show(nil, at: now)
        #expect(try hidden == Self.search())
        #expect(try Self.seen().show(Self.seeking(), at: now) == Self.seen())
        #expect(throws: WantedError.ended) { try Self.search(.ended).show(Self.seeking(), at: now) }
        #expect(throws: WantedError.ended) { try Self.seen(.ended).show(nil, at: now) }
        #expect(try Self.search(.ended).show(nil, at: now) == Self.search(.ended))
    }

    @Test func drivers_are_told_anew_where_it_begins_anew() throws {
        let other = Self.prepared(rides(from: 100))
        let changed = try Self.seen().change(to: other, expecting: nil, at: now, within: Self.limits)
        #expect(changed.announceDue == now)
        let same = try Self.seen().change(to: Self.prepared(), expecting: nil, at: now, within: Self.limits)
        #expect(same.announceDue == nil)
        let goesOn = try Self.seen(.paused).goOn(Self.prepared(), at: now)
        #expect(goesOn.announceDue == now && goesOn.isVisible)
        let quiet = try Self.search(.paused).goOn(Self.prepared(), at: now)
        #expect(quiet.announceDue == nil)
        func renewed(_ search: WantedSearch) throws -> WantedSearch {
            try search.renew(Self.prepared(), having: 0, at: now, within: Self.limits)
        }
        #expect(try renewed(Self.seen(.ended)).announceDue == now)
        #expect(try renewed(Self.seen()).announceDue == nil, "it did not end")
        let paused = try Self.seen(.paused).change(to: other, expecting: nil, at: now, within: Self.limits)
        #expect(paused.announceDue == nil)
    }

    @Test func nobody_is_told_of_what_is_paused_or_over() throws {
        let due = try Self.search().show(Self.seeking(), at: noon)
        #expect(try due.pause(at: now).announceDue == nil && due.end(at: now).announceDue == nil)
        #expect(try due.pause(at: now).isVisible, "its person is asked for no second word when it goes on")
    }

    @Test func a_region_that_is_not_known_is_asked_for_again() throws {
        let shown = try Self.search().show(Self.seeking(from: nil), at: now)
        #expect(shown.regionsDue == now + 60)
        #expect(try shown.show(Self.seeking(), at: now).regionsDue == nil)
        #expect(try shown.show(nil, at: now).regionsDue == nil)
    }

    @Test func what_others_see_after_a_change() throws {
        let (hidden, seen) = (try Self.search(), try Self.seen())
        var moved = seen
        moved.query = rides(from: 100)
        let other = Self.seeking(from: "Pirkanmaa")
        let asked = Result<Seeking, any Error>.success(other)
        // As before where nothing is said.
        #expect(try hidden.shown(since: hidden, isVisible: nil, nil) == nil)
        #expect(try seen.shown(since: seen, isVisible: nil, nil) == Self.seeking())
        #expect(try seen.shown(since: seen, isVisible: false, nil) == nil)
        #expect(try hidden.shown(since: hidden, isVisible: true, asked) == other)
        #expect(try seen.shown(since: seen, isVisible: true, asked) == Self.seeking(), "it stays what is known")
        #expect(try moved.shown(since: seen, isVisible: nil, asked) == other)
        // What looks for something else is seen by nobody.
        var car = seen
        car.query = cars()
        #expect(try car.shown(since: seen, isVisible: nil, .failure(WantedError.onlyRides)) == nil)
        #expect(throws: WantedError.onlyRides) {
            try car.shown(since: seen, isVisible: true, .failure(WantedError.onlyRides))
        }
        // It was hidden when rides was to be asked.
        #expect(throws: WantedError.changedMeanwhile(seen.version)) {
            try moved.shown(since: seen, isVisible: nil, nil)
        }
    }

    @Test func its_person_is_told_whether_others_see_a_ride() throws {
        #expect(try Wanted(Self.seen(), at: noon).isVisible == true)
        #expect(try Wanted(Self.search(), at: noon).isVisible == false)
        var car = try Self.search()
        car.query = cars()
        #expect(Wanted(car, at: noon).isVisible == nil)
    }

    @Test func pages_are_cut_where_they_ended() throws {
        let ids = (1...4).map { WantedID("00000000-0000-4000-8000-0000000000e\($0)")! }
        let fits = zip(ids, [300, 100, 300, 200]).map { id, extra in
            SeekerFit(id: id, startGap: 0, endGap: 0, detour: 0, extra: extra)
        }
        let ride = RideID.new()
        var (seen, cursor): ([WantedID], String?) = ([], nil)
        repeat {
            let page = try RideSeekersPage(RideSeekersQuery(ride: ride, limit: 1, cursor: cursor)).cut(fits)
            seen += page.shown.map(\.id)
            cursor = page.last.map { DistanceCursor(Double($0.extra), $0.id.uuid).text }
        } while cursor != nil
        #expect(seen == [ids[1], ids[3], ids[0], ids[2]])
    }

    @Test func refusals_have_their_codes() {
        #expect(WantedError.rideNotFound.serviceError.code == .notFound)
        #expect(WantedError.tooManyInvitations(limit: 30).serviceError.code == .tooManyInvitations)
        let said = WantedError.onlyRides.serviceError
        #expect(said.code == .invalid && said.errors.map(\.field) == ["isVisible"])
        #expect(said.errors.map(\.code) == ["not_allowed"])
    }
}
