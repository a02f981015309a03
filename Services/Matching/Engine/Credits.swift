package import FoundationEssentials
import WireProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The chances that somebody had beyond the offers that they got.
///
/// Fair means: over time each person gets the share of offers that their chances would give them by lot. Where several fit, each of the k gets 1/k, and who is asked pays 1.
package struct Credit: Hashable, Sendable {
    package var value: Double
    package var asOf: Date

    package init(value: Double, asOf: Date) { (self.value, self.asOf) = (value, asOf) }

    /// What is left of it, as it halves in so many seconds.
    package func value(at now: Date, halfLife: Double) -> Double {
        let age = now.timeIntervalSince(asOf)
        return value == 0 || age <= 0 ? value : value * exp2(-age / halfLife)
    }
}

/// The credits of all, by the numbers of persons.
struct CreditBook: Sendable {
    private var credits: [Credit] = []
    private var isChanged: [Bool] = []
    private var changed: [Int32] = []
    let halfLife: Double

    init(halfLife: Double) { self.halfLife = halfLife }

    func value(of person: Int32, at now: Date) -> Double {
        Int(person) < credits.count ? credits[Int(person)].value(at: now, halfLife: halfLife) : 0
    }

    mutating func set(_ credit: Credit, of person: Int32) {
        makeRoom(for: person)
        credits[Int(person)] = credit
    }

    /// An offer was made to one of those who could have been asked; or, with -1, was taken back.
    mutating func share(among persons: [Int32], asked: Int32, times sign: Double, at now: Date) {
        guard persons.count > 1 else { return }
        for person in persons { add(sign / Double(persons.count), to: person, at: now) }
        add(-sign, to: asked, at: now)
    }

    private mutating func add(_ amount: Double, to person: Int32, at now: Date) {
        makeRoom(for: person)
        credits[Int(person)] = Credit(value: value(of: person, at: now) + amount, asOf: now)
        if !isChanged[Int(person)] {
            isChanged[Int(person)] = true
            changed.append(person)
        }
    }

    private mutating func makeRoom(for person: Int32) {
        while credits.count <= Int(person) {
            credits.append(Credit(value: 0, asOf: .distantPast))
            isChanged.append(false)
        }
    }

    mutating func takeChanged() -> [(person: Int32, credit: Credit)] {
        defer { changed = [] }
        for person in changed { isChanged[Int(person)] = false }
        return changed.map { ($0, credits[Int($0)]) }
    }
}
