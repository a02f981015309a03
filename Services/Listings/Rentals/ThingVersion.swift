import DurableMessaging
import WireProtocol

/// What a thing's version is made of: a digest of each of the parts in which its owner says what it is. So a change of one part is no reason to
/// refuse a change of another that was begun before.
enum ThingVersion {
    /// Hexadecimal digits of each part.
    private static let digits = 16

    static func of(_ draft: ThingDraft) -> String { draft.parts.map(digest).joined() }

    /// Whether the parts that a change is about still say what they said when it was made up.
    /// - Parameters:
    ///   - change: leaves out what is to stay.
    ///   - now: the version that holds.
    static func allows(_ change: ThingDraft, _ now: String) -> Bool {
        guard let seen = change.version else { return true }
        let (before, after) = (Array(seen.utf8), Array(now.utf8))
        guard before.count == after.count else { return false }
        return change.parts.enumerated().allSatisfy { index, part in
            let range = index * digits..<(index + 1) * digits
            return part == ThingDraft() || before[range] == after[range]
        }
    }

    private static func digest(_ part: ThingDraft) -> String {
        let whole = ContentVersion.of(part) ?? String(repeating: "0", count: digits)
        return String(whole.prefix(digits))
    }
}

extension ThingDraft {
    /// What is said together: a form, or a step of one, asks for all of a part or for nothing of it.
    fileprivate var parts: [ThingDraft] {
        [
            ThingDraft(
                title: title, description: description, brand: brand, model: model, plate: plate, size: size),
            ThingDraft(region: region, place: place, address: address, position: position),
            ThingDraft(
                available: available, price: price, longest: longest, cancellation: cancellation,
                isInstant: isInstant, zone: zone),
            ThingDraft(photos: photos),
        ]
    }
}
