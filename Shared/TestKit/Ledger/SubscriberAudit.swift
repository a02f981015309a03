package import FoundationEssentials
import Messaging
import WireProtocol

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
        let offset = evidence.services[subscriber]?.offsets[publisher]
        if stream.isTaken(by: offset) { return [] }
        let stand = offset.map { "at \($0.position) of \($0.epoch)" } ?? "nowhere"
        return [
            Finding(.notAppliedOnce, "\(subscriber) is \(stand), and \(publisher) at \(stream.head) of \(stream.epoch)")
        ]
    }

    private func steps(_ subscriber: String, _ publisher: String) -> [Finding] {
        let steps = OffsetStep.all(in: evidence.taps, of: subscriber, behind: publisher)
        return zip(steps, steps.dropFirst()).compactMap { before, step in
            guard before.epoch == step.epoch, before.to != step.from else { return nil }
            // A subscriber that was restored from a backup stands again where it stood then.
            if subscriber == evidence.restored, step.from < before.to { return nil }
            return Finding(
                .notAppliedOnce, "\(subscriber) came to \(before.to) of \(publisher), and went on from \(step.from)")
        }
    }
}

/// One transaction in which a subscriber moved on, or took up again what it had set aside.
package struct OffsetStep: Sendable {
    package var transaction: Int64
    package var epoch: UUID
    /// The positions before and after; the same where something was taken up again.
    package var from: Int64
    package var to: Int64
    /// The positions of the events that had to be applied in it.
    package var due: [Int64]

    private struct Row: Decodable {
        var publisher: String
        var epoch: UUID
        var position: Int64
    }

    /// The steps along the stream, in the order of time.
    package static func all(in taps: [TappedChange], of subscriber: String, behind publisher: String) -> [OffsetStep] {
        let letters = letters(taps, subscriber, publisher)
        return taps.filter { $0.table == "\(subscriber).offsets" }.compactMap { change in
            guard let old = row(change.old), let new = row(change.new), new.publisher == publisher,
                old.epoch == new.epoch,
                old.position <= new.position
            else { return nil }
            let aside = letters.filter { $0.transaction == change.transaction }.compactMap { $0.new?.position }
            let passed = Array((old.position + 1)..<(new.position + 1))
            return OffsetStep(
                transaction: change.transaction, epoch: new.epoch, from: old.position, to: new.position,
                due: passed.filter { !aside.contains($0) })
        }
    }

    /// The transactions that handled one event which had been set aside.
    package static func replays(in taps: [TappedChange], of subscriber: String, behind publisher: String)
        -> [OffsetStep]
    {
        letters(taps, subscriber, publisher).compactMap { letter in
            guard let old = letter.old, letter.new == nil else { return nil }
            return OffsetStep(
                transaction: letter.transaction, epoch: old.epoch, from: old.position, to: old.position,
                due: [old.position])
        }
    }

    private static func letters(
        _ taps: [TappedChange], _ subscriber: String, _ publisher: String
    ) -> [(transaction: Int64, old: Row?, new: Row?)] {
        taps.filter { $0.table == "\(subscriber).dead_letters" }.map { ($0.transaction, row($0.old), row($0.new)) }
            .filter { ($0.1 ?? $0.2)?.publisher == publisher }
    }

    private static func row(_ json: String?) -> Row? {
        json.flatMap { try? WireJSON.decode(Row.self, from: Array($0.utf8)) }
    }
}
