import DurableMessaging
import Messaging
import WireProtocol

/// Request → use case → reply, of standing searches.
struct WantedEndpoint: Sendable {
    let wanted: WantedUseCases

    func answer(on router: inout RequestRouter) {
        answerCommands(on: &router)
        answerQueries(on: &router)
        answerSeeking(on: &router)
    }

    private func answerCommands(on router: inout RequestRouter) {
        router.on(MatchingMethods.postWanted) { _, draft, context in try await wanted.post(draft, context) }
        router.on(MatchingMethods.changeWanted) { search, change, context in
            try await wanted.change(search.id, change, context)
        }
        router.on(MatchingMethods.renewWanted) { search, _, context in try await wanted.renew(search.id, context) }
        router.on(MatchingMethods.removeWanted) { search, _, context in
            try await wanted.remove(search.id, context)
            return Nothing()
        }
    }

    private func answerQueries(on router: inout RequestRouter) {
        router.on(MatchingMethods.wanted, version: AnswerVersion.of) { search, _, context in
            try await wanted.wanted(search.id, for: context.caller)
        }
        router.on(MatchingMethods.allWanted, version: AnswerVersion.of) { query, _, context in
            try await wanted.all(query, for: context.caller)
        }
        router.on(MatchingMethods.wantedFinds, version: AnswerVersion.of) { query, _, context in
            try await wanted.finds(query, for: context.caller)
        }
        router.on(MatchingMethods.wantedFinders, version: AnswerVersion.of) { asked, _, context in
            try await wanted.finders(asked, for: context.caller)
        }
        router.on(MatchingMethods.estimateWanted) { _, draft, context in
            try await wanted.estimate(draft, for: context.caller)
        }
    }
}
