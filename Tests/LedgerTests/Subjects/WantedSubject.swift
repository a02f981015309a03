import KampongClient
import TestKit
import WireProtocol

/// What people look for, of `matching`, and what they share for those who look: few enough different things that most are found by several.
struct WantedSubject: LedgerSubject {
    let service = PeerRole.matching
    let book = WantedBook()
    /// From where people bring something for those who look for a deliverer; nil where others go there for another reason.
    let street: EatingStreet?
    private let days = SoughtDays()
    private let spaces = RentalBook()
    private let spots = SpotBook()
    private let rides = RideBook()
    private let deliveries = DeliveryBook()
    /// Less than a person may have.
    private static let searchesAtOnce = 12
    /// There are about as many of each kind: from then on nothing more is shared than goes.
    private static let spotsAtOnce = 60

    init(street: EatingStreet? = nil) { self.street = street }

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        let me = person.id!
        switch Int.random(in: 0..<100, using: &random) {
        case ..<26:
            guard book.count(of: me) >= Self.searchesAtOnce else { return look(using: &random) }
            return book.any(of: me, using: &random).map { KeepCommand(wanted: $0.id, wish: .remove, book: book) }
        case ..<36:
            return book.any(of: me, using: &random).map {
                KeepCommand(wanted: $0.id, wish: $0.isPaused ? .goOn : .pause, book: book)
            }
        case ..<74 where spots.count < Self.spotsAtOnce: return share(person, using: &random)
        default: return takeAway(from: me, using: &random)
        }
    }

    private func any(using random: inout SeededGenerator) -> Sought {
        let kind = Sought.Kind.allCases.filter { $0 != .deliverer || street != nil }.randomElement(using: &random)!
        let numbers = kind == .deliverer ? restaurants.indices : Sought.numbers
        return Sought(kind, numbers.randomElement(using: &random)!)
    }

    private var restaurants: [PlaceID] { street?.restaurants ?? [] }

    /// Of those who seek a ride, every other one lets drivers see it.
    private func look(using random: inout SeededGenerator) -> LookCommand {
        let sought = any(using: &random)
        let isVisible = sought.kind == .ride && Bool.random(using: &random)
        let draft = WantedDraft(query: sought.query(restaurants, days), isVisible: isVisible ? true : nil)
        return LookCommand(sought: sought, draft: draft, book: book)
    }

    /// Each brings something from one restaurant alone, so that it is known when somebody began there.
    private func share(_ person: LedgerPerson, using random: inout SeededGenerator) -> any LedgerCommand {
        let sought = any(using: &random)
        switch sought.kind {
        case .space: return ShareCommand(book: spaces, draft: sought.space)
        case .spot: return PostCommand(book: spots, draft: sought.spot)
        case .ride: return OfferCommand(book: rides, draft: sought.ride(on: days, using: &random))
        case .deliverer:
            let way = street!.listedWay(from: restaurants[person.number % restaurants.count])
            return GoCommand(person: person.id!, wish: .offer(way), book: deliveries)
        }
    }

    private func takeAway(from me: PersonID, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        switch any(using: &random).kind {
        case .space:
            return spaces.thing(using: &random) { $0.owner == me && !book.isWithdrawn($0.id) }.map {
                WithdrawCommand(thing: $0.id, book: book)
            }
        case .spot:
            return spots.any(using: &random) { $0.owner == me }.map { RemoveCommand(spot: $0.id, book: spots) }
        case .ride:
            return rides.ride(using: &random) { $0.driver == me && $0.state == .open }.map {
                RideCommand(ride: $0.id, act: .remove, book: rides)
            }
        case .deliverer:
            return deliveries.availability(of: me).map { _ in GoCommand(person: me, wish: .end, book: deliveries) }
        }
    }

    let rows = [
        "searches": """
        SELECT id, person, query, state, is_settled AS "isSettled" FROM matching.wanted
        """,
        "finds": "SELECT wanted, kind, subject FROM matching.all_finds",
        "hits": """
        SELECT kind, subject, person, wanted, state, extract(epoch FROM told_at)::float8 AS "toldAt" FROM matching.hits
        """,
        "looks": "SELECT DISTINCT kind, subject FROM matching.looks",
        "sought": """
        SELECT 'spot' AS kind, id AS subject, posted_by AS owner, name AS words, state = 'free' AS "isThere"
        FROM listings.spots WHERE name LIKE 'heron%'
        UNION ALL SELECT 'thing', id, owner, title, state = 'listed' FROM listings.things WHERE title LIKE 'heron%'
        UNION ALL SELECT 'ride', id, driver, stop_names[1], state = 'open' FROM rides.rides
        WHERE stop_names[1] LIKE 'heron%'
        UNION ALL SELECT 'availability', id, person, restaurant::text, state = 'available' AND is_listed AND taken < capacity
        FROM matching.availabilities
        """,
        "foundNotices": """
        SELECT person, subject_kind AS kind, subject_id AS subject, read_at IS NOT NULL AS "isRead"
        FROM notification.notices WHERE kind IN ('spotFound', 'thingFound', 'rideFound', 'delivererFound')
        """,
    ]

    /// What searches find comes by itself.
    func isOfItsOwn(_ event: PublishedEvent) -> Bool { [WantedFound.type, WantedReminder.type].contains(event.type) }

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        // Where one of these went back to an older backup, people have been told of what is not there.
        let tellers = [PeerRole.listings, .rides, .matching, .notification].map(\.rawValue)
        guard evidence.restored.map({ !tellers.contains($0) }) ?? true else { return [] }
        do {
            let history = WantedHistory(
                searches: try evidence.rows("searches", as: WantedHistory.Search.self),
                finds: try evidence.rows("finds", as: WantedHistory.Find.self),
                hits: try evidence.rows("hits", as: WantedHistory.Hit.self),
                looks: Set(try evidence.rows("looks", as: WantedHistory.Key.self)),
                things: try evidence.rows("sought", as: WantedHistory.Thing.self),
                notices: try evidence.rows("foundNotices", as: WantedHistory.Notice.self),
                events: evidence.services["matching"]?.events ?? [], ledger: evidence.ledger, restaurants: restaurants)
            return history.findings()
        } catch { return [Finding(.rowsDiffer, "the rows of searches cannot be read: \(error)")] }
    }
}
