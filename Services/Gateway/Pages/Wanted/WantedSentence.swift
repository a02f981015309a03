import PlainText
import WireProtocol

/// What a standing search looks for, in one sentence. A vertical more adds its words here.
enum WantedSentence {
    /// - Parameters:
    ///   - around: what the point is called around which spots are looked for; nil where nobody knows.
    ///   - currency: that of prices.
    static func text(_ query: WantedQuery, around: String? = nil, currency: String, in words: Words) -> String {
        if let spots = query.spots { return spot(spots, around, words) }
        return query.things.map { thing($0, currency, words) } ?? words["wanted.sentence.other"]
    }

    private static func spot(_ query: SpotQuery, _ around: String?, _ words: Words) -> String {
        // As far as the service looks where nothing is said.
        var values = ["reach": Distance.reach(query.radius ?? 1000, in: words)]
        values["place"] = around ?? query.near?.shown
        return words["wanted.sentence.spot", values]
    }

    private static func thing(_ query: ThingQuery, _ currency: String, _ words: Words) -> String {
        var values: [String: String] = [:]
        values["make"] = [query.brand, query.model].compactMap { $0?.nonEmpty }.joined(separator: " ").nonEmpty
        values["words"] = query.q?.nonEmpty
        values["region"] = query.region?.nonEmpty
        switch query.highestPrice {
        case 0?: values["none"] = ""
        case let amount?: values["price"] = Price.text(Money(amount: amount, currency: currency), in: words)
        case nil: break
        }
        if let from = query.from, let until = query.until {
            values["period"] = CivilText.period(from, until, in: words)
        }
        return words["wanted.sentence.\(query.kind?.rawValue ?? "thing")", values]
    }
}

/// How much a search would tell, in words.
enum WantedOften {
    /// `About three a week`
    static func text(_ estimate: WantedEstimate, in words: Words) -> String {
        let month = estimate.perMonth
        switch month {
        case ..<1: return words[estimate.fitting > 0 ? "wanted.often.rarely" : "wanted.often.never"]
        case ..<4: return said("month", month, words)
        case ..<25: return said("week", (month * 7 + 15) / 30, words)
        default: return said("day", (month + 15) / 30, words)
        }
    }

    private static func said(_ unit: String, _ number: Int, _ words: Words) -> String {
        let names = words["wanted.often.numbers"].split(separator: " ").map(String.init)
        let name = names.indices.contains(number - 1) ? names[number - 1] : nil
        return words["wanted.often.\(unit)", ["n": name ?? words["wanted.often.number", ["n": String(number)]]]]
    }

    /// `3 fit now`; where it is not counted any further, `100 or more fit now`.
    static func fitting(_ estimate: WantedEstimate, in words: Words) -> String {
        estimate.fitting >= WantedEstimate.mostFitting
            ? words["wanted.fitMany", ["n": String(WantedEstimate.mostFitting)]]
            : words["wanted.fit", count: estimate.fitting]
    }
}
