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

    /// Until how many seconds before the beginning that share holds, and which one follows; nil where none does.
    package func edge(notice: TimeInterval, unit: RentalUnit) -> (notice: TimeInterval, share: Int)? {
        let steps = steps(unit)
        guard let now = steps.firstIndex(where: { notice >= $0.notice }), now + 1 < steps.count else { return nil }
        return (steps[now].notice, steps[now + 1].share)
    }
}

/// What a renter owes who cancels what was accepted, and until when.
package struct CancellationCost: Hashable, Sendable {
    package var owed: Money
    /// The last moment at which it is that; nil where it stays so.
    package var until: Date?
    /// What it is after that.
    package var then: Money?
}

extension Rental {
    /// Nil where it costs nothing whenever it is: what is free, what was not accepted, and what its owner calls off.
    package func cancellationCost(at now: Date) -> CancellationCost? {
        guard role == .renter, state == .accepted, let cost else { return nil }
        func part(_ share: Int) -> Money { Money(amount: cost.amount * share / 100, currency: cost.currency) }
        let notice = startsAt.timeIntervalSince(now)
        let edge = terms.cancellation.edge(notice: notice, unit: terms.unit)
        return CancellationCost(
            owed: part(terms.cancellation.share(notice: notice, unit: terms.unit)),
            until: edge.map { startsAt - $0.notice }, then: edge.map { part($0.share) })
    }

    /// What the renter would owe after an act, in minor units; nil where whoever acts says it themselves, or nothing of it changes.
    package func owed(after act: RentalAct, at now: Date) -> Int? {
        switch act {
        case .accept: cost?.amount ?? 0
        case .cancel: cancellationCost(at: now)?.owed.amount ?? 0
        case .reportNoShow: role == .owner ? cost?.amount ?? 0 : 0
        case .decline, .handOver, .giveBack, .dispute, .explain, .settle: nil
        }
    }
}
