import FoundationEssentials
import PlainText
import WireProtocol

// Rides that are looked for from now on: those of a day along a way, as the search for rides is asked for them.

extension RideSearch {
    static let wantedName = "rides"
    /// Extra metres that are offered, and those that are chosen where nothing is said.
    static let extras = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000]
    static let usualExtra = 5_000

    /// As an address or a form says it. It has a day: nobody is told of rides for ever.
    init(wanted form: SubmittedForm, in visit: Visit) async {
        self.init(form, in: visit.words)
        isVisible = form["visible"] == "yes"
        if let after = WireJSON.date(from: form["after"]), let before = WireJSON.date(from: form["before"]) {
            hours = (after, before)
        }
        await lookUp(in: visit)
        if day.isEmpty { errors.add("day", "required", topic: "rideDay") }
    }

    /// As it is kept, with what its ends are called.
    init(_ query: RideSearchQuery, in visit: Visit) async {
        let names = await visit.placeNames(at: [query.from, query.to])
        let pairs = query.pairs(named: names, in: visit.community.zone)
        await self.init(wanted: SubmittedForm(pairs + query.hours(in: visit.community.zone)), in: visit)
    }

    /// What an address or a form says of it, with the hours that it keeps.
    var wantedPairs: [(String, String)] {
        let kept = hours.map { RideSearchQuery.pairs(after: $0.after, before: $0.before) } ?? []
        return [("of", Self.wantedName)] + pairs + kept
    }

    /// Nil where it says too little.
    var wanted: WantedQuery? {
        guard at != nil || window != nil, var query = question(cursor: nil) else { return nil }
        query.limit = nil
        return WantedQuery(rides: query)
    }

    /// What its ends are called.
    var names: [Position: String] {
        [from, to].compactMap(\.chosen).reduce(into: [:]) { $0[$1.position] = $1.label }
    }

    /// Where one says that they want to be told of such rides. Without a day it is those around now, as in the list.
    func tell(at now: Date, in zone: String) -> String {
        var dated = self
        if day.isEmpty {
            let wall = WallTime(at: now, in: zone)
            (dated.day, dated.time) = (wall.day.text, CivilText.time(wall))
        }
        return WantedNewPage.path([("of", Self.wantedName)] + dated.pairs)
    }
}

extension RideSearchQuery {
    /// What an address says of it. Of a window that is no day, the day on which it begins.
    /// - Parameter names: what its ends are called, as far as anybody knows.
    func pairs(named names: [Position: String], in zone: String) -> [(String, String)] {
        func end(_ point: Position) -> String {
            PlaceChoice(position: point, label: names[point] ?? point.shown).written
        }
        let wall = (at ?? after ?? before).map { WallTime(at: $0, in: zone) }
        let pairs: [(String, String)] = [
            ("of", RideSearch.wantedName), ("from", end(from)), ("to", end(to)), ("day", wall?.day.text ?? ""),
            ("time", at == nil ? "" : wall.map { CivilText.time($0) } ?? ""), ("seats", seats.map { String($0) } ?? ""),
            ("luggage", luggage?.rawValue ?? ""), ("free", onlyFree == true ? "yes" : ""),
            ("verified", onlyVerified == true ? "yes" : ""), ("detour", noDetour == true ? "no" : ""),
            ("extra", mostExtra.map { String($0) } ?? ""),
        ]
        return pairs.filter { !$0.1.isEmpty }
    }
}

extension RideSearchQuery {
    /// What a form says of a window that is no day, beside the day on which it begins.
    fileprivate func hours(in zone: String) -> [(String, String)] {
        guard at == nil, let after, let before else { return [] }
        let first = WallTime(at: after, in: zone)
        if first == WallTime(first.day), WallTime(at: before, in: zone) == WallTime(first.day + 1) { return [] }
        return Self.pairs(after: after, before: before)
    }

    fileprivate static func pairs(after: Date, before: Date) -> [(String, String)] {
        [("after", WireJSON.text(of: after)), ("before", WireJSON.text(of: before))]
    }
}

extension WantedSentence {
    /// - Parameters:
    ///   - names: what its ends are called, as far as anybody knows.
    ///   - zone: by whose clocks its times are said.
    static func ride(
        _ query: RideSearchQuery, _ names: [Position: String], in zone: String, _ words: Words
    ) -> String {
        var values = [
            "from": names[query.from] ?? query.from.shown, "to": names[query.to] ?? query.to.shown,
        ]
        if let at = query.at {
            let wall = WallTime(at: at, in: zone)
            (values["day"], values["time"]) = (CivilText.full(wall.day, in: words), CivilText.time(wall))
        } else if let after = query.after, let before = query.before {
            let (first, last) = (WallTime(at: after, in: zone), WallTime(at: before, in: zone))
            if first == WallTime(first.day), last == WallTime(first.day + 1) {
                values["day"] = CivilText.full(first.day, in: words)
            } else {
                values["after"] = CivilText.moment(after, in: zone, words)
                values["before"] = CivilText.moment(before, in: zone, words)
            }
        }
        if let seats = query.seats, seats > 1 { values["seats"] = words["rides.seats.number", count: seats] }
        values["luggage"] = query.luggage.flatMap { words.find("wanted.sentence.luggage.\($0.rawValue)") }
        if query.onlyFree == true { values["free"] = "" }
        if query.noDetour == true { values["detour"] = "" }
        values["extra"] = query.mostExtra.map { Distance.reach($0, in: words) }
        if query.onlyVerified == true { values["verified"] = "" }
        return words["wanted.sentence.ride", values]
    }
}

/// The fields of rides that are looked for (`wanted/rides`): those of their search, with what narrows its list.
struct WantedRidesForm {
    struct Choice {
        var name: String
        var value: String
        var text: String
        var chosen: Bool
    }

    /// Hours that it keeps and no field says.
    struct Hours {
        var after: String
        var before: String
        var text: String
    }

    var search: RideSearchForm
    var hours: Hours?
    var luggage: Field
    var extra: Field
    var choices: [Choice]
    var visible: WantedVisible

    init(_ search: RideSearch, in visit: Visit) {
        let words = visit.words
        self.search = RideSearchForm(search, in: visit)
        self.search.day = self.search.day.with { ($0.optional, $0.required) = (false, true) }
        hours = search.hours.map { hours in
            let moments = [hours.after, hours.before].map { CivilText.moment($0, in: visit.community.zone, words) }
            return Hours(
                after: WireJSON.text(of: hours.after), before: WireJSON.text(of: hours.before),
                text: words["wanted.edit.hours", ["after": moments[0], "before": moments[1]]])
        }
        luggage = Field("luggage", words["rides.fact.luggage"]).with {
            let any = Field.Option(value: "", text: words["wanted.edit.anyLuggage"], chosen: search.luggage == nil)
            $0.options =
                [any]
                + RideLuggage.allCases.filter { $0 != .none }.map { luggage in
                    Field.Option(
                        value: luggage.rawValue, text: words["rides.filter.luggage.\(luggage.rawValue)"],
                        chosen: search.luggage == luggage)
                }
        }
        let most = search.mostExtra ?? RideSearch.usualExtra
        extra = Field("extra", words["wanted.edit.extra"]).with {
            $0.hint = words["wanted.edit.extraHint"]
            $0.options = Set(RideSearch.extras + [most]).sorted().map { metres in
                Field.Option(
                    value: String(metres), text: Distance.reach(metres, in: words), chosen: metres == most)
            }
        }
        var fields = [extra]
        search.errors.mark(&fields)
        extra = fields[0]
        // The page looks at one field first.
        if search.errors.messages.count > 1 { extra.focus = false }
        func choice(_ name: String, _ value: String, _ key: String, _ chosen: Bool) -> Choice {
            Choice(name: name, value: value, text: words["rides.filter.\(key)"], chosen: chosen)
        }
        choices = [
            choice("free", "yes", "free", search.onlyFree), choice("detour", "no", "noDetour", search.noDetour),
        ]
        if search.onlyVerified || !visit.community.campuses.all.isEmpty {
            choices.append(choice("verified", "yes", "verified", search.onlyVerified))
        }
        visible = WantedVisible(isOn: search.isVisible)
    }
}

/// The box by which others see who seeks something (`wanted/visible`).
struct WantedVisible {
    var isOn: Bool
}
