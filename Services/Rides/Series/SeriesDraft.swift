import WireProtocol

// What a series says of its rides, and what of that changes. No I/O and no clock.

extension RideDraft {
    /// What a change leaves out stays.
    func saying(_ change: RideDraft) -> RideDraft {
        RideDraft(
            stops: change.stops ?? stops, departsAt: change.departsAt ?? departsAt,
            leavesBy: change.leavesBy ?? leavesBy,
            zone: change.zone ?? zone, seats: change.seats ?? seats, cost: change.cost ?? cost,
            maxDetour: change.maxDetour ?? maxDetour, luggage: change.luggage ?? luggage,
            accepts: change.accepts ?? accepts, notes: change.notes ?? notes,
            returnRide: wayBack(saying: change.returnRide))
    }

    /// A departure that is empty takes the way back away.
    private func wayBack(saying change: ReturnDraft?) -> ReturnDraft? {
        change?.departsAt == "" ? nil : returnRide.map { $0.saying(change) } ?? change
    }

    /// What it says that another one did not: so rides follow a change of their series in what it changes, and in nothing else that their driver
    /// has said of one of them.
    /// - Returns: Nil where that is nothing.
    func change(since before: RideDraft) -> RideDraft? {
        var change = RideDraft()
        if stops != before.stops { change.stops = stops }
        if departsAt != before.departsAt || leavesBy != before.leavesBy || zone != before.zone {
            (change.departsAt, change.leavesBy, change.zone) = (departsAt, leavesBy ?? "", zone)
        }
        if seats != before.seats { change.seats = seats }
        if cost != before.cost { change.cost = cost ?? before.cost.map { Money(amount: 0, currency: $0.currency) } }
        if maxDetour != before.maxDetour { change.maxDetour = maxDetour }
        if luggage != before.luggage { change.luggage = luggage }
        if accepts != before.accepts { change.accepts = accepts }
        if notes != before.notes { change.notes = notes ?? "" }
        return change == RideDraft() ? nil : change
    }
}

extension ReturnDraft {
    fileprivate func saying(_ change: ReturnDraft?) -> ReturnDraft {
        ReturnDraft(
            stops: change?.stops ?? stops, departsAt: change?.departsAt ?? departsAt,
            leavesBy: change?.leavesBy ?? leavesBy, seats: change?.seats ?? seats, cost: change?.cost ?? cost)
    }
}

extension RideWay {
    /// As its driver says it.
    var drafts: [RideStopDraft] {
        stops.map { RideStopDraft(name: $0.name, address: $0.address, position: $0.position) }
    }
}
