import FoundationEssentials
import WireProtocol

/// What of a commute is said wherever it is named.
struct CommuteView {
    var href: String
    /// `Mondays and Wednesdays 08:00, Espoo → Helsinki, until 17 December`
    var sentence: String
    /// `Espoo → Helsinki`
    var way: String
    /// `Mondays and Wednesdays 08:00, until 17 December`
    var rhythm: String
    /// `12 rides until 17 December; the first on Monday, 30 November`
    var number: String

    init(_ commute: RideSeries, in visit: Visit) {
        let (words, zone) = (visit.words, commute.zone(in: visit))
        let (days, values) = (CommuteDays(zone, in: visit), OfferValues(commute, in: visit))
        let stops = commute.ride.stops ?? []
        href = commute.path
        way = words["rides.way", ["from": stops.first?.name ?? "", "to": stops.last?.name ?? ""]]
        let until = days.short(commute.until)
        var said = ["days": Weekday.said(commute.weekdays, in: words), "time": values.time, "until": until]
        if !values.until.isEmpty { said["time"] = "\(values.time) – \(values.until)" }
        if values.wayBack.isOn { said["back"] = values.wayBack.time }
        rhythm = words["commutes.rhythm", said]
        said["way"] = way
        sentence = words["commutes.sentence", said]
        let all = commute.days
        let first = all.first.map(days.named) ?? days.named(commute.from)
        number =
            words[
                "commutes.number.\(values.wayBack.isOn ? "both" : "rides")", ["until": until, "first": first],
                count: all.count]
    }
}

extension RideSeries {
    var path: String { "\(CommutesPage.path)/\(id)" }

    func zone(in visit: Visit) -> String { ride.zone ?? visit.community.zone }

    /// All its days, without those on which it is known that there is no ride.
    var days: [CivilDay] {
        guard let first = CivilDay(from), let last = CivilDay(until), first <= last else { return [] }
        let left = Set(skips).union(gaps.map(\.day))
        return (first.number...last.number).map(CivilDay.init(number:)).filter {
            weekdays.contains($0.dayOfWeek) && !left.contains($0.text)
        }
    }
}
