import PlainText
import WireProtocol

/// What the form says in which somebody offers to bring something along, as it was typed.
struct DeliverValues {
    var restaurant = RestaurantAnswer()
    var dropOff = PlaceAnswer()
    var capacity = "1"
    var detour = "150"
    /// Empty for the time that was said before.
    var minutes = "30"
    var leastFee = ""
    var isListed = true

    static let capacities = 1...4
    static let detours = [0, 150, 300, 500]
    static let durations = [15, 30, 45, 60, 90, 120, 180]

    init() {}

    /// What is offered now.
    init(_ availability: Availability) {
        restaurant = RestaurantAnswer(availability.restaurant)
        dropOff = PlaceAnswer(chosen: availability.dropOff.choice)
        (capacity, detour, minutes) = (String(availability.capacity), String(availability.detour), "")
        leastFee = DeliveryMoney.typed(availability.leastFee)
        isListed = availability.isListed
    }

    init(_ form: SubmittedForm) {
        restaurant = RestaurantAnswer(form, "restaurant")
        dropOff = PlaceAnswer(form, "dropOff")
        (capacity, detour, minutes) = (form["capacity"], form["detour"], form["minutes"])
        leastFee = form["leastFee"]
        isListed = form["listed"] != "no"
    }

    mutating func lookUp(insteadOf availability: Availability?, in visit: Visit) async {
        let near = availability?.restaurant.position ?? visit.community.center
        await restaurant.lookUp(near: near, known: [availability?.restaurant].compactMap(\.self), in: visit)
        await dropOff.lookUp(near: restaurant.answer.chosen?.position ?? near, in: visit)
    }

    /// What was typed, as a draft that says all of it, and what of it can't be read.
    func draft(insteadOf availability: Availability?, currency: String, in words: Words) -> (
        AvailabilityDraft, FieldErrors
    ) {
        var errors = FieldErrors(words)
        for (name, answer) in [("restaurant", restaurant.answer), ("dropOff", dropOff)] {
            if let trouble = answer.trouble { errors.add(name, trouble.rawValue, topic: DeliverForm.topics[name]) }
            if answer.text.isEmpty { errors.add(name, "required", topic: DeliverForm.topics[name]) }
        }
        let fee = DeliveryMoney.read(leastFee, currency: currency)
        if fee == nil { errors.add("leastFee", "malformed", topic: DeliverForm.topics["leastFee"]) }
        // What is no number is out of range, and said at its field.
        let draft = AvailabilityDraft(
            restaurant: restaurant.place, dropOff: to(insteadOf: availability), capacity: Int(capacity) ?? 0,
            detour: Int(detour) ?? -1, minutes: minutes.isEmpty ? nil : Int(minutes) ?? 0,
            leastFee: fee, isListed: isListed)
        return (draft, errors)
    }

    private func to(insteadOf availability: Availability?) -> DropOffDraft? {
        guard let chosen = dropOff.chosen else { return nil }
        // A place that Places knows stays one.
        let place = availability.flatMap { $0.dropOff.choice == chosen ? $0.dropOff.place : nil }
        return place.map { DropOffDraft(place: $0) } ?? DropOffDraft(name: chosen.label, position: chosen.position)
    }
}
