import DurableMessaging
import Messaging
import People
import WireProtocol

/// Request → use case → reply; error → stable code.
struct MatchingEndpoint: Sendable {
    let deliveries: DeliveryUseCases
    let wanted: WantedUseCases

    func answer(on router: inout RequestRouter) {
        answerAboutAvailabilities(on: &router)
        answerAboutOrders(on: &router)
        answerAboutMatches(on: &router)
        answerAboutPositions(on: &router)
        WantedEndpoint(wanted: wanted).answer(on: &router)
        answerOthers(on: &router)
    }

    private func answerAboutAvailabilities(on router: inout RequestRouter) {
        router.on(MatchingMethods.availability, version: AnswerVersion.of) { _, _, context in
            try await deliveries.availability(for: context.caller)
        }
        router.on(MatchingMethods.offerDelivery) { _, draft, context in
            try await deliveries.offerDelivery(draft, context)
        }
        router.on(MatchingMethods.resumeDelivery) { _, _, context in try await deliveries.resumeDelivery(context) }
        router.on(MatchingMethods.endDelivery) { _, _, context in
            try await deliveries.endDelivery(context)
            return Nothing()
        }
        router.on(MatchingMethods.restaurants, version: AnswerVersion.of) { query, _, context in
            try await deliveries.restaurants(query, for: context.caller)
        }
        router.on(MatchingMethods.deliverers, version: AnswerVersion.of) { query, _, context in
            try await deliveries.deliverers(query, for: context.caller)
        }
        router.on(MatchingMethods.deliverer, version: AnswerVersion.of) { deliverer, _, context in
            try await deliveries.deliverer(deliverer.id, for: context.caller)
        }
    }

    private func answerAboutOrders(on router: inout RequestRouter) {
        router.on(MatchingMethods.placeOrder) { _, draft, context in try await deliveries.placeOrder(draft, context) }
        router.on(MatchingMethods.changeOrder) { order, draft, context in
            try await deliveries.changeOrder(order.id, to: draft, context)
        }
        router.on(MatchingMethods.cancelOrder) { order, _, context in
            try await deliveries.cancelOrder(order.id, context)
            return Nothing()
        }
        router.on(MatchingMethods.askNext) { order, asking, context in
            try await deliveries.askNext(order.id, asking, context)
        }
        router.on(MatchingMethods.order, version: AnswerVersion.of) { order, _, context in
            try await deliveries.order(order.id, for: context.caller)
        }
        router.on(MatchingMethods.orders, version: AnswerVersion.of) { query, _, context in
            try await deliveries.orders(query, for: context.caller)
        }
    }

    private func answerAboutMatches(on router: inout RequestRouter) {
        router.on(MatchingMethods.match, version: AnswerVersion.of) { match, _, context in
            try await deliveries.match(match.id, for: context.caller)
        }
        router.on(MatchingMethods.matches, version: AnswerVersion.of) { query, _, context in
            try await deliveries.matches(query, for: context.caller)
        }
        router.on(MatchingMethods.actOnMatch) { reference, draft, context in
            try await deliveries.actOnMatch(reference, draft, context)
        }
        router.on(MatchingMethods.contact) { match, _, context in
            try await deliveries.contact(match.id, for: context.caller)
        }
    }

    private func answerAboutPositions(on router: inout RequestRouter) {
        router.on(MatchingMethods.movePosition) { match, draft, context in
            try await deliveries.movePosition(match.id, to: draft, context)
            return Nothing()
        }
        router.on(MatchingMethods.hidePosition) { match, _, context in
            try await deliveries.hidePosition(match.id, context)
            return Nothing()
        }
        router.on(MatchingMethods.position) { match, _, context in
            try await deliveries.position(match.id, for: context.caller)
        }
    }

    /// What services do for all others.
    private func answerOthers(on router: inout RequestRouter) {
        let methods = MatchingEvents.stream.methods
        router.on(methods.subject) { query, _, _ in try await deliveries.subject(query) }
        router.on(methods.roomSubject) { query, _, _ in try await deliveries.roomSubject(query) }
        router.on(methods.photosInUse) { _, asked, _ in try await deliveries.photosInUse(asked) }
        router.on(methods.waiting) { _, _, context in
            Page(items: try await deliveries.waiting(for: context.caller))
        }
        router.on(methods.commitments) { person, _, _ in try await deliveries.commitments(of: person.id) }
        let own = PersonalSections(deliveries.ownRecords + wanted.ownRecords + wanted.ownInvitations)
        router.on(methods.personalData) { query, _, _ in try await own.page(query) }
    }
}
