import PlainText
import WireProtocol

/// The one button of a ride (`rides/button`): what the one who looks may do with it now.
struct RideButton {
    var text: String
    var icon: String
    /// Where it leads; nil where it can't be pressed.
    var href: String?
    /// Whether it takes something back, which is asked once more (`frame/ask`).
    var quiet: Bool
    /// Why it can't be pressed, or what comes of it.
    var why: String?
    /// The request that one has already.
    var seat: String?

    /// - Parameter part: the part of the way that was looked for.
    init(_ ride: Ride, part: SoughtPart = SoughtPart(), in words: Words) {
        let topic = "rides.act.\(ride.action.rawValue)"
        text = words[topic]
        seat = ride.request.map { "/seats/\($0)" }
        quiet = [.withdraw, .leave].contains(ride.action)
        why = words.find("rides.actNote.\(ride.action.rawValue)")
        switch ride.action {
        case .ask, .wait: (icon, href) = ("hand", "\(ride.path)/ask\(part.query)")
        case .withdraw: (icon, href) = ("undo", seat.map { "\($0)/withdraw" })
        case .leave: (icon, href) = ("out", seat.map { "\($0)/leave" })
        case .own: (icon, why) = ("wheel", nil)
        case .unavailable:
            icon = "wait"
            why = words["rides.unavailable.\(ride.state.rawValue)"]
        }
    }
}

/// The part of a ride's way that somebody has looked for, as addresses carry it from a search to the ride and to the form in which one asks.
struct SoughtPart {
    /// The number of a stop, or a point of one's own with its words.
    var from = ""
    var to = ""
    var seats = ""

    init() {}

    /// What is no such part is left out.
    init(reading visit: Visit) {
        func end(_ name: String) -> String {
            let text = visit.query(name) ?? ""
            return PlaceChoice(written: text) != nil || Int(text).map { (0..<8).contains($0) } == true ? text : ""
        }
        (from, to) = (end("from"), end("to"))
        seats = visit.query("seats").flatMap(Int.init).flatMap { (2...8).contains($0) ? String($0) : nil } ?? ""
    }

    /// Where a search found that one would get in and out: nothing of all the way.
    init(_ found: FoundRide, _ search: RideSearch, seats number: Int) {
        let last = found.ride.stops.count - 1
        func end(_ point: SeatPoint, _ asked: PlaceAnswer, usually stop: Int) -> String {
            guard let number = point.stop else { return asked.chosen?.written ?? "" }
            return number == stop ? "" : String(number)
        }
        from = end(found.boarding, search.from, usually: 0)
        to = end(found.leaving, search.to, usually: last)
        seats = number > 1 ? String(number) : ""
    }

    /// Where somebody would get in and out whose standing search has found it: at a stop that is near, or at a point of their own where the driver
    /// would come by.
    /// - Parameter names: what those points are called, as far as anybody knows.
    init(_ ride: Ride, _ query: RideSearchQuery, named names: [Position: String]) {
        let last = ride.stops.count - 1
        func end(_ point: Position, among stops: Range<Int>, usually stop: Int) -> String {
            func metres(_ index: Int) -> Double { point.metres(to: ride.stops[index].position) }
            guard let nearest = stops.min(by: { metres($0) < metres($1) }) else { return "" }
            if ride.detourLeft > 0, query.noDetour != true, metres(nearest) >= Double(RideCard.near) {
                return PlaceChoice(position: point, label: names[point] ?? point.shown).written
            }
            return nearest == stop ? "" : String(nearest)
        }
        guard last > 0 else { return }
        from = end(query.from, among: 0..<last, usually: 0)
        to = end(query.to, among: (Int(from) ?? 0) + 1..<last + 1, usually: last)
        seats = query.seats.flatMap { $0 > 1 ? String($0) : nil } ?? ""
    }

    /// `?from=1&seats=2`; empty where there is nothing to say.
    var query: String {
        let pairs = [("from", from), ("to", to), ("seats", seats)].filter { !$0.1.isEmpty }
        return pairs.isEmpty ? "" : "?" + pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
    }
}

/// What the page of a ride knows of what was looked for: by its address, and where that says no more than that it was found, by the search that has found it.
struct SoughtRide {
    var part: SoughtPart
    var box: FoundBox?

    init(_ ride: Ride, in visit: Visit) async {
        part = SoughtPart(reading: visit)
        let finders = await FoundBox.finders(of: Subject(ride.id), in: visit)
        var names: [Position: String] = [:]
        if part.query.isEmpty, let query = finders.compactMap(\.query.rides).first {
            names = await visit.placeNames(at: [query.from, query.to])
            part = SoughtPart(ride, query, named: names)
        }
        box = await FoundBox(finders, on: ride.path + part.query, knowing: names, in: visit)
    }
}
