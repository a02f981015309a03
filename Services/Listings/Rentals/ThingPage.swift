import DurableMessaging
import FoundationEssentials
import PlainText
import WireProtocol

/// One page of things: a checked `ThingQuery`.
struct ThingPage: Hashable, Sendable {
    /// A title can be typed whole: no other text has to be.
    static let mostWords = (ThingRules.longestLine + 1) / 2
    static let longestWords = ThingRules.longestLine * 4

    var kind: ThingKind?
    /// As they were typed.
    var words = ""
    var region: String?
    var brand: String?
    var model: String?
    var highestPrice: Int?
    /// When it is wanted.
    var free: PeriodWish?
    /// When that is, by the clocks of things; empty until it is known which there are.
    var wanted: [WantedPeriod] = []
    var order = ThingOrder.newest
    var near: Position?
    var whose = Whose.everybody
    /// Of one's own.
    var state: ThingState?
    var limit = PageSize.usual
    var after: ThingCursor?

    enum Whose: Hashable, Sendable {
        case everybody
        case listed(by: PersonID)
        /// One's own in every state.
        case own(PersonID)
    }

    /// - Throws: `invalid`, or `unauthenticated` where nobody asks for their own.
    init(_ query: ThingQuery, for caller: Caller) throws {
        var errors: [FieldError] = []
        kind = query.kind
        let typed = (query.q ?? "").split(whereSeparator: \.isWhitespace)
        words = typed.joined(separator: " ")
        if typed.count > Self.mostWords || words.unicodeScalars.count > Self.longestWords {
            errors.append(FieldError("q", "too_long", "At most \(Self.mostWords) words."))
        }
        if words.unicodeScalars.contains("\0") { errors.append(FieldError("q", "not_allowed", "Words.")) }
        let line = TextRule.line(ThingRules.longestLine)
        region = line.read(query.region, at: "region", &errors)
        brand = line.read(query.brand, at: "brand", &errors)
        model = line.read(query.model, at: "model", &errors)
        highestPrice = query.highestPrice
        if query.model != nil, query.brand == nil {
            errors.append(FieldError("model", "not_allowed", "A model needs its brand."))
        }
        if let price = highestPrice, price < 0 {
            errors.append(FieldError("highestPrice", "out_of_range", "A price can't be below zero."))
        }
        order = query.sort ?? .newest
        near = query.near
        errors += FieldRules.errors(inPoint: query.near, at: "near")
        if order == .nearest, query.near == nil {
            errors.append(FieldError("near", "required", "The nearest to which place?"))
        }
        limit = query.readLimit(&errors)
        free = PeriodWish(from: query.from, until: query.until, &errors)
        let sort = order
        after = query.readCursor(&errors) { text in ThingCursor(text).flatMap { $0.order == sort ? $0 : nil } }
        state = query.state
        if state != nil, query.mine != true {
            errors.append(FieldError("state", "not_allowed", "Of others there are those that are listed."))
        }
        guard errors.isEmpty else { throw RentalError.invalid(errors) }
        if query.mine == true {
            whose = .own(try caller.requirePerson())
        } else if let person = query.by {
            whose = .listed(by: person)
        }
    }
}

/// The place of a thing in a list. Opaque to everybody else.
enum ThingCursor: Hashable, Sendable {
    case newest(Int, ThingID)
    case price(Int, ThingID, descending: Bool)
    case region(String, ThingID)
    case nearest(Double, ThingID)

    init(_ seen: SeenThing, in order: ThingOrder) {
        let thing = seen.thing
        switch order {
        case .newest: self = .newest(seen.newness, thing.id)
        case .price: self = .price(thing.terms.price?.amount ?? 0, thing.id, descending: false)
        case .highestPrice: self = .price(thing.terms.price?.amount ?? 0, thing.id, descending: true)
        case .region: self = .region(thing.details.region ?? "", thing.id)
        case .nearest: self = .nearest(seen.distance?.chord ?? 0, thing.id)
        }
    }

    init?(_ text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let id = ThingID(parts[2]) else { return nil }
        switch parts[0] {
        case "n":
            guard let number = Int(parts[1]) else { return nil }
            self = .newest(number, id)
        case "p", "-p":
            guard let price = Int(parts[1]) else { return nil }
            self = .price(price, id, descending: parts[0] == "-p")
        case "r":
            guard let bytes = Self.bytes(parts[1]), !bytes.contains(0),
                let name = String(validating: bytes, as: UTF8.self)
            else { return nil }
            self = .region(name, id)
        case "d":
            guard let chord = UInt64(parts[1], radix: 16).map(Double.init(bitPattern:)), chord.isFinite, chord >= 0
            else { return nil }
            self = .nearest(chord, id)
        default: return nil
        }
        guard self.text == text else { return nil }
    }

    var text: String {
        switch self {
        case .newest(let number, let id): "n~\(number)~\(id)"
        case .price(let price, let id, let descending): "\(descending ? "-p" : "p")~\(price)~\(id)"
        case .region(let name, let id):
            "r~\(HexText.text(of: name.utf8))~\(id)"
        case .nearest(let chord, let id): "d~\(String(chord.bitPattern, radix: 16))~\(id)"
        }
    }

    var order: ThingOrder {
        switch self {
        case .newest: .newest
        case .price(_, _, let descending): descending ? .highestPrice : .price
        case .region: .region
        case .nearest: .nearest
        }
    }

    private static func bytes(_ hex: String) -> [UInt8]? {
        let digits = Array(hex)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
