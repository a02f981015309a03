import HTTPTypes
import Hummingbird
import WireProtocol

/// `/rides/{id}/change`: changes a ride that one drives. Where somebody has asked for a seat or has one, its way stays.
struct OfferChangePage {
    var back: String
    var ride: String
    var action: String
    var problem: String?
    var key: String
    /// Of the ride, as the form was made of it.
    var version: String?
    var zone: String
    var wayBefore: String?
    var timesBefore: String?
    var meanwhile: Meanwhile?
    /// Whether somebody counts on the way.
    var isWayClosed: Bool
    var way: [String]
    /// That who rides along is told, or asked whether they keep their seat.
    var told: String?
    /// Where all of its days are changed, of a ride of a commute.
    var commute: String?
    var form: OfferForm

    static func register(on routes: PageRoutes) {
        routes.get("/rides/{id}/change") { visit in
            let ride = try await visit.ownRide()
            guard ride.possible.contains(.change) else { return visit.redirect(to: ride.path) }
            return try await show(ride, OfferValues(ride), in: visit)
        }
        routes.post("/rides/{id}/change") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await change(try await visit.ownRide(), form, visit)
        }
    }

    private static func change(_ ride: Ride, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = OfferValues(form, of: .ride)
        let key = Visit.key(form)
        // A form whose way could not be changed says nothing of it.
        let isWayOpen = form["way"] == "open"
        if !isWayOpen { values.take(wayOf: ride) }
        if values.changeStops(form["go"]) { return try await show(ride, values, key: key, in: visit) }
        if isWayOpen { await values.lookUp(in: visit) }
        let (draft, errors) = values.change(
            isWayOpen: isWayOpen, currency: visit.community.currency, in: visit.words)
        guard errors.isEmpty else {
            return try await show(ride, values, errors, refusal: .invalid, key: key, in: visit)
        }
        do {
            _ = try await visit.command(RidesMethods.changeRide, RideReference(id: ride.id), draft, of: form)
            return visit.redirect(to: ride.path, done: "saved")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: ride.path, done: "savedBefore")
        } catch let error as ServiceError where error.code == .changedMeanwhile {
            return try await changed(try await visit.ownRide(), values, isWayOpen, key: key, in: visit)
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await refused(try await visit.ownRide(), values, error, key: key, in: visit)
        }
    }

    /// The form as it was typed, beside what is saved by now. Sent once more, it replaces that.
    private static func changed(
        _ ride: Ride, _ typed: OfferValues, _ isWayOpen: Bool, key: String, in visit: Visit
    ) async throws -> Response {
        let now = OfferValues(ride)
        var values = typed
        (values.version, values.wayBefore, values.timesBefore) = (now.version, now.wayBefore, now.timesBefore)
        let kept = OfferFields(now, in: visit).said(besidesWay: isWayOpen)
        let sent = OfferFields(values, in: visit).said(besidesWay: isWayOpen)
        return try await show(ride, values, refusal: .changedMeanwhile, key: key, in: visit) { page in
            page.meanwhile = Meanwhile(kept, besides: sent, href: page.action, in: visit.words)
        }
    }

    private static func refused(
        _ ride: Ride, _ values: OfferValues, _ error: ServiceError, key: String, in visit: Visit
    ) async throws -> Response {
        // Departed, removed or over by now.
        if error.code == .wrongState { return visit.redirect(to: ride.path) }
        var errors = error.code == .overlaps ? FieldErrors(visit.words) : values.errors(error, in: visit)
        if error.code == .seatsTaken { errors.add("seats", "taken", topic: "offerSeats") }
        if error.code == .inUse { errors = FieldErrors(visit.words) }
        return try await show(ride, values, errors, refusal: error.code, key: key, in: visit) { page in
            if errors.isEmpty { page.problem = visit.toldOfRide(error) }
        }
    }

    // MARK: Showing

    private static func show(
        _ ride: Ride, _ values: OfferValues, _ errors: FieldErrors? = nil, refusal: ErrorCode? = nil,
        key: String = Visit.newKey(), in visit: Visit, with: (inout OfferChangePage) -> Void = { _ in }
    ) async throws -> Response {
        let isWayClosed = try await isUsed(ride, visit)
        var page = OfferChangePage(ride, values, isWayClosed: isWayClosed, errors, key: key, in: visit)
        with(&page)
        let frame = PageFrame(
            title: visit.words["offer.changing.title"], tab: .me, scripts: ["combobox"], styles: ["rentals", "rides"])
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("rides/offer-change", page, frame, status: status)
    }

    /// Whether somebody has asked for a seat or has one.
    private static func isUsed(_ ride: Ride, _ visit: Visit) async throws -> Bool {
        guard ride.passengers.isEmpty else { return true }
        let query = SeatRequestQuery(ride: ride.id, role: .driver, limit: 100)
        let found = try await visit.ask(RidesMethods.requests, query, Nothing())
        return found.items.contains { !$0.state.isOver }
    }

    private init(
        _ ride: Ride, _ values: OfferValues, isWayClosed: Bool, _ errors: FieldErrors?, key: String, in visit: Visit
    ) {
        let words = visit.words
        back = ride.path
        self.ride = ride.title(in: words)
        action = "\(ride.path)/change"
        self.key = key
        (version, zone) = (values.version, values.zone)
        (wayBefore, timesBefore) = (values.wayBefore, values.timesBefore)
        self.isWayClosed = isWayClosed
        way = ride.stops.map { $0.address ?? $0.name }
        told = ride.passengers.isEmpty ? nil : words["offer.changing.told"]
        commute = ride.series.map { "\(CommutesPage.path)/\($0)/change" }
        let steps: [OfferStep] = isWayClosed ? [.when, .seats] : OfferStep.asking
        form = OfferForm(values, steps, errors, in: visit)
    }
}

extension OfferValues {
    /// Takes over the way that a ride has.
    fileprivate mutating func take(wayOf ride: Ride) {
        let now = OfferValues(ride)
        (from, stops, to) = (now.from, now.stops, now.to)
    }
}
