import PlainText
import WireProtocol

/// The text fields of a ride, in the order in which forms show them.
struct OfferFields {
    private let values: OfferValues
    private let words: Words
    private let currency: String

    init(_ values: OfferValues, in visit: Visit) {
        (self.values, words, currency) = (values, visit.words, visit.community.currency)
    }

    /// Not all of it is asked of everything: the form takes what it shows.
    var all: [Field] { places + [day] + clocks + [weekdays, last] + skips + back + terms + backTerms }

    /// All that the form of a change says, place by place.
    func said(besidesWay isWayOpen: Bool) -> [Meanwhile.Said] {
        let way = values.places.map { $0.answer.text }.joined(separator: " – ")
        return (isWayOpen ? [Meanwhile.Said(words["offer.way"], way, value: values.way)] : [])
            + (values.subject == .commute ? saidOfCommute : ([day] + clocks).map { Meanwhile.Said($0) })
            + terms.map { Meanwhile.Said($0) } + [
                Meanwhile.Said(words["offer.luggage.label"], words["offer.luggage.\(values.luggage.rawValue).name"]),
                Meanwhile.Said(words["offer.accepts.label"], words["offer.accepts.\(values.accepts.rawValue).name"]),
            ]
    }

    /// The day on which it began stays.
    private var saidOfCommute: [Meanwhile.Said] {
        let left = values.repeats.skips.sorted().joined(separator: ", ")
        return (clocks + [weekdays, last]).map { Meanwhile.Said($0) }
            + [Meanwhile.Said(words["offer.repeat.skips"], left)]
            + (back.dropFirst() + backTerms).map { Meanwhile.Said($0) }
    }

    private func text(_ name: String, _ value: String, hint: String? = nil, _ more: (inout Field) -> Void = { _ in })
        -> Field
    {
        Field(name, words["offer.form.\(name)", ["currency": currency]]).with {
            $0.value = value
            $0.hint = hint.map { words["offer.form.\($0)"] }
            $0.autocomplete = "off"
            more(&$0)
        }
    }

    private var places: [Field] {
        let between = values.stops.indices.map { index in
            Field(OfferValues.stopName(index), words["offer.form.stop", ["n": String(index + 1)]]).with {
                $0.optional = true
            }
        }
        return [text("from", "", hint: "placeHint") { $0.required = true }] + between
            + [text("to", "") { $0.required = true }]
    }

    private var day: Field {
        text("day", values.day) {
            $0.type = "date"
            $0.required = true
        }
    }

    private var clocks: [Field] {
        [
            text("time", values.time) {
                $0.type = "time"
                $0.required = true
            },
            text("until", values.until, hint: "untilHint") {
                $0.type = "time"
                $0.optional = true
            },
        ]
    }

    /// Its error stands at the boxes of its days.
    private var weekdays: Field {
        Field("weekdays", words["offer.form.weekdays"]).with {
            $0.value = values.repeats.weekdays.map { $0.name(in: words) }.joined(separator: ", ")
        }
    }

    private var last: Field {
        text("last", values.repeats.last, hint: "lastHint") { $0.type = "date" }
    }

    /// Those that were said, and one more.
    private var skips: [Field] {
        (values.repeats.skips + [""]).prefix(OfferRepeat.longest).enumerated().map { index, day in
            Field(OfferRepeat.skipName(index), words["offer.form.skip", ["n": String(index + 1)]]).with {
                ($0.type, $0.value) = ("date", day)
            }
        }
    }

    private var back: [Field] {
        let back = values.wayBack
        return [
            text("backDay", back.day, hint: "backDayHint") {
                $0.type = "date"
                $0.optional = true
            },
            text("backTime", back.time) { $0.type = "time" },
            text("backUntil", back.until, hint: "untilHint") {
                $0.type = "time"
                $0.optional = true
            },
        ]
    }

    private var backTerms: [Field] {
        [
            text("backSeats", values.wayBack.seats, hint: "backHint") {
                $0.inputmode = "numeric"
                $0.maxlength = "2"
                $0.optional = true
            },
            text("backCost", values.wayBack.cost, hint: "backHint") {
                $0.inputmode = "decimal"
                $0.optional = true
            },
        ]
    }

    private var terms: [Field] {
        [
            text("seats", values.seats, hint: "seatsHint") {
                $0.inputmode = "numeric"
                $0.maxlength = "2"
                $0.required = true
            },
            text("cost", values.cost, hint: "costHint") {
                $0.inputmode = "decimal"
                $0.optional = true
            },
            text("detour", values.detour, hint: values.detourHint) {
                $0.inputmode = "decimal"
                $0.maxlength = "6"
                $0.optional = true
            },
            text("notes", values.notes, hint: "notesHint") { $0.optional = true },
        ]
    }
}
