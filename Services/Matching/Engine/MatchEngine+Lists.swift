/// Who is at a restaurant, and who waits for one.
extension MatchEngine {
    /// Its lists, where somebody is there for the first time; and the orders of circles that it lies in take it as well.
    mutating func open(_ restaurant: Int32) {
        makeLists()
        guard !isRestaurant[Int(restaurant)], let point = ground.point(restaurant) else { return }
        isRestaurant[Int(restaurant)] = true
        restaurants[Cube(point), default: []].append(restaurant)
        for slot in Cube(point).withNeighbours.flatMap({ circles[$0] ?? [] }) {
            guard let circle = orders[slot].circle, isInside(restaurant, circle) else { continue }
            orders[slot].restaurants.append(restaurant)
            if orders[slot].stage == .waiting { wanting[Int(restaurant)].append(slot) }
        }
    }

    func isInside(_ restaurant: Int32, _ circle: (middle: Point, metres: Double)) -> Bool {
        ground.point(restaurant).map { $0.metres(to: circle.middle) <= circle.metres } ?? false
    }

    private mutating func makeLists() {
        while here.count < ground.count {
            here.append([])
            wanting.append([])
            isRestaurant.append(false)
        }
    }

    mutating func enter(_ slot: Int32) {
        let entry = deliverers[slot]
        guard entry.place < 0, entry.free > 0 else { return }
        deliverers[slot].place = Int32(here[Int(entry.restaurant)].count)
        here[Int(entry.restaurant)].append(
            Standing(
                deliverer: slot, building: entry.building, point: entry.point, reach: entry.trip + entry.detour))
    }

    mutating func leave(_ slot: Int32) {
        let (restaurant, place) = (Int(deliverers[slot].restaurant), deliverers[slot].place)
        guard place >= 0, let last = here[restaurant].popLast() else { return }
        if last.deliverer != slot {
            here[restaurant][Int(place)] = last
            deliverers[last.deliverer].place = place
        }
        deliverers[slot].place = -1
    }

    mutating func want(_ slot: Int32) {
        makeLists()
        orders[slot].stage = .waiting
        for restaurant in orders[slot].restaurants { wanting[Int(restaurant)].append(slot) }
    }

    mutating func unwant(_ slot: Int32) {
        for restaurant in orders[slot].restaurants { wanting[Int(restaurant)].removeFirst(slot) }
    }

    /// Takes an order out of everything.
    mutating func forget(_ slot: Int32) {
        if orders[slot].stage == .waiting { unwant(slot) }
        if let circle = orders[slot].circle { circles[Cube(circle.middle)]?.removeFirst(slot) }
        orders.remove(orders.key(slot))
    }
}

extension [Int32] {
    /// The order of the others may change.
    mutating func removeFirst(_ slot: Int32) {
        guard let place = firstIndex(of: slot) else { return }
        swapAt(place, count - 1)
        removeLast()
    }
}
