import WireProtocol

/// What was typed of how a ride is driven again: on which days of each week, until when, and on which days not.
struct OfferRepeat {
    /// As many days as a commute may last.
    static let longest = 84

    var isOn = false
    var weekdays: [Weekday] = []
    /// The last day.
    var last = ""
    /// Days that are left out.
    var skips: [String] = []

    init() {}

    init(_ form: SubmittedForm) {
        isOn = form["repeat"] == "yes"
        weekdays = Weekday.allCases.filter { form[Self.name(of: $0)] == "yes" }
        last = form["last"]
        let number = min(Self.longest, max(0, Int(form["skips"]) ?? 0))
        skips = (0..<number).map { form[Self.skipName($0)] }.filter { !$0.isEmpty }
    }

    init(_ series: RideSeries) {
        isOn = true
        weekdays = Weekday.allCases.filter { series.weekdays.contains($0) }
        (last, skips) = (series.until, series.skips)
    }

    /// How the form calls the box of a day.
    static func name(of weekday: Weekday) -> String { "on.\(weekday.rawValue)" }

    /// How the form calls the field of a day that is left out.
    static func skipName(_ index: Int) -> String { "skip\(index + 1)" }

    /// What its fields have, with their names.
    var typed: [(String, String)] {
        (isOn ? [("repeat", "yes")] : []) + weekdays.map { (Self.name(of: $0), "yes") }
            + [("last", last), ("skips", String(skips.count))]
            + skips.enumerated().map { (Self.skipName($0), $1) }
    }

    /// Says what is wrong with which field.
    func check(_ errors: inout FieldErrors) {
        if weekdays.isEmpty { errors.add("weekdays", "required", topic: "commuteDays") }
        if CivilDay(last) == nil {
            errors.add("last", last.isEmpty ? "required" : "not_a_day", topic: "commuteLast")
        }
        for (index, skip) in skips.enumerated() where CivilDay(skip) == nil {
            errors.add(Self.skipName(index), "not_a_day", topic: "commuteSkip")
        }
    }
}
