internal import Messaging
internal import WireProtocol

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Every durable subscriber is where its publisher is, and came there step by step, without a gap and without going back.
struct SubscriberAudit {
    let evidence: LedgerEvidence

    func findings() -> [Finding] {
        evidence.subscriptions.flatMap { standing($0.subscriber, $0.publisher) + steps($0.subscriber, $0.publisher) }
            + evidence.services.filter { $0.value.deadLetters > 0 }.map {
                Finding(.deadLetter, "\($0.key) has set \($0.value.deadLetters) events aside")
            }
    }

    private func standing(_ subscriber: String, _ publisher: String) -> [Finding] {
        guard let stream = evidence.services[publisher] else { return [] }
        let due = StreamOffset(epoch: stream.epoch, position: stream.head)
        let offset = evidence.services[subscriber]?.offsets[publisher]
        if offset == due { return [] }
        let stand = offset.map { "at \($0.position) of \($0.epoch)" } ?? "nowhere"
        return [
            Finding(.notAppliedOnce, "\(subscriber) is \(stand), and \(publisher) at \(due.position) of \(due.epoch)")
        ]
    }

    private func steps(_ subscriber: String, _ publisher: String) -> [Finding] {
        let steps = OffsetStep.all(in: evidence.taps, of: subscriber, behind: publisher)
        return zip(steps, steps.dropFirst()).compactMap { before, step in
            guard before.epoch == step.epoch, before.to != step.from else { return nil }
            return Finding(
                .notAppliedOnce, "\(subscriber) came to \(before.to) of \(publisher), and went on from \(step.from)")
        }
    }
}

/// One transaction in which a subscriber moved on.
package struct OffsetStep: Sendable {
    package var transaction: Int64
    package var epoch: UUID
    package var from: Int64
    package var to: Int64

    private struct Row: Decodable {
        var publisher: String
        var epoch: UUID
        var position: Int64
    }

    package static func all(in taps: [TappedChange], of subscriber: String, behind publisher: String) -> [OffsetStep] {
        taps.filter { $0.table == "\(subscriber).offsets" }.compactMap { change in
            guard let old = row(change.old), let new = row(change.new), new.publisher == publisher,
                old.epoch == new.epoch
            else { return nil }
            return OffsetStep(transaction: change.transaction, epoch: new.epoch, from: old.position, to: new.position)
        }
    }

    private static func row(_ json: String?) -> Row? {
        json.flatMap { try? WireJSON.decode(Row.self, from: Array($0.utf8)) }
    }
}
