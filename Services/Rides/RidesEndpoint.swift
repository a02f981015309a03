import DurableMessaging
import Messaging
import People
import WireProtocol

/// Request → use case → reply; error → stable code.
struct RidesEndpoint: Sendable {
    let rides: RideUseCases

    func answer(on router: inout RequestRouter) {
        answerAboutRides(on: &router)
        answerAboutSeries(on: &router)
        answerAboutSeats(on: &router)
        answerOthers(on: &router)
    }

    private func answerAboutRides(on router: inout RequestRouter) {
        router.on(RidesMethods.regions, version: AnswerVersion.of) { _, _, context in
            try await rides.regions(for: context.caller)
        }
        router.on(RidesMethods.rides, version: AnswerVersion.of) { query, _, context in
            try await rides.rides(query, for: context.caller)
        }
        router.on(RidesMethods.search) { query, _, context in
            try await rides.search(query, for: context.caller)
        }
        router.on(RidesMethods.quoteRide) { _, draft, context in
            try await rides.quote(draft, for: context.caller)
        }
        router.on(RidesMethods.ride, version: AnswerVersion.of) { ride, _, context in
            try await rides.ride(ride.id, for: context.caller)
        }
        router.on(RidesMethods.myRides, version: AnswerVersion.of) { query, _, context in
            try await rides.myRides(query, for: context.caller)
        }
        router.on(RidesMethods.postRide) { _, draft, context in try await rides.post(draft, context) }
        router.on(RidesMethods.changeRide) { ride, draft, context in
            try await rides.change(ride.id, to: draft, context)
        }
        router.on(RidesMethods.removeRide) { ride, removal, context in
            try await rides.remove(ride.id, removal, context)
            return Nothing()
        }
        router.on(RidesMethods.departRide) { ride, _, context in try await rides.depart(ride.id, context) }
        router.on(RidesMethods.arriveRide) { ride, _, context in try await rides.arrive(ride.id, context) }
        router.on(RidesMethods.saveRide) { ride, _, context in
            try await rides.save(ride.id, context)
            return Nothing()
        }
        router.on(RidesMethods.unsaveRide) { ride, _, context in
            try await rides.unsave(ride.id, context)
            return Nothing()
        }
    }

    private func answerAboutSeries(on router: inout RequestRouter) {
        router.on(RidesMethods.quoteSeries) { _, draft, context in
            try await rides.quoteSeries(draft, for: context.caller)
        }
        router.on(RidesMethods.mySeries, version: AnswerVersion.of) { query, _, context in
            try await rides.mySeries(query, for: context.caller)
        }
        router.on(RidesMethods.series, version: AnswerVersion.of) { series, _, context in
            try await rides.series(series.id, for: context.caller)
        }
        router.on(RidesMethods.postSeries) { _, draft, context in try await rides.postSeries(draft, context) }
        router.on(RidesMethods.changeSeries) { series, draft, context in
            try await rides.changeSeries(series.id, to: draft, context)
        }
        router.on(RidesMethods.endSeries) { series, ending, context in
            try await rides.endSeries(series.id, ending, context)
            return Nothing()
        }
    }

    private func answerAboutSeats(on router: inout RequestRouter) {
        router.on(RidesMethods.quoteSeat) { ride, draft, context in
            try await rides.quoteSeat(ride.id, draft, for: context.caller)
        }
        router.on(RidesMethods.requestSeat) { ride, draft, context in
            try await rides.requestSeat(ride.id, draft, context)
        }
        router.on(RidesMethods.requests) { query, _, context in
            try await rides.requests(query, for: context.caller)
        }
        router.on(RidesMethods.request) { request, _, context in
            try await rides.request(request.id, for: context.caller)
        }
        router.on(RidesMethods.actOnRequest) { request, draft, context in
            try await rides.act(request.id, request.act, draft, context)
        }
        router.on(RidesMethods.contact) { request, _, context in
            try await rides.contact(request.id, for: context.caller)
        }
    }

    /// What services do for all others.
    private func answerOthers(on router: inout RequestRouter) {
        let methods = RidesEvents.stream.methods
        router.on(methods.subject) { query, _, _ in try await rides.subject(query) }
        router.on(methods.roomSubject) { query, _, _ in try await rides.roomSubject(query) }
        router.on(methods.waiting) { _, _, context in
            Page(items: try await rides.waiting(for: context.caller))
        }
        router.on(methods.shelf) { query, _, context in try await rides.shelf(query, for: context.caller) }
        router.on(methods.commitments) { person, _, _ in try await rides.commitments(of: person.id) }
        router.on(methods.calendarEntries) { query, _, _ in try await rides.calendarEntries(query) }
        answerSearches(on: &router, methods)
        let own = PersonalSections(rides.ownRecords)
        router.on(methods.personalData) { query, _, _ in try await own.page(query) }
    }

    /// What standing searches ask.
    private func answerSearches(on router: inout RequestRouter, _ methods: CommonMethods) {
        router.on(methods.readSearch) { _, query, _ in try rides.readSearch(query) }
        router.on(methods.searchables) { _, query, _ in try await rides.searchables(query) }
        router.on(methods.judgeSearches) { _, judging, _ in try await rides.judgeSearches(judging) }
        router.on(methods.look) { _, look, _ in try await rides.look(look) }
        router.on(methods.foundItems) { _, query, _ in try await rides.foundItems(query) }
        router.on(RidesMethods.seeking) { _, query, _ in try await rides.seeking(query) }
        router.on(RidesMethods.seekerFits) { _, judging, _ in try await rides.seekerFits(judging) }
    }
}
