package import WireProtocol

extension NoticeSentences {
    /// The typed values of a notice for the places `{time}`, `{amount}` and `{number}`, as this language writes them.
    package func places(of values: NoticeValues?) -> [String: String] {
        var places: [String: String] = [:]
        places["time"] = values?.time.flatMap(text(ofTime:))
        places["amount"] = values?.amount.map { MoneyText.text($0, in: code) }
        places["number"] = values?.number.map(String.init)
        return places
    }

    /// `1 December 2026`, `1 December 2026, 08:15`; nil for what is neither a day nor a time of one.
    private func text(ofTime time: String) -> String? {
        guard let (year, month, day) = CivilDay(time.prefix(10))?.civil, let dates = kinds["dates"] else { return nil }
        let months = dates["months"]?.filled([:])?.split(separator: " ") ?? []
        guard months.count == 12 else { return nil }
        let places = ["day": String(day), "month": String(months[month - 1]), "year": String(year)]
        guard let date = dates["day"]?.filled(places) else { return nil }
        return time.utf8.count == 16 ? dates["time"]?.filled(["date": date, "time": String(time.suffix(5))]) : date
    }
}
