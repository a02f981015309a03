import Testing
import WireProtocol

/// What is looked at in a village is all that there is to look at.
@Suite struct VillageTests {
    @Test func every_subscription_that_a_contract_allows_is_looked_at() {
        let streams = PeerRole.stateful.map { PublishedStream(of: $0) }
        let allowed = streams.flatMap { stream in
            stream.subscribers.subtracting([.gateway]).map { "\($0.rawValue) behind \(stream.publisher)" }
        }
        let looked = Village.subscriptions.map { "\($0.subscriber) behind \($0.publisher)" }
        #expect(looked.sorted() == allowed.sorted())
    }
}
