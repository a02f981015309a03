import PlainText
import WireProtocol

// What was typed of a ride, read into a draft. The same fields make the same draft at any time, so that a form that is sent twice is one request.

/// What is offered: one ride, with its way back where there is one, or a commute.
enum OfferDraft {
    case ride(RideDraft)
    case commute(RideSeriesDraft)
}

extension OfferValues {
    /// Reads some steps of a draft, or says what is wrong with which field.
    func draft(
        _ steps: [OfferStep] = OfferStep.asking, currency: String, in words: Words
    ) -> (RideDraft, FieldErrors) {
        var errors = FieldErrors(words)
        var draft = RideDraft()
        if steps.contains(.place) { readPlaces(into: &draft, &errors) }
        if steps.contains(.when) { readTimes(into: &draft, &errors) }
        if steps.contains(.seats) { readTerms(into: &draft, currency, &errors) }
        return (draft, errors)
    }

    /// Reads all of what is offered, or says what is wrong with which field.
    func offer(currency: String, in words: Words) -> (OfferDraft, FieldErrors) {
        let (draft, errors) = self.draft(currency: currency, in: words)
        guard isCommute else { return (.ride(draft), errors) }
        return (.commute(commute(draft)), errors)
    }

    private func commute(_ ride: RideDraft) -> RideSeriesDraft {
        RideSeriesDraft(
            ride: ride, weekdays: repeats.weekdays, until: repeats.last, skips: repeats.skips, version: version)
    }

    /// What of a change is said: where and when it goes only where that is something else than it was.
    func change(isWayOpen: Bool, currency: String, in words: Words) -> (RideDraft, FieldErrors) {
        var steps: [OfferStep] = [.seats]
        if isWayOpen, way != wayBefore { steps.append(.place) }
        if times != timesBefore { steps.append(.when) }
        var (draft, errors) = self.draft(steps, currency: currency, in: words)
        requireDetour(&errors)
        draft.version = version
        return (draft, errors)
    }

    /// What of a commute's change is said: its way only where that is another one than it was, all else as a whole.
    func change(of commute: RideSeries, currency: String, in words: Words) -> (RideSeriesDraft, FieldErrors) {
        let steps: [OfferStep] = way == wayBefore ? [.when, .seats] : OfferStep.asking
        let (draft, read) = self.draft(steps, currency: currency, in: words)
        var errors = read
        // A commute that says none has what is usual.
        if commute.ride.maxDetour != nil { requireDetour(&errors) }
        return (self.commute(draft), errors)
    }

    /// What a change leaves out stays, so an empty field would change nothing.
    private func requireDetour(_ errors: inout FieldErrors) {
        if detour.isEmpty { errors.add("detour", "required", topic: Self.topic("detour")) }
    }

    private func readPlaces(into draft: inout RideDraft, _ errors: inout FieldErrors) {
        for (name, answer) in places {
            if let trouble = answer.trouble {
                errors.add(name, trouble.rawValue, topic: Self.topic(name))
            } else if answer.chosen == nil {
                errors.add(name, "required", topic: Self.topic(name))
            }
        }
        draft.stops = places.compactMap { $0.answer.chosen }.map {
            RideStopDraft(name: $0.open, address: $0.door, position: $0.position)
        }
    }

    private func readTimes(into draft: inout RideDraft, _ errors: inout FieldErrors) {
        let (said, clock) = (CivilDay(day), Self.clock(time))
        if said == nil { errors.add("day", day.isEmpty ? "required" : "not_a_day", topic: Self.topic("day")) }
        if clock == nil { errors.add("time", time.isEmpty ? "no_time" : "not_a_time", topic: Self.topic("time")) }
        let latest = Self.clock(until)
        if latest == nil, !until.isEmpty { errors.add("until", "not_a_time", topic: Self.topic("until")) }
        if isCommute { repeats.check(&errors) }
        let leaves = said.flatMap { day in clock.map { (day: day, clock: $0) } }
        if hasWayBack {
            var back = draft.returnRide ?? ReturnDraft()
            wayBack.readTimes(after: leaves, isCommute: isCommute, subject, into: &back, &errors)
            draft.returnRide = back
        }
        guard let (first, clock) = leaves else { return }
        draft.departsAt = "\(first.text)T\(clock)"
        draft.zone = zone.nonEmpty
        // In a change an empty one takes away what was there.
        draft.leavesBy = latest.map { Self.latest($0, after: clock, on: first) } ?? (version == nil ? nil : "")
    }

    /// The later time of a ride that leaves between two: what is earlier on the clock is meant on the next day.
    static func latest(_ until: String, after clock: String, on day: CivilDay) -> String {
        "\((until > clock ? day : day + 1).text)T\(until)"
    }

    /// `17:00`, also where seconds follow; nil where it is no time of day.
    static func clock(_ text: String) -> String? {
        let bytes = Array(text.utf8.prefix(5))
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), text.utf8.count == 5 || text.utf8.count == 8,
            let hour = CivilDay.digits(bytes[0..<2]), hour < 24, let minute = CivilDay.digits(bytes[3..<5]), minute < 60
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func readTerms(into draft: inout RideDraft, _ currency: String, _ errors: inout FieldErrors) {
        draft.seats = Int(seats)
        if draft.seats == nil {
            errors.add("seats", seats.isEmpty ? "required" : "malformed", topic: Self.topic("seats"))
        }
        // Zero costs nothing, and takes away what it cost before.
        let amount = cost.isEmpty ? 0 : Price.amount(cost, currency: currency)
        if let amount { draft.cost = Money(amount: amount, currency: currency) }
        if amount == nil { errors.add("cost", "malformed", topic: Self.topic("cost")) }
        draft.maxDetour = Kilometres.metres(detour)
        if draft.maxDetour == nil, !detour.isEmpty { errors.add("detour", "malformed", topic: Self.topic("detour")) }
        (draft.luggage, draft.accepts, draft.notes) = (luggage, accepts, notes)
        guard hasWayBack else { return }
        var back = draft.returnRide ?? ReturnDraft()
        wayBack.readTerms(into: &back, currency, &errors)
        if subject == .commute { (back.seats, back.cost) = (back.seats ?? draft.seats, back.cost ?? draft.cost) }
        draft.returnRide = back
    }
}
