import FoundationEssentials
import PlainText
import WireProtocol

/// A draft of an order that was checked, as a whole.
struct OrderWish: Hashable, Sendable {
    let source: OrderSource
    let dropOff: DeliveryPlace
    let door: String?
    let terms: OrderTerms
    let pickUpCode: String?
    let rollsOn: Bool
    let waitsUntil: Date

    /// - Parameters:
    ///   - before: the order as it was: what is absent stays.
    ///   - asked: who is asked for by name.
    /// - Throws: `invalid` with everything that is wrong.
    init(
        _ draft: OrderDraft, insteadOf before: PlacedOrder? = nil, asking asked: OfferedAvailability? = nil,
        among places: KnownPlaces, at now: Date, within limits: DeliveryLimits
    ) throws(DeliveryError) {
        var errors: [FieldError] = []
        let source = OrderSource(draft, insteadOf: before, among: places, &errors)
        let dropOff = DeliveryRules.dropOff(draft.dropOff, insteadOf: before?.dropOff, among: places, &errors)
        door =
            draft.door == nil
            ? before?.door : TextRule.line(DeliveryRules.longestDoor).read(draft.door, at: "door", &errors)
        let fee = draft.fee ?? before?.terms.fee
        errors += DeliveryRules.errors(in: fee, at: "fee", to: limits.highestFee, limits.currency)
        let goods = Self.goods(draft, insteadOf: before, within: limits, &errors)
        errors += DeliveryRules.errors(inMinutes: draft.minutes)
        errors += asked?.errors(bringing: source, for: fee) ?? []
        guard let source, let dropOff, errors.isEmpty else { throw .invalid(errors) }
        (self.source, self.dropOff, pickUpCode) = (source, dropOff, goods.code)
        terms = OrderTerms(
            fee: fee.flatMap { $0.amount > 0 ? $0 : nil },
            limit: goods.limit.map { Money(amount: $0.amount, currency: limits.currency) },
            paidBy: draft.paidBy ?? before?.terms.paidBy ?? .cash, isPrepaid: goods.code != nil)
        rollsOn = draft.rollsOn ?? before?.rollsOn ?? false
        let minutes = draft.minutes ?? DeliveryLimits.usualWait
        waitsUntil = before.flatMap { draft.minutes == nil ? $0.waitsUntil : nil } ?? now + Double(minutes) * 60
    }

    /// What may be spent, or by which code it is picked up that is paid for already: one of the two.
    private static func goods(
        _ draft: OrderDraft, insteadOf before: PlacedOrder?, within limits: DeliveryLimits,
        _ errors: inout [FieldError]
    ) -> (limit: Money?, code: String?) {
        let saysCode = draft.pickUpCode?.nonEmpty != nil
        var code = TextRule.line(DeliveryRules.longestPickUpCode).read(draft.pickUpCode, at: "pickUpCode", &errors)
        if draft.pickUpCode == nil, draft.limit == nil { code = before?.pickUpCode }
        let limit = draft.limit ?? (saysCode ? nil : before?.terms.limit)
        if limit == nil, !saysCode, code == nil {
            errors.append(FieldError("limit", "required", "Say how much may be spent at most."))
        }
        if limit != nil, saysCode {
            errors.append(FieldError("limit", "not_allowed", "Nothing is spent on what is paid for."))
        } else {
            errors += DeliveryRules.errors(in: limit, at: "limit", to: limits.highestLimit, limits.currency)
        }
        return (limit, code)
    }
}
