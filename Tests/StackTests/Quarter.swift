import Foundation
import KampongClient
import Supervisor
import TestKit
import Testing
import WireProtocol

/// A restaurant that an operator has brought in, and two buildings four hundred metres north of it: somewhere that no other test uses.
struct Quarter: Sendable {
    let canteen: PlaceID
    let middle: Position

    init(on stack: Stack) async throws {
        let middle = Community.someWhere()
        let name = "quarter-\(UUID().uuidString.lowercased().prefix(8))"
        let folder = try TemporaryDirectory(name)
        let file = try folder.write(
            "\(name).csv",
            """
            id,name,latitude,longitude,kind
            1,The Canteen,\(middle.latitude),\(middle.longitude),restaurant

            """)
        let brought = try await stack.run(
            .places, "import", file, "--source", name, "--licence", "CC0", "--attribution", "The quarter")
        #expect(brought.exit == .status(0), "\(brought.output)")
        let client = KampongClient(baseURL: URL(string: stack.baseURL)!)
        let found = try await client.places(around: middle, kind: .restaurant).items
        canteen = try #require(found.first { $0.name == "The Canteen" }).id
        self.middle = middle
    }

    /// Where whoever brings something goes.
    var hall: Position { north(400) }
    /// Where it is wanted.
    var annex: Position { north(430) }

    func north(_ metres: Double) -> Position {
        Position(latitude: middle.latitude + metres / 111_320, longitude: middle.longitude)
    }

    /// From the canteen to the hall.
    func way(capacity: Int = 1, leastFee: Int? = nil) -> AvailabilityDraft {
        AvailabilityDraft(
            restaurant: canteen, dropOff: DropOffDraft(name: "The Hall", position: hall), capacity: capacity,
            leastFee: leastFee.map { Money(amount: $0, currency: "SGD") })
    }

    /// From the canteen to the annex.
    func order(
        _ items: String = "A soup.", asking availability: AvailabilityID? = nil, rollsOn: Bool? = nil
    ) -> OrderDraft {
        OrderDraft(
            from: [OrderedFromDraft(restaurant: canteen, items: items)],
            dropOff: DropOffDraft(name: "The Annex", position: annex), door: "Behind the blue door",
            fee: Money(amount: 200, currency: "SGD"), limit: Money(amount: 1500, currency: "SGD"),
            availability: availability, rollsOn: rollsOn)
    }
}

/// What the tests of deliveries look at again and again.
enum Deliveries {
    static func spent(_ amount: Int) -> MatchActDraft {
        MatchActDraft(spent: Money(amount: amount, currency: "SGD"))
    }

    /// What is offered to somebody, once something is.
    static func offer(to client: KampongClient) async throws -> DeliveryMatch {
        var found: DeliveryMatch?
        _ = try await eventually {
            found = try await client.matches(MatchQuery(role: .deliverer, isOver: false)).items
                .first { $0.state == .offered }
            return found != nil
        }
        return try #require(found, "nothing was offered")
    }

    /// Who of some people is asked for an order, once one of them is who is not `other`.
    static func asked(
        _ order: OrderID, of orderer: KampongClient, but other: PersonID? = nil
    ) async throws -> AskedDeliverer {
        var asked: AskedDeliverer?
        _ = try await eventually {
            asked = try await orderer.order(order).asked
            return asked != nil && asked?.person.id != other
        }
        return try #require(asked, "nobody was asked")
    }

    /// What somebody has not read about orders and deliveries, as `kind.variant`, the newest first.
    static func told(_ client: KampongClient) async throws -> [String] {
        let kinds: Set<InboxNoticeKind> = [
            .matchOffered, .matchAnswered, .matchChanged, .orderLapsed, .matchDue, .availabilityDue,
        ]
        return try await client.notifications(unread: true).items.filter { kinds.contains($0.kind) }.map {
            "\($0.kind.rawValue).\($0.variant ?? "")"
        }
    }

    static func hears(_ told: [String], _ client: KampongClient) async throws -> Bool {
        try await eventually { try await Self.told(client) == told }
    }

    static func becomes(_ state: OrderState, _ order: OrderID, of client: KampongClient) async throws -> Bool {
        try await eventually { try await client.order(order).state == state }
    }
}

extension Listener {
    /// What came of matches, in the order of its coming, as `newMatch` or the name of the change.
    func news(of match: MatchID) -> [String] {
        events.compactMap { event in
            let bytes = Array(event.data.utf8)
            if event.name == "newMatch" {
                return (try? WireJSON.decode(NewMatch.self, from: bytes))?.match.id == match ? event.name : nil
            }
            guard event.name == "matchUpdate", let update = try? WireJSON.decode(MatchUpdate.self, from: bytes),
                update.match.id == match
            else { return nil }
            return update.what.rawValue
        }
    }
}
