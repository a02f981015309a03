#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What a renter owes who cancels what was accepted. The README of listings' Rentals has it as a table.

extension CancellationPolicy {
    /// From so many seconds before the beginning on, so many percent; the earliest first.
    private func steps(_ unit: RentalUnit) -> [(notice: TimeInterval, share: Int)] {
        let (hour, day) = (3600.0, 86400.0)
        return switch (self, unit) {
        case (.flexible, .day): [(day, 0), (-.infinity, 50)]
        case (.flexible, .hour): [(hour, 0), (-.infinity, 50)]
        case (.moderate, .day): [(5 * day, 0), (day, 50), (-.infinity, 100)]
        case (.moderate, .hour): [(day, 0), (2 * hour, 50), (-.infinity, 100)]
        case (.strict, .day): [(14 * day, 0), (7 * day, 50), (-.infinity, 100)]
        case (.strict, .hour): [(2 * day, 0), (day, 50), (-.infinity, 100)]
        }
    }

    /// The share of the cost, in percent, that a renter owes who cancels so many seconds before the beginning.
    package func share(notice: TimeInterval, unit: RentalUnit) -> Int {
        steps(unit).first { notice >= $0.notice }?.share ?? 100
    }
}
