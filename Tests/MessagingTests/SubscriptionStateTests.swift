import FoundationEssentials
import Testing
import WireProtocol

@testable import Messaging

/// What a subscriber decides, case by case, without sockets or clocks.
@Suite struct SubscriptionStateTests {
    private let epoch = UUID()
    private let now = ContinuousClock.now

    /// A state that has come to `position` and has asked once; `head` is what the publisher said then.
    private func settled(at position: Int64, head: Int64? = nil, limits: SubscriptionState.Limits = .init())
        -> SubscriptionState
    {
        var state = SubscriptionState(publisher: "listings", limits: limits)
        state.loaded(StreamOffset(epoch: epoch, position: position))
        _ = state.next(at: now)
        state.pulled(EventBatch(epoch: epoch, head: head ?? position, events: []), at: now)
        return state
    }

    private func batch(_ positions: ClosedRange<Int64>, head: Int64, epoch: UUID? = nil) -> EventBatch {
        let epoch = epoch ?? self.epoch
        return EventBatch(
            epoch: epoch, head: head,
            events: positions.map { StoredEvent(position: $0, header: event(epoch, $0).header, payload: "{}") })
    }

    private func positions(_ step: SubscriptionState.Step) -> [Int64]? {
        if case .consume(let events) = step { events.map(\.position) } else { nil }
    }

    private func since(_ step: SubscriptionState.Step) -> EventsSince? {
        if case .pull(let since) = step { since } else { nil }
    }

    @Test func firstItAsksHowFarTheConsumerIsAndThenThePublisher() {
        var state = SubscriptionState(publisher: "listings")
        #expect(state.next(at: now) == .loadOffset)
        state.loaded(StreamOffset(epoch: epoch, position: 7))
        #expect(state.next(at: now) == .pull(EventsSince(epoch: epoch, position: 7, limit: 200)))
        state.pulled(EventBatch(epoch: epoch, head: 7, events: []), at: now)
        #expect(state.next(at: now) == .wait(until: nil))
    }

    /// What is heard at position 5, and what is handed over.
    @Test(
        arguments: [
            ([6], [6]), ([6, 7, 8], [6, 7, 8]), ([8, 6, 7], [6, 7, 8]), ([6, 6, 7], [6, 7]), ([4, 5, 6], [6]),
            ([6, 8], [6]),
        ] as [([Int64], [Int64])])
    func contiguousEventsAreHandedOver(heard: [Int64], handed: [Int64]) {
        var state = settled(at: 5)
        for position in heard { state.heard(event(epoch, position)) }
        #expect(positions(state.next(at: now)) == handed)
    }

    @Test(arguments: [[4], [5], [1, 2, 3]] as [[Int64]])
    func whatWasHandledIsNotHandedOverAgain(heard: [Int64]) {
        var state = settled(at: 5)
        for position in heard { state.heard(event(epoch, position)) }
        #expect(state.next(at: now) == .wait(until: nil))
    }

    @Test func aGapIsPulledAndThenTheRestGoesOn() {
        var state = settled(at: 5)
        state.heard(event(epoch, 8))
        #expect(state.lag == 3)
        let later = now + .seconds(1)
        #expect(since(state.next(at: later))?.position == 5)
        state.pulled(batch(6...7, head: 8), at: later)
        #expect(positions(state.next(at: later)) == [6, 7, 8])
        state.consumed([6, 7, 8].map { event(epoch, $0) })
        #expect(state.next(at: later) == .wait(until: nil))
        #expect(state.gaps == 1)
        #expect(state.lag == 0)
    }

    @Test func aHeartbeatAheadIsPulledAndOneBehindIsNot() {
        var state = settled(at: 5)
        state.heartbeat("listings", epoch: epoch, head: 4)
        state.heartbeat("auth", epoch: epoch, head: 99)
        #expect(state.next(at: now + .seconds(1)) == .wait(until: nil))
        state.heartbeat("listings", epoch: epoch, head: 6)
        #expect(since(state.next(at: now + .seconds(1)))?.position == 5)
    }

    @Test func pullsKeepADistanceUnlessThereIsMore() {
        var state = settled(at: 5)
        state.heartbeat("listings", epoch: epoch, head: 9)
        #expect(state.next(at: now) == .wait(until: now + .milliseconds(100)))
        let later = now + .milliseconds(100)
        #expect(since(state.next(at: later)) != nil)
        state.pulled(batch(6...7, head: 9), at: later)
        #expect(positions(state.next(at: later)) == [6, 7])
        state.consumed([6, 7].map { event(epoch, $0) })
        #expect(since(state.next(at: later))?.position == 7)
    }

    @Test func pullsThatFailAreRepeatedEverLater() {
        var state = settled(at: 5)
        state.heartbeat("listings", epoch: epoch, head: 9)
        var (moment, pauses) = (now + .seconds(1), [Duration]())
        for _ in 0..<12 {
            #expect(since(state.next(at: moment)) != nil)
            state.pullFailed(at: moment)
            guard case .wait(let until?) = state.next(at: moment) else { return #expect(Bool(false)) }
            pauses.append(until - moment)
            moment = until
        }
        #expect(pauses.prefix(4) == [100, 200, 400, 800].map { .milliseconds($0) }[...])
        #expect(pauses.last == .seconds(10))
    }

    @Test func whileThePublisherCannotBeAskedItIsStillHeard() {
        var state = settled(at: 5)
        state.pullFailed(at: now)
        state.heard(event(epoch, 6))
        #expect(positions(state.next(at: now)) == [6])
    }

    @Test func aConsumerThatFailsIsAskedAgainAfterEverLongerPauses() {
        var state = settled(at: 5)
        for pause in [100, 200, 400] {
            state.heard(event(epoch, 6))
            state.consumerFailed(at: now)
            #expect(state.next(at: now) == .wait(until: now + .milliseconds(pause)))
            #expect(state.next(at: now + .milliseconds(pause)) == .loadOffset)
            state.loaded(StreamOffset(epoch: epoch, position: 5))
            _ = state.next(at: now + .seconds(60))
            state.pulled(batch(6...6, head: 6), at: now)
        }
        #expect(positions(state.next(at: now + .seconds(60))) == [6])
        state.consumed([event(epoch, 6)])
        state.consumerFailed(at: now)
        #expect(state.next(at: now) == .wait(until: now + .milliseconds(100)))
    }

    @Test func anotherEpochIsAskedForAndThenBegun() {
        var state = settled(at: 5)
        let other = UUID()
        state.heard(event(other, 6))  // a hint only
        #expect(since(state.next(at: now + .seconds(1))) == EventsSince(epoch: epoch, position: 5, limit: 200))
        state.pulled(EventBatch(epoch: other, head: 3, events: []), at: now)
        let begin = SubscriptionState.Step.resynchronise(StreamOffset(epoch: other, position: 3))
        #expect(state.next(at: now) == begin)
        state.consumerFailed(at: now)
        #expect(state.next(at: now + .seconds(1)) == begin)
        state.resynchronised()
        #expect(state.next(at: now + .seconds(1)) == .loadOffset)
    }

    @Test func aPublisherThatKnowsLessThanWasHandledIsAnotherOne() {
        var state = settled(at: 5)
        state.silence()
        _ = state.next(at: now + .seconds(1))
        state.pulled(EventBatch(epoch: epoch, head: 4, events: []), at: now)
        #expect(state.next(at: now) == .resynchronise(StreamOffset(epoch: epoch, position: 4)))
    }

    @Test func whatIsNoLongerKeptIsBegunAtTheHead() {
        var state = settled(at: 5, head: 5)
        state.silence()
        _ = state.next(at: now + .seconds(1))
        state.gone(at: now + .seconds(1))
        #expect(since(state.next(at: now + .seconds(1)))?.epoch == .some(nil))
        state.pulled(batch(90...99, head: 99), at: now)
        #expect(state.next(at: now) == .resynchronise(StreamOffset(epoch: epoch, position: 99)))
    }

    @Test func withoutAnOffsetAProjectionBeginsWithTheFirstThatIsKept() {
        var state = SubscriptionState(publisher: "listings")
        state.loaded(nil)
        #expect(since(state.next(at: now)) == EventsSince(epoch: nil, position: 0, limit: 200))
        state.pulled(batch(41...43, head: 43), at: now)
        #expect(positions(state.next(at: now)) == [41, 42, 43])
    }

    @Test func withoutAnOffsetAnEmptyStreamIsWaitedFor() {
        var state = SubscriptionState(publisher: "listings")
        state.loaded(nil)
        _ = state.next(at: now)
        state.pulled(EventBatch(epoch: epoch, head: 0, events: []), at: now)
        #expect(state.next(at: now) == .wait(until: nil))
        state.heard(event(epoch, 1))
        #expect(positions(state.next(at: now)) == [1])
    }

    @Test func withoutAnOffsetALiveStreamBeginsAtTheHead() {
        var state = SubscriptionState(publisher: "listings", startingAt: .head)
        state.loaded(nil)
        _ = state.next(at: now)
        state.pulled(batch(41...43, head: 43), at: now)
        #expect(state.next(at: now) == .resynchronise(StreamOffset(epoch: epoch, position: 43)))
    }

    @Test func aFullBufferDropsWhatComesAndPullsItLater() {
        var limits = SubscriptionState.Limits()
        (limits.buffer, limits.batch) = (4, 2)
        var state = settled(at: 0, limits: limits)
        for position in 1...10 as ClosedRange<Int64> { state.heard(event(epoch, position)) }
        var handed: [Int64] = []
        while let next = positions(state.next(at: now)) {
            handed += next
            state.consumed(next.map { event(epoch, $0) })
        }
        #expect(handed == [1, 2, 3, 4])
        #expect(state.lag == 6)
        #expect(since(state.next(at: now + .seconds(1)))?.position == 4)
    }

    /// A buffer that is full of later events must not keep out the next one.
    @Test func whatIsPulledFindsRoomInAFullBuffer() {
        var limits = SubscriptionState.Limits()
        limits.buffer = 2
        var state = settled(at: 0, limits: limits)
        for position in [2, 3, 4] as [Int64] { state.heard(event(epoch, position)) }
        _ = state.next(at: now + .seconds(1))
        state.pulled(batch(1...1, head: 4), at: now)
        #expect(positions(state.next(at: now)) == [1, 2, 3])
    }

    @Test func anAnswerThatIsTooLargeIsAskedForInSmallerPieces() {
        var state = settled(at: 5)
        state.heartbeat("listings", epoch: epoch, head: 900)
        let later = now + .seconds(1)
        var sizes: [Int] = []
        for _ in 0..<5 {
            guard let since = since(state.next(at: later)) else { break }
            sizes.append(since.limit)
            state.tooLarge(at: later)
        }
        #expect(sizes == [200, 50, 12, 3, 1])
        #expect(state.next(at: later) == .wait(until: later + .milliseconds(100)))
    }

    @Test func aPublisherThatHasMoreAndGivesNothingIsNotAskedInCircles() {
        var state = settled(at: 5)
        state.heartbeat("listings", epoch: epoch, head: 9)
        let later = now + .seconds(1)
        #expect(since(state.next(at: later)) != nil)
        for pause in [100, 200, 400] {
            state.pulled(EventBatch(epoch: epoch, head: 9, events: []), at: later)
            #expect(state.next(at: later) == .wait(until: later + .milliseconds(pause)))
            #expect(since(state.next(at: later + .seconds(9))) != nil)
        }
    }

    @Test func positionsThatNobodyGivesOutAreNotBelieved() {
        var state = settled(at: 5)
        for position in [Int64.max, .min, -1, StreamPosition.limit + 1] {
            state.heartbeat("listings", epoch: epoch, head: position)
            state.heard(event(epoch, position))
            #expect(state.lag == 0 && state.next(at: now) == .wait(until: nil))
        }
        state.heartbeat("listings", epoch: epoch, head: 6)
        let later = now + .seconds(1)
        #expect(since(state.next(at: later))?.position == 5)
        // An answer that cannot be right is none: it is asked again, after a pause.
        state.pulled(EventBatch(epoch: epoch, head: .max, events: []), at: later)
        #expect(state.next(at: later) == .wait(until: later + .milliseconds(100)))
        #expect(state.lag == 1)
    }

    /// The first of all events may have any position, and one before the least would be none.
    @Test func aFirstEventBeforeAllIsNotBelieved() {
        var state = SubscriptionState(publisher: "listings")
        _ = state.next(at: now)
        state.loaded(nil)
        _ = state.next(at: now)
        let stored = StoredEvent(position: .min, header: event(epoch, 1).header, payload: "{}")
        state.pulled(EventBatch(epoch: epoch, head: 3, events: [stored]), at: now)
        #expect(since(state.next(at: now + .seconds(1))) != nil)
    }
}
