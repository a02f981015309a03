import WireProtocol

/// What is brought, how far that is out of the way, and what is agreed about money (`matches/facts`).
struct MatchFacts {
    struct Fact {
        var icon: String
        var name: String
        var text: String
        var note: String?
    }

    var facts: [Fact]
    /// What is owed, line by line, and the sum; nothing before it is picked up.
    var owed: [Fact]
    var anyOwed: Bool
    var sum: String?
    /// How it is paid back.
    var paid: String
    var receipt: String?

    init(_ match: DeliveryMatch, in visit: Visit) {
        let words = visit.words
        func fact(_ icon: String, _ name: String, _ text: String, note: String? = nil) -> Fact {
            Fact(icon: icon, name: words["matches.fact.\(name)"], text: text, note: note)
        }
        func price(_ money: Money?) -> String {
            money.map { Price.text($0, in: words) } ?? words["matches.nothing"]
        }
        let terms = match.terms
        let goods =
            terms.isPrepaid ? words["matches.prepaid"] : words["matches.atMost", ["amount": price(terms.limit)]]
        facts = match.role == .orderer ? [] : [fact("route", "detour", match.detourText(in: words))]
        facts += [
            fact("shop", "goods", goods), fact("hand", "fee", price(terms.fee), note: words["matches.recorded"]),
        ]
        paid = words["matches.paidBy.\(terms.paidBy.rawValue)", ["name": match.deliverer.name]]
        let sums = [("spent", match.spent), ("fee", match.owed == nil ? nil : terms.fee), ("tip", match.tip)]
        owed = sums.compactMap { name, money in money.map { fact("hand", name, Price.text($0, in: words)) } }
        sum = match.owed.map { words["matches.owes", ["orderer": match.orderer.name, "amount": price($0)]] }
        anyOwed = sum != nil
        receipt = match.receipt
    }
}

/// Where one goes, in order, each with the way there (`matches/stops`).
struct MatchStop {
    var icon: String
    var what: String
    var name: String
    var address: String?
    /// The door, or by which code it is picked up.
    var note: String?
    var noteLabel: String
    var directions: String
    var directionsLabel: String

    private init(_ what: String, _ icon: String, _ place: DeliveryPlace, note: String? = nil, in visit: Visit) {
        let words = visit.words
        self.icon = icon
        self.what = words["matches.stop.\(what)"]
        (name, address, self.note) = (place.name, place.address, note)
        noteLabel = words["matches.\(what == "restaurant" ? "pickUpCode" : "door")"]
        directions = Directions(to: place.position, called: place.name).primary(for: visit.userAgent)
        directionsLabel = words["parking.directionsTo", ["name": place.name]]
    }

    /// The restaurant, where it is brought, and where the deliverer goes anyway, where that is elsewhere.
    static func all(of match: DeliveryMatch, in visit: Visit) -> [MatchStop] {
        let stops = [
            MatchStop("restaurant", "restaurant", match.restaurant, note: match.pickUpCode, in: visit),
            MatchStop("dropOff", "flag", match.dropOff, note: match.door, in: visit),
        ]
        guard match.role == .deliverer, match.destination != match.dropOff else { return stops }
        return stops + [MatchStop("destination", "building", match.destination, in: visit)]
    }
}
