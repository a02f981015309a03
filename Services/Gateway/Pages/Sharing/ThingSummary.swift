import WireProtocol

/// All that is said of a space, to be looked over before others see it: each line leads back to the step that says it.
struct ThingSummary {
    struct Line {
        var label: String
        var text: String
        var href: String
        var change: String
    }

    var title: String
    var description: String?
    var photos: [String]
    var anyPhotos: Bool
    var photosHref: String
    var lines: [Line]

    init(_ thing: Thing, in visit: Visit) {
        let (words, terms) = (visit.words, thing.terms)
        title = visit.name(of: thing)
        description = thing.description
        photos = thing.photos
        anyPhotos = !photos.isEmpty
        func back(_ step: WizardStep) -> String { "\(step.path(thing.id))?then=confirm" }
        photosHref = back(.photos)
        func line(_ key: String, _ text: String?, _ step: WizardStep) -> Line {
            let label = words["sharing.summary.\(key)"]
            return Line(
                label: label, text: text ?? "–", href: back(step),
                change: words["sharing.summary.change", ["what": label]])
        }
        let unit = terms.unit.rawValue
        let longest = terms.longest.map { terms.unit.text(of: $0, in: words) }
        let days = thing.available.flatMap { days in
            [days.from, days.until].contains { $0 != nil } ? "\(days.from ?? "…") – \(days.until ?? "…")" : nil
        }
        lines =
            [
                line("address", thing.address, .address), line("place", thing.place, .address),
            ]
            + (thing.region.map { [line("region", $0, .address)] } ?? [])
            + [
                line("size", thing.size.map { words["sharing.size", count: $0] }, .size),
                line("price", thing.priceTag(in: words), .price),
                line("days", days ?? words["sharing.summary.always"], .price),
                line("longest", longest ?? words["sharing.summary.usual"], .price),
                line("zone", terms.zone.replacing("_", with: " "), .price),
                line(
                    "cancellation",
                    words["sharing.policy.\(terms.cancellation.rawValue).name"] + ": "
                        + words["sharing.policy.\(terms.cancellation.rawValue).\(unit)"], .price),
                line("instant", words["sharing.summary.\(terms.isInstant ? "atOnce" : "asked")"], .price),
            ]
    }
}
