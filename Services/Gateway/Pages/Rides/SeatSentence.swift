import FoundationEssentials
import WireProtocol

/// How a request for seats stands, in words (`rides/said`).
struct SeatSentence {
    var before: String
    /// By the reader's clocks.
    var moment: Moment?
    var after: String
    /// Of a time by the ride's clocks: what others show then.
    var elsewhere: RideZone?

    init(_ sentence: TimedSentence) {
        (before, moment, after) = (sentence.before, sentence.moment, sentence.after)
    }

    /// `Be there: Friday, 6 March 2026, 17:00 (Helsinki).`
    /// - Parameter date: when something of the ride is.
    init(_ key: String, _ values: [String: String], onTheWay date: Date, in zone: String, _ visit: Visit) {
        let words = visit.words
        let time = RideClock(zone, in: words).moment(date)
        let said = words["seats.at", ["time": time, "zone": CivilText.city(of: zone)]]
        before = words[key, values.merging(["time": said]) { $1 }]
        after = ""
        elsewhere = RideZone(zone, at: date, in: visit)
    }
}
