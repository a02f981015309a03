package import FoundationEssentials
package import WireProtocol

/// One thing after another. What is said of an order or a deliverer that the engine does not know, or that is past already, changes nothing.
extension MatchEngine {
    package mutating func placed(_ order: WaitingOrder, at now: Date) -> [Directive] {
        learn(order)
        guard let slot = orders.slot(of: order.id), orders[slot].stage == .waiting else { return [] }
        unwant(slot)
        return asking([place(slot, at: now)])
    }

    package mutating func came(_ deliverer: FreeDeliverer, at now: Date) -> [Directive] {
        learn(deliverer)
        guard let slot = deliverers.slot(of: deliverer.id) else { return [] }
        return asking(fill(slot, at: now))
    }

    /// The one who is asked brings it.
    package mutating func accepted(_ id: WaitingOrder.ID) {
        guard let slot = orders.slot(of: id), case .offered(let deliverer) = orders[slot].stage else { return }
        orders[slot].stage = .matched(deliverer)
        guard let asked = deliverers.slot(of: deliverer) else { return }
        deliverers[asked].asked.removeFirst(slot)
        deliverers[asked].carries.append(orders[slot].building)
    }

    /// The one who was asked, or had accepted, does not bring it: the next one is asked, and the hand is free for something else.
    package mutating func declined(_ id: WaitingOrder.ID, at now: Date) -> [Directive] {
        guard let slot = orders.slot(of: id), holder(of: slot) != nil else { return [] }
        orders[slot].declinedBy.append(orders[slot].asked)
        let hand = giveBack(slot)
        let mayGoOn = orders[slot].asks == nil || rollOn(slot)
        let next = mayGoOn ? place(slot, at: now) : .keepWaiting(id, .asksWhetherToRollOn)
        return asking([next] + (hand.map { fill($0, at: now) } ?? []))
    }

    /// The one who was asked said nothing for too long, which is as if they had declined.
    package mutating func expired(_ id: WaitingOrder.ID, at now: Date) -> [Directive] { declined(id, at: now) }

    /// Who was asked by name did not bring it, and anybody may now.
    package mutating func askedAnybody(_ id: WaitingOrder.ID, at now: Date) -> [Directive] {
        guard let slot = orders.slot(of: id), orders[slot].stage == .asking else { return [] }
        return asking([place(slot, at: now)])
    }

    /// The orderer takes it back. Who was asked has their turn back.
    package mutating func withdrawn(_ id: WaitingOrder.ID, at now: Date) -> [Directive] {
        guard let slot = orders.slot(of: id) else { return [] }
        if holder(of: slot) != nil {
            credits.share(among: orders[slot].chances, asked: orders[slot].asked, times: -1, at: now)
        }
        return end(slot, at: now)
    }

    /// It was brought, or ended otherwise after it was accepted.
    package mutating func completed(_ id: WaitingOrder.ID, at now: Date) -> [Directive] {
        guard let slot = orders.slot(of: id), case .matched = orders[slot].stage else { return [] }
        return end(slot, at: now)
    }

    private mutating func end(_ slot: Int32, at now: Date) -> [Directive] {
        let hand = giveBack(slot)
        forget(slot)
        return asking(hand.map { fill($0, at: now) } ?? [])
    }

    /// A deliverer is there no more. What they were asked for goes to others, and so does what waited for them by name; what they have accepted they bring.
    package mutating func ended(_ id: FreeDeliverer.ID, at now: Date) -> [Directive] {
        guard let slot = deliverers.slot(of: id) else { return [] }
        leave(slot)
        let named = orders.used.filter { orders[$0].stage == .waiting && orders[$0].asks == id }
        let left = (deliverers[slot].asked + named).sorted { orders.key($0) < orders.key($1) }
        deliverers.remove(id)
        for order in named { unwant(order) }
        return asking(left.map { place($0, at: now) })
    }

    /// A restaurant is closed. What could come from nowhere else ends.
    package mutating func closed(_ restaurant: PlaceID, until: Date, at now: Date) -> [Directive] {
        let number = ground.number(of: restaurant)
        closed[number] = until
        guard Int(number) < wanting.count else { return [] }
        return wanting[Int(number)].filter { isClosed($0, at: now) }.sorted { orders.key($0) < orders.key($1) }
            .map { lapse($0, .allClosed) }
    }

    private func holder(of slot: Int32) -> FreeDeliverer.ID? {
        switch orders[slot].stage {
        case .offered(let deliverer), .matched(let deliverer): deliverer
        case .waiting, .asking: nil
        }
    }

    /// Takes an order from who is asked for it or brings it.
    ///
    /// - Returns: the deliverer whose hand is free now, if they are still there.
    private mutating func giveBack(_ order: Int32) -> Int32? {
        guard let id = holder(of: order), let slot = deliverers.slot(of: id) else { return nil }
        deliverers[slot].asked.removeFirst(order)
        if case .matched = orders[order].stage { deliverers[slot].carries.removeFirst(orders[order].building) }
        deliverers[slot].taken -= 1
        enter(slot)
        return slot
    }
}
