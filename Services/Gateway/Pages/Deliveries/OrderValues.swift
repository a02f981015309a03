import PlainText
import WireProtocol

/// What somebody wants brought, as it was typed: read into a draft, or shown again.
struct OrderValues {
    /// Where it may come from.
    enum Source: String, CaseIterable { case restaurants, around }

    /// Whether who brings it spends something, or picks up what is paid for.
    enum Goods: String, CaseIterable { case bought, prepaid }

    /// A restaurant, and what is wanted from there.
    struct Wanted {
        var restaurant = RestaurantAnswer()
        var items = ""

        var isEmpty: Bool { restaurant.answer.text.isEmpty && items.isEmpty }
    }

    static let mostRestaurants = 8
    static let radii = [200, 400, 700, 1000]
    static let durations = [15, 30, 45, 60, 90, 120, 180]

    var source = Source.restaurants
    /// At least one.
    var wanted = [Wanted()]
    var around = PlaceAnswer()
    var radius = "400"
    var aroundItems = ""
    var to = PlaceAnswer()
    var door = ""
    var goods = Goods.bought
    var limit = ""
    var paidBy = OrderPayment.cash
    /// Of goods that are paid for. In a change an empty one leaves it as it was.
    var code = ""
    var fee = ""
    /// Who is asked for by name, as the page that led here named them.
    var asking: AvailabilityID?
    var asked = ""
    var rollsOn = false
    /// Empty of a change that leaves its time.
    var minutes = "60"
    /// Whether it is an order that is changed, and whether that was paid for before.
    var isChange = false
    var wasPrepaid = false

    init() {}

    init(_ form: SubmittedForm, insteadOf order: DeliveryOrder? = nil) {
        source = Source(rawValue: form["source"]) ?? source
        let number = min(Self.mostRestaurants, max(1, Int(form["restaurants"]) ?? 1))
        wanted = (0..<number).map {
            Wanted(restaurant: RestaurantAnswer(form, Self.name("restaurant", $0)), items: form[Self.name("items", $0)])
        }
        around = PlaceAnswer(form, "around")
        radius = form["radius"].nonEmpty ?? radius
        aroundItems = form["aroundItems"]
        to = PlaceAnswer(form, "to")
        door = form["door"]
        goods = Goods(rawValue: form["goods"]) ?? goods
        (limit, fee, code) = (form["limit"], form["fee"], form["code"])
        paidBy = OrderPayment(rawValue: form["paidBy"]) ?? paidBy
        (asking, asked) = (AvailabilityID(form["asking"]), form["asked"])
        rollsOn = form["rollsOn"] == "yes"
        minutes = form["minutes"]
        (isChange, wasPrepaid) = (order != nil, order?.terms.isPrepaid ?? false)
    }

    /// An order that is changed, or ordered again.
    init(_ order: DeliveryOrder, asChange: Bool) {
        (isChange, wasPrepaid) = (asChange, asChange && order.terms.isPrepaid)
        if let circle = order.around {
            source = .around
            let label = circle.position == order.dropOff.position ? order.dropOff.name : circle.position.shown
            around = PlaceAnswer(chosen: PlaceChoice(position: circle.position, label: label))
            (radius, aroundItems) = (String(circle.radius), circle.items)
        } else if !order.from.isEmpty {
            wanted = order.from.map { Wanted(restaurant: RestaurantAnswer($0.restaurant), items: $0.items) }
        }
        to = PlaceAnswer(chosen: order.dropOff.choice)
        door = order.door ?? ""
        goods = order.terms.isPrepaid ? .prepaid : .bought
        (limit, fee) = (DeliveryMoney.typed(order.terms.limit), DeliveryMoney.typed(order.terms.fee))
        if let amount = order.terms.limit?.amount, amount == 0 { limit = "0" }
        paidBy = order.terms.paidBy
        minutes = asChange ? "" : minutes
    }

    /// How the form calls the fields of the restaurant at this place.
    static func name(_ field: String, _ index: Int) -> String { "\(field)\(index + 1)" }

    /// Adds a restaurant, or takes one away, as a button of the form says.
    /// - Returns: whether it is one of these buttons.
    mutating func changeRestaurants(_ go: String) -> Bool {
        if go == "add" {
            if wanted.count < Self.mostRestaurants { wanted.append(Wanted()) }
            return true
        }
        guard go.hasPrefix("drop ") else { return false }
        if let index = Int(go.dropFirst(5)), wanted.indices.contains(index), wanted.count > 1 {
            wanted.remove(at: index)
        }
        return true
    }

    /// What only places knows: which of them are meant that were typed and not chosen.
    /// - Parameter order: whose places are known.
    mutating func lookUp(insteadOf order: DeliveryOrder? = nil, in visit: Visit) async {
        let center = visit.community.center
        await to.lookUp(near: center, in: visit)
        let near = to.chosen?.position ?? center
        guard source == .restaurants else { return await around.lookUp(near: near, in: visit) }
        let known = order?.from.map(\.restaurant) ?? []
        for index in wanted.indices { await wanted[index].restaurant.lookUp(near: near, known: known, in: visit) }
    }
}
