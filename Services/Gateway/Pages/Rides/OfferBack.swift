import PlainText
import WireProtocol

/// What was typed of the way back: when it leaves, and what is otherwise than on the way there.
struct OfferBack {
    var isOn = false
    /// Empty on the day of the way there.
    var day = ""
    var time = ""
    var until = ""
    /// Empty where they are as on the way there.
    var seats = ""
    var cost = ""

    init() {}

    init(_ form: SubmittedForm) {
        isOn = form["return"] == "yes"
        (day, time, until) = (form["backDay"], form["backTime"], form["backUntil"])
        (seats, cost) = (form["backSeats"], form["backCost"])
    }

    /// What the fields of its times have, with their names.
    var typedTimes: [(String, String)] {
        (isOn ? [("return", "yes")] : []) + [("backDay", day), ("backTime", time), ("backUntil", until)]
    }

    /// Puts its times into a draft, or says what is wrong with which field.
    /// - Parameters:
    ///   - there: when the way there leaves; nil where that is wrong.
    ///   - subject: in a change an empty later time takes away what was there.
    func readTimes(
        after there: (day: CivilDay, clock: String)?, isCommute: Bool, _ subject: OfferValues.Subject,
        into draft: inout ReturnDraft, _ errors: inout FieldErrors
    ) {
        let said = isCommute ? nil : CivilDay(day)
        if !isCommute, !day.isEmpty, said == nil { errors.add("backDay", "not_a_day", topic: "offerBack") }
        let (clock, latest) = (OfferValues.clock(time), OfferValues.clock(until))
        if clock == nil { errors.add("backTime", time.isEmpty ? "no_time" : "not_a_time", topic: "offerBack") }
        if latest == nil, !until.isEmpty { errors.add("backUntil", "not_a_time", topic: "offerUntil") }
        guard let there, let clock else { return }
        // Of a commute, what is earlier on the clock is meant on the next day.
        let leaves = said ?? (isCommute && clock <= there.clock ? there.day + 1 : there.day)
        draft.departsAt = "\(leaves.text)T\(clock)"
        let later = latest.map { OfferValues.latest($0, after: clock, on: leaves) }
        draft.leavesBy = later ?? (subject == .offer ? nil : "")
    }

    /// Puts what is otherwise than on the way there into a draft, or says what is wrong with which field.
    func readTerms(into draft: inout ReturnDraft, _ currency: String, _ errors: inout FieldErrors) {
        draft.seats = Int(seats)
        if draft.seats == nil, !seats.isEmpty { errors.add("backSeats", "malformed", topic: "offerSeats") }
        guard !cost.isEmpty else { return }
        // Zero costs nothing, whatever the way there costs.
        let amount = Price.amount(cost, currency: currency)
        if let amount { draft.cost = Money(amount: amount, currency: currency) }
        if amount == nil { errors.add("backCost", "malformed", topic: "offerCost") }
    }
}
