import Foundation
import WireProtocol

extension RentalCrowd {
    /// A time zone without summer time, and what is counted there: days, or hours, from the last midnight on.
    struct Zone: Sendable {
        let name: String
        let unit: RentalUnit
        /// How many seconds clocks there are ahead of Greenwich's.
        private let ahead: Double
        /// Midnight, there, of the day on which it was chosen.
        private let today: Date

        private init(_ name: String, by unit: RentalUnit, ahead: Double, at now: Date) {
            (self.name, self.unit, self.ahead) = (name, unit, ahead)
            today = now - Self.sinceMidnight(now, ahead)
        }

        /// With the hours that clocks there are ahead of Greenwich's.
        private static let all: [(String, Double)] = [
            ("Pacific/Honolulu", -10), ("America/Phoenix", -7), ("America/Bogota", -5), ("America/Sao_Paulo", -3),
            ("Africa/Abidjan", 0), ("Africa/Johannesburg", 2), ("Asia/Dubai", 4), ("Asia/Dhaka", 6),
            ("Asia/Singapore", 8),
            ("Australia/Brisbane", 10), ("Pacific/Majuro", 12),
        ]

        /// By the day, where it is early in the afternoon: no day ends while a run takes less than seven hours.
        static func afternoon(at now: Date) -> Zone {
            // Nowhere are two of them four hours apart.
            let suitable = all.filter { sinceMidnight(now, $0.1 * 3600) >= 13 * 3600 }
            let (name, hours) =
                suitable.min { sinceMidnight(now, $0.1 * 3600) < sinceMidnight(now, $1.1 * 3600) } ?? all[0]
            return Zone(name, by: .day, ahead: hours * 3600, at: now)
        }

        /// By the hour, where hours begin at another time than nearly everywhere: who counts those of elsewhere is wrong by a quarter.
        static func quarters(at now: Date) -> Zone { Zone("Asia/Kathmandu", by: .hour, ahead: 20_700, at: now) }

        private static func sinceMidnight(_ now: Date, _ ahead: Double) -> Double {
            (now.timeIntervalSince1970 + ahead).truncatingRemainder(dividingBy: 86400)
        }

        private var length: TimeInterval { unit == .day ? 86400 : 3600 }

        func start(of number: Int) -> Date { today + Double(number) * length }

        /// The first that somebody can ask for: what is over before long may be over when it is asked for.
        func first(at now: Date) -> Int { Int(((now + 300).timeIntervalSince(today) / length).rounded(.down)) }

        /// As people say it: the first and the last day, or the hours at which it begins and ends.
        func period(_ span: Range<Int>) -> PeriodDraft {
            PeriodDraft(
                from: text(span.lowerBound), until: text(unit == .day ? span.upperBound - 1 : span.upperBound))
        }

        /// As `2026-12-01`, or `2026-12-01T14:00`.
        private func text(_ number: Int) -> String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            // A minute later, since moments are not kept to the last digit.
            let parts = calendar.dateComponents([.year, .month, .day, .hour], from: start(of: number) + ahead + 60)
            func padded(_ value: Int?, _ width: Int) -> String {
                let digits = String(value ?? 0)
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            let day = [padded(parts.year, 4), padded(parts.month, 2), padded(parts.day, 2)].joined(separator: "-")
            return unit == .day ? day : "\(day)T\(padded(parts.hour, 2)):00"
        }
    }
}
