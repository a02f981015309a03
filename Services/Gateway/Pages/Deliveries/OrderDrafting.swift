import PlainText
import WireProtocol

// What was typed of an order, read into a draft; and what is wrong with it, at its field.

extension OrderValues {
    /// Reads all of it. The same fields make the same draft at any time, so that a form that is sent twice is one request.
    func draft(insteadOf order: DeliveryOrder? = nil, currency: String, in words: Words) -> (OrderDraft, FieldErrors) {
        var errors = FieldErrors(words)
        var draft = OrderDraft()
        switch source {
        case .restaurants: readRestaurants(into: &draft, &errors)
        case .around: readAround(into: &draft, &errors)
        }
        Self.check(to, "to", &errors)
        draft.dropOff = dropOff(insteadOf: order)
        draft.door = door
        readMoney(into: &draft, currency, &errors)
        draft.availability = asking
        draft.rollsOn = asking == nil ? nil : rollsOn
        draft.minutes = minutes.isEmpty ? nil : Int(minutes) ?? 0
        return (draft, errors)
    }

    /// Those that were left empty are none, but the only one.
    private func readRestaurants(into draft: inout OrderDraft, _ errors: inout FieldErrors) {
        draft.from = []
        let isAlone = wanted.allSatisfy(\.isEmpty)
        for (index, one) in wanted.enumerated() where !one.isEmpty || (isAlone && index == 0) {
            let name = Self.name("restaurant", index)
            Self.check(one.restaurant.answer, name, &errors)
            if one.items.isEmpty {
                let items = Self.name("items", index)
                errors.add(items, "required", topic: Self.topic(items))
            }
            draft.from?.append(OrderedFromDraft(restaurant: one.restaurant.place, items: one.items))
        }
    }

    private func readAround(into draft: inout OrderDraft, _ errors: inout FieldErrors) {
        Self.check(around, "around", &errors)
        if aroundItems.isEmpty { errors.add("aroundItems", "required", topic: Self.topic("aroundItems")) }
        draft.around = OrderedAroundDraft(
            position: around.chosen?.position, radius: Int(radius) ?? 0, items: aroundItems)
    }

    private static func check(_ answer: PlaceAnswer, _ name: String, _ errors: inout FieldErrors) {
        if let trouble = answer.trouble {
            errors.add(name, trouble.rawValue, topic: topic(name))
        } else if answer.chosen == nil {
            errors.add(name, "required", topic: topic(name))
        }
    }

    private func dropOff(insteadOf order: DeliveryOrder?) -> DropOffDraft? {
        guard let chosen = to.chosen else { return nil }
        // A place that Places knows stays one.
        let place = order.flatMap { $0.dropOff.choice == chosen ? $0.dropOff.place : nil }
        return place.map { DropOffDraft(place: $0) } ?? DropOffDraft(name: chosen.label, position: chosen.position)
    }

    private func readMoney(into draft: inout OrderDraft, _ currency: String, _ errors: inout FieldErrors) {
        draft.fee = DeliveryMoney.read(fee, currency: currency)
        if draft.fee == nil { errors.add("fee", "malformed", topic: Self.topic("fee")) }
        draft.paidBy = paidBy
        switch goods {
        case .bought:
            let most = limit.isEmpty ? nil : DeliveryMoney.read(limit, currency: currency)
            if most == nil { errors.add("limit", limit.isEmpty ? "required" : "malformed", topic: Self.topic("limit")) }
            draft.limit = most
        case .prepaid:
            // The code is told to nobody again, not even to who has typed it.
            if code.isEmpty, !wasPrepaid { errors.add("code", "required", topic: Self.topic("code")) }
            draft.pickUpCode = code.nonEmpty
        }
    }

    // MARK: What the service says

    /// By what of the catalogue the fields' errors are said.
    static func topic(_ field: String) -> String {
        if field.hasPrefix("restaurant") { return "orderRestaurant" }
        if field.hasPrefix("items") || field == "aroundItems" { return "orderItems" }
        switch field {
        case "to": return "orderTo"
        case "around": return "orderAround"
        case "radius": return "orderRadius"
        case "fee": return "orderFee"
        case "limit": return "orderLimit"
        case "code": return "orderCode"
        case "door": return "orderDoor"
        case "minutes": return "orderMinutes"
        default: return "orderAsking"
        }
    }

    /// What the service says of the fields, as the form calls them.
    func errors(_ error: ServiceError, in words: Words) -> FieldErrors {
        var errors = FieldErrors(words)
        for wrong in error.errors {
            let name = name(of: wrong.field)
            errors.add(name, wrong.code, topic: Self.topic(name), otherwise: wrong.message)
        }
        return errors
    }

    /// What the form calls a field of the draft: `from.1.items` is what is wanted from the second restaurant that was named.
    private func name(of field: String) -> String {
        let parts = field.split(separator: ".").map(String.init)
        switch parts.first {
        case "from":
            let index = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            return Self.name(parts.last == "items" ? "items" : "restaurant", place(of: index))
        case "around": return parts.last == "items" ? "aroundItems" : parts.last == "radius" ? "radius" : "around"
        case "dropOff": return "to"
        case "pickUpCode": return "code"
        case "availability", "rollsOn": return "asking"
        case "paidBy": return "limit"
        default: return parts.first ?? field
        }
    }

    /// Where in the form a restaurant stands: those that were left empty were not sent.
    private func place(of index: Int) -> Int {
        let said = wanted.indices.filter { !wanted[$0].isEmpty }
        return said.indices.contains(index) ? said[index] : 0
    }
}
