import FoundationEssentials
import PlainText
import WireProtocol

/// What is looked for among rides, as the page's address says it, or the form that was sent. Days and times are those of the community's clocks.
struct RideSearch {
    static let path = "/rides/search"
    static let limit = 20
    /// Nobody offers a ride that far ahead.
    private static let farthestDays = 2 * 366

    var from: PlaceAnswer
    var to: PlaceAnswer
    /// As they were typed; without a day it is now, without a time all of the day.
    var day: String
    var time: String
    var seats: String
    var luggage: RideLuggage?
    var onlyFree: Bool
    var onlyVerified: Bool
    var noDetour: Bool
    /// Metres.
    var mostExtra: Int?
    /// Of one that goes on from now on: whether others see who seeks this.
    var isVisible = false
    /// The same: hours that it keeps and no field says. They hold as long as the day is the one on which they begin, and no time is said.
    var hours: (after: Date, before: Date)?
    /// Whether this is the form as it was sent, whose address says the same in more words.
    let isForm: Bool
    var errors: FieldErrors
    private(set) var at: Date?
    private(set) var window: (after: Date, before: Date)?

    /// Reads it, and looks nothing up.
    init(reading visit: Visit) {
        self.init(SubmittedForm((try? visit.asked.get()) ?? []), in: visit.words)
    }

    /// The same of what an address or a form says.
    init(_ form: SubmittedForm, in words: Words) {
        isForm = ["from", "to"].contains { form.fields["\($0).at"] != nil || form.fields["\($0).for"] != nil }
        (from, to) = (Self.place("from", form), Self.place("to", form))
        (day, time, seats) = (form["day"], form["time"], form["seats"])
        luggage = RideLuggage(rawValue: form["luggage"])
        if luggage == RideLuggage.none { luggage = nil }
        onlyFree = form["free"] == "yes"
        onlyVerified = form["verified"] == "yes"
        noDetour = form["detour"] == "no"
        mostExtra = Int(form["extra"]).flatMap { (0...3_000_000).contains($0) ? $0 : nil }
        errors = FieldErrors(words)
    }

    /// Reads it, looks up what was typed and not chosen, and says what is wrong with it.
    init(in visit: Visit) async {
        self.init(reading: visit)
        await lookUp(in: visit)
    }

    /// Looks up what was typed and not chosen, and says what is wrong with it.
    mutating func lookUp(in visit: Visit) async {
        await from.lookUp(near: visit.community.center, in: visit)
        await to.lookUp(near: from.chosen?.position ?? visit.community.center, in: visit)
        check(at: visit.now, in: visit.community.zone)
    }

    /// A place that was chosen stands in the address with its words, a form says both apart.
    private static func place(_ name: String, _ form: SubmittedForm) -> PlaceAnswer {
        if form.fields["\(name).at"] == nil, let chosen = PlaceChoice(written: form[name]) {
            return PlaceAnswer(chosen: chosen)
        }
        return PlaceAnswer(form, name)
    }

    private mutating func check(at now: Date, in zone: String) {
        for (name, answer) in [("from", from), ("to", to)] {
            if let trouble = answer.trouble {
                errors.add(name, trouble.rawValue, topic: "ridePlace")
            } else if answer.chosen == nil {
                errors.add(name, "required", topic: name == "from" ? "rideFrom" : "rideTo")
            }
        }
        if !seats.isEmpty, !(Int(seats).map { (1...8).contains($0) } ?? false) { errors.add("seats", "out_of_range") }
        let clocks = Zone.named(zone)
        let today = WallTime(at: now, in: zone).day
        if !time.isEmpty, day.isEmpty { day = today.text }
        hours = hours.flatMap { holds($0, at: now, in: zone) ? $0 : nil }
        if let hours {
            window = hours
            return
        }
        guard !day.isEmpty else { return }
        guard let civil = CivilDay(day) else { return errors.add("day", "not_a_day", topic: "rideDay") }
        guard civil >= today else { return errors.add("day", "in_past", topic: "rideDay") }
        guard civil < today + Self.farthestDays else { return errors.add("day", "too_far_ahead", topic: "rideDay") }
        if time.isEmpty {
            window = clocks.map { ($0.start(of: civil), $0.start(of: civil + 1)) }
        } else if let minutes = Self.minutes(time) {
            at = clocks?.firstMoment(of: WallTime(seconds: WallTime(civil).seconds + minutes * 60))
        } else {
            errors.add("time", "not_a_time")
        }
    }

    private func holds(_ hours: (after: Date, before: Date), at now: Date, in zone: String) -> Bool {
        time.isEmpty && CivilDay(day) == WallTime(at: hours.after, in: zone).day
            && hours.after < hours.before && now < hours.before
    }

    /// `17:05`
    private static func minutes(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 5, bytes[2] == UInt8(ascii: ":"), let hour = CivilDay.digits(bytes[0..<2]), hour < 24,
            let minute = CivilDay.digits(bytes[3..<5]), minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Takes over what the service says of it.
    mutating func refuse(_ error: ServiceError) {
        for wrong in error.errors {
            let isTime = ["at", "after", "before"].contains(wrong.field)
            let isPlace = ["from", "to"].contains(wrong.field)
            errors.add(
                isTime ? "day" : wrong.field, wrong.code, topic: isTime ? "rideDay" : isPlace ? "ridePlace" : nil,
                otherwise: wrong.message)
        }
    }

    /// Nil where one of its ends is not known.
    func question(cursor: String?) -> RideSearchQuery? {
        guard let from = from.chosen?.position, let to = to.chosen?.position else { return nil }
        return RideSearchQuery(
            from: from, to: to, at: at, after: window?.after, before: window?.before, seats: Int(seats),
            luggage: luggage, onlyFree: onlyFree ? true : nil, noDetour: noDetour ? true : nil,
            mostExtra: mostExtra, onlyVerified: onlyVerified ? true : nil, limit: Self.limit, cursor: cursor)
    }

    // MARK: Its address

    /// What the page's address says of it, and of nothing else.
    var pairs: [(String, String)] {
        [
            ("from", from.chosen?.written ?? ""), ("to", to.chosen?.written ?? ""), ("day", day), ("time", time),
            ("seats", seats == "1" ? "" : seats), ("luggage", luggage?.rawValue ?? ""),
            ("free", onlyFree ? "yes" : ""), ("verified", onlyVerified ? "yes" : ""), ("detour", noDetour ? "no" : ""),
            ("extra", mostExtra.map { String($0) } ?? ""),
        ].filter { !$0.1.isEmpty }
    }

    var query: String { Self.written(pairs) }

    func path(cursor: String? = nil) -> String {
        let all = pairs + (cursor.map { [("cursor", $0)] } ?? [])
        return all.isEmpty ? Self.path : "\(Self.path)?\(Self.written(all))"
    }

    private static func written(_ pairs: [(String, String)]) -> String {
        pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
    }

    /// `From San Luis Obispo to Salinas, Friday, 6 March 2026, about 17:00`
    func said(in words: Words) -> String {
        var values = ["from": from.chosen?.label ?? "", "to": to.chosen?.label ?? ""]
        if let civil = CivilDay(day) { values["day"] = CivilText.full(civil, in: words) }
        if !time.isEmpty { values["time"] = time }
        if let number = Int(seats), number > 1 { values["seats"] = words["rides.seats.number", count: number] }
        return words["rides.search.said", values]
    }
}
