import DurableMessaging
import FoundationEssentials
import PlainText
import WireProtocol

/// What the one who posts a spot says about it.
struct SpotDetails: Hashable, Sendable {
    var name: String
    var position: Position
    var kind: SpotKind
    var photo: String?
    /// Nil where it costs nothing.
    var price: Money?

    /// Names what it says.
    var version: String? {
        ContentVersion.of(SpotDraft(name: name, position: position, photo: photo, price: price, kind: kind))
    }
}

/// A draft that was checked.
struct SpotOffer: Hashable, Sendable {
    let details: SpotDetails
    /// Nil where the draft leaves it open.
    let expiresAt: Date?

    /// - Throws: `invalid` with everything that is wrong, so that a person can mend it in one go.
    init(_ draft: SpotDraft, at now: Date, within limits: SpotLimits) throws(SpotError) {
        var errors: [FieldError] = []
        let name = TextRule.line(SpotRules.longestName).read(
            draft.name, at: "name", &errors, required: "Give the spot a name, such as the street.")
        details = SpotDetails(
            name: name ?? "", position: draft.position, kind: draft.kind ?? .street, photo: draft.photo,
            price: draft.price?.amount == 0 ? nil : draft.price)
        let latest = now + limits.lifetime(of: details.kind)
        errors +=
            FieldRules.errors(in: details.position) + FieldRules.errors(inPhoto: details.photo)
            + SpotRules.errors(in: details.price, currency: limits.currency)
            + SpotRules.errors(inExpiry: draft.expiresAt, now: now, latest: latest)
            + SpotRules.errors(inLifetime: draft.lifetime, of: draft, longest: limits.lifetime(of: details.kind))
        guard errors.isEmpty else { throw .invalid(errors) }
        expiresAt =
            switch draft.lifetime {
            case .minutes(let minutes): now + Double(minutes) * 60
            case .longest: latest
            case nil: draft.expiresAt.map { min($0, latest) }
            }
    }
}

/// What the fields of a draft must be. Each rule answers with the errors at its field.
enum SpotRules {
    static let longestName = 120
    static let highestPrice = 1_000_000
    /// By how many seconds a person's clock may be ahead of ours when they ask for the longest time.
    static let clockTolerance: TimeInterval = 60

    static func errors(in price: Money?, currency: String) -> [FieldError] {
        guard let price else { return [] }
        var errors: [FieldError] = []
        if price.amount < 0 {
            errors.append(FieldError("price.amount", "out_of_range", "A price can't be below zero."))
        } else if price.amount > highestPrice {
            errors.append(FieldError("price.amount", "out_of_range", "This is more than a spot may cost."))
        }
        if price.currency != currency {
            errors.append(FieldError("price.currency", "wrong_currency", "Prices are in \(currency) here."))
        }
        return errors
    }

    static func errors(inExpiry expiresAt: Date?, now: Date, latest: Date) -> [FieldError] {
        guard let expiresAt else { return [] }
        if expiresAt <= now { return [FieldError("expiresAt", "past", "This time is over already.")] }
        guard expiresAt > latest + clockTolerance else { return [] }
        let minutes = Int((latest.timeIntervalSince(now) / 60).rounded())
        return [FieldError("expiresAt", "too_late", "At most \(minutes) minutes from now.")]
    }

    static func errors(inLifetime lifetime: SpotLifetime?, of draft: SpotDraft, longest: TimeInterval) -> [FieldError] {
        guard let lifetime else { return [] }
        if draft.expiresAt != nil {
            return [FieldError("lifetime", "not_both", "Give expiresAt or lifetime, not both.")]
        }
        guard case .minutes(let minutes) = lifetime else { return [] }
        if minutes < 1 { return [FieldError("lifetime", "out_of_range", "At least one minute.")] }
        guard Double(minutes) * 60 > longest else { return [] }
        return [FieldError("lifetime", "too_late", "At most \(Int(longest / 60)) minutes.")]
    }
}
