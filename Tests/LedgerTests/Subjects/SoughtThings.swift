import Foundation
import KampongClient
import TestKit
import WireProtocol

/// What some people look for and others share: each search looks for one of these, and each thing is one of them.
struct Sought: Hashable, Sendable {
    enum Kind: CaseIterable, Sendable { case space, spot, ride, deliverer }

    static let numbers = 0..<12
    private static let bird = "heron"

    let kind: Kind
    let number: Int

    /// What a space is found by. Things of other kinds bear it, too, so that they are known by it.
    var word: String { Self.bird + (number < 10 ? "0\(number)" : "\(number)") }

    /// By the words of a thing, which begin with it; nil for what others share.
    init?(_ kind: Kind, words: String) {
        guard words.hasPrefix(Self.bird), let number = Int(words.dropFirst(Self.bird.count).prefix(2)) else {
            return nil
        }
        (self.kind, self.number) = (kind, number)
    }

    init(_ kind: Kind, _ number: Int) { (self.kind, self.number) = (kind, number) }

    /// Where a spot is, and where a ride begins: far from all others.
    private var place: Position {
        Position(latitude: -30 + Double(number) * 3, longitude: kind == .spot ? 150 : 20)
    }

    private var end: Position { Position(latitude: place.latitude, longitude: place.longitude + 0.3) }

    // MARK: Looking

    /// - Parameter restaurants: those of the street.
    func query(_ restaurants: [PlaceID], _ days: SoughtDays) -> WantedQuery {
        switch kind {
        case .space: WantedQuery(things: ThingQuery(kind: .space, q: word))
        case .spot: WantedQuery(spots: SpotQuery(near: place, radius: 500))
        case .ride: WantedQuery(rides: RideSearchQuery(from: place, to: end, after: days.first, before: days.last))
        case .deliverer: WantedQuery(deliverers: DelivererSearch(restaurant: restaurants[number]))
        }
    }

    /// What somebody looks for, by the plainest comparison.
    init?(_ query: WantedQuery, among restaurants: [PlaceID]) {
        if let word = query.things?.q {
            self.init(.space, words: word)
        } else if let near = query.spots?.near {
            self.init(.spot, at: near)
        } else if let from = query.rides?.from {
            self.init(.ride, at: from)
        } else {
            guard let number = restaurants.firstIndex(where: { $0 == query.deliverers?.restaurant }) else { return nil }
            self.init(.deliverer, number)
        }
    }

    private init?(_ kind: Kind, at place: Position) {
        guard let number = Self.numbers.first(where: { abs(Sought(kind, $0).place.latitude - place.latitude) < 1 })
        else { return nil }
        self.init(kind, number)
    }

    // MARK: Sharing

    private var words: String { "\(word) \(UUID().uuidString.prefix(13))" }

    var space: ThingDraft {
        ThingDraft(
            title: words, size: 12, region: "North", place: "By the water", address: "Door 7",
            price: Money(amount: 900, currency: "SGD"))
    }

    /// A private place, because a spot at the street would end by itself within a long run.
    var spot: SpotDraft { SpotDraft(name: words, position: place, kind: .private) }

    func ride(on days: SoughtDays, using random: inout SeededGenerator) -> RideDraft {
        RideDraft(
            stops: [RideStopDraft(name: words, position: place), RideStopDraft(name: "The end", position: end)],
            departsAt: WireJSON.text(of: days.any(using: &random)), seats: 3)
    }
}

/// When those who look for a ride want to leave: far enough ahead that nothing is due of rides meanwhile.
struct SoughtDays: Sendable {
    let first = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 2 * 86_400).rounded())
    var last: Date { first + 6 * 86_400 }

    /// Well within.
    func any(using random: inout SeededGenerator) -> Date {
        first + Double(Int.random(in: 60...8000, using: &random) * 60)
    }
}
