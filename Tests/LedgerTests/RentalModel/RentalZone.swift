import Foundation

extension RentalCrowd {
    /// A time zone without summer time, in which it is early in the afternoon: what may be done from half a day after the beginning may be done today, and no
    /// day ends while a run takes less than seven hours.
    struct Zone: Sendable {
        let name: String
        private let hours: Int
        /// Midnight, there, of the day on which it was chosen.
        private let today: Date

        private static let all = [
            ("Pacific/Honolulu", -10), ("America/Phoenix", -7), ("America/Bogota", -5), ("America/Sao_Paulo", -3),
            ("Africa/Abidjan", 0), ("Africa/Johannesburg", 2), ("Asia/Dubai", 4), ("Asia/Dhaka", 6),
            ("Asia/Singapore", 8),
            ("Australia/Brisbane", 10), ("Pacific/Majuro", 12),
        ]

        static func afternoon(at now: Date) -> Zone {
            func sinceMidnight(_ hours: Int) -> Double {
                (now.timeIntervalSince1970 + Double(hours) * 3600).truncatingRemainder(dividingBy: 86400)
            }
            // Nowhere are two of them four hours apart.
            let suitable = all.filter { sinceMidnight($0.1) >= 13 * 3600 }
            let (name, hours) = suitable.min { sinceMidnight($0.1) < sinceMidnight($1.1) } ?? all[0]
            return Zone(name: name, hours: hours, today: now - sinceMidnight(hours))
        }

        func start(of day: Int) -> Date { today + Double(day) * 86400 }

        /// As `2026-12-01`.
        func day(_ number: Int) -> String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: start(of: number) + Double(hours) * 3600 + 60)
            func padded(_ value: Int?, _ width: Int) -> String {
                let digits = String(value ?? 0)
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            return [padded(parts.year, 4), padded(parts.month, 2), padded(parts.day, 2)].joined(separator: "-")
        }
    }
}
