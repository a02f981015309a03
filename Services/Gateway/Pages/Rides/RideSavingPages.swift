import Hummingbird
import WireProtocol

/// `/rides/{id}/save` puts a ride on one's list; `/rides/{id}/unsave` asks once, then takes it off.
struct RideSavingPages {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.post("/rides/{id}/save") { visit in
            try visit.context.requirePerson()
            return try await perform(RidesMethods.saveRide, try await visit.form(), done: "ride.saved", visit)
        }
        routes.get("/rides/{id}/unsave") { visit in
            try visit.context.requirePerson()
            let ride = try await RidePage.ride(visit)
            guard ride.isSaved else { return visit.leave(for: ride.path) }
            let ask = Ask(
                "rides.unsave", icon: "star", action: "\(ride.path)/unsave", cancel: ride.path,
                name: ride.title(in: visit.words), in: visit.words)
            let page = RideSavingPages(ask: ask)
            if visit.isFragment { return visit.fragment("rides/asked", page) }
            return try await visit.page("rides/asked", page, PageFrame(title: ask.title, tab: .home))
        }
        routes.post("/rides/{id}/unsave") { visit in
            try visit.context.requirePerson()
            return try await perform(RidesMethods.unsaveRide, try await visit.form(), done: "ride.unsaved", visit)
        }
    }

    private static func perform(
        _ method: Method<RideReference, Nothing, Nothing>, _ form: SubmittedForm, done: String, _ visit: Visit
    ) async throws -> Response {
        let reference = RideReference(id: try visit.id())
        do {
            _ = try await visit.command(method, reference, Nothing(), of: form)
        } catch let error as ServiceError where error.code == .wrongState {
            // It is their own.
            return visit.redirect(to: "/rides/\(reference.id)")
        }
        // Whoever has taken a ride off their list that does not take place sees nothing more of it.
        let isThere = (try? await visit.ask(RidesMethods.ride, reference, Nothing())) != nil
        return visit.redirect(to: isThere ? "/rides/\(reference.id)" : MyRidesPage.path(.saved), done: done)
    }
}
