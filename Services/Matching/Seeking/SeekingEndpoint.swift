import DurableMessaging
import Messaging
import WireProtocol

extension WantedEndpoint {
    func answerSeeking(on router: inout RequestRouter) {
        router.on(MatchingMethods.seekers, version: AnswerVersion.of) { query, _, context in
            try await wanted.seekers(query, for: context.caller)
        }
        router.on(MatchingMethods.rideSeekers, version: AnswerVersion.of) { query, _, context in
            try await wanted.rideSeekers(query, for: context.caller)
        }
        router.on(MatchingMethods.inviteSeeker) { reference, _, context in
            try await wanted.invite(reference, context)
            return Nothing()
        }
    }
}
