import PlainText
import WireProtocol

/// Free spots around a point, as an address or a form says it.
struct WantedSpots {
    static let name = "spots"
    /// Metres that are offered.
    static let radii = [300, 500, 1000, 2000, 5000]
    static let usual = 1000
    /// What may be said, as `/v1` takes it.
    private static let possible = 1...50_000

    var near: Position?
    var radius: Int
    /// The place that was typed, and what became of it.
    var around: PlaceAnswer
    /// Whether this is the form as it was sent, whose address says the same in more words.
    let isForm: Bool
    var errors: FieldErrors

    init(_ form: SubmittedForm, in visit: Visit) async {
        isForm = form.fields["place"] != nil
        around = PlaceAnswer(form, "place")
        near = Position(written: form["near"])
        radius = Int(form["radius"]).flatMap { Self.possible.contains($0) ? $0 : nil } ?? Self.usual
        errors = FieldErrors(visit.words)
        guard isForm else { return }
        await around.lookUp(near: visit.community.center, in: visit)
        near = around.chosen?.position
        if let trouble = around.trouble {
            errors.add("place", trouble.rawValue, topic: "wantedPlace")
        } else if near == nil {
            errors.add("place", "required", topic: "wantedPlace")
        }
    }

    var pairs: [(String, String)] { Self.pairs(near: near, radius: radius) }

    static func pairs(near: Position?, radius: Int) -> [(String, String)] {
        [("of", name), ("near", near?.written ?? ""), ("radius", String(radius))].filter { !$0.1.isEmpty }
    }

    /// How far may be looked: what is offered, and what was said.
    var reaches: [Int] { (Self.radii + (Self.radii.contains(radius) ? [] : [radius])).sorted() }
}

extension SpotSearch {
    /// Where one says that they want to be told of free spots, as far around the same point as is looked here. Where there is no such point, it is asked
    /// for first.
    var tell: String {
        switch self {
        case .near(let place, _, let reach): WantedNewPage.path(WantedSpots.pairs(near: place, radius: reach))
        case .box(let box, _): WantedNewPage.path(WantedSpots.pairs(near: box.middle, radius: box.radius))
        case .center: WantedNewPage.path(WantedSpots.pairs(near: nil, radius: WantedSpots.usual))
        }
    }
}

extension BoundingBox {
    /// To some ten centimetres.
    fileprivate var middle: Position {
        func rounded(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }
        let width = west <= east ? east - west : east - west + 360
        let longitude = west + width / 2
        return Position(
            latitude: rounded((south + north) / 2), longitude: rounded(longitude > 180 ? longitude - 360 : longitude))
    }

    /// The first distance that is offered and reaches from its middle to its upper edge, or the farthest.
    fileprivate var radius: Int {
        let top = Position(latitude: north, longitude: middle.longitude)
        let half = Distance.between(middle, top)
        return WantedSpots.radii.first { $0 >= half } ?? WantedSpots.radii[WantedSpots.radii.count - 1]
    }
}
