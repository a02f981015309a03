import DurableMessaging
import FoundationEssentials
import WireProtocol

// Who wants to hear what, and when that is. Pure: every moment is an argument.

/// What an operator can set about notices. Times are in seconds.
struct NoticePolicy: Hashable, Sendable {
    /// How long a message waits before it is a notice: whoever has the room open reads it meanwhile.
    var messageDelay: TimeInterval = 5
    /// How long something stays unread before a mail tells of it.
    var mailDelay: TimeInterval = 600
    /// Who had a page open within so long gets no mail yet.
    var mailAway: TimeInterval = 300
    /// The same for push. The gateway says once a minute that somebody is there.
    var pushDelay: TimeInterval = 5
    var pushAway: TimeInterval = 90
    /// How long a delivery is worth being tried.
    var pushLifetime: TimeInterval = 86_400
    var mailLifetime: TimeInterval = 86_400
    /// How long notices are kept.
    var retention: TimeInterval = 90 * 86_400
    /// Of those who have chosen none.
    var clock = WallClock(.gmt)
    var timeZone = "UTC"
    /// What there is to be told.
    var kinds = NoticeKinds.all

    /// What is counted waits; of everything else people are told at once.
    func delay(of kind: InboxNoticeKind) -> TimeInterval { kinds[kind].isCounted ? messageDelay : 0 }

    /// What is of use for a moment rings at once, and no later than that.
    func pushDelay(of kind: InboxNoticeKind) -> TimeInterval { kinds[kind].lasts == nil ? pushDelay : 0 }
    func pushLifetime(of kind: InboxNoticeKind) -> TimeInterval { kinds[kind].lasts ?? pushLifetime }

    /// How much earlier than it came it counts among what waits for devices: what many are told at once holds up nothing that is urgent for one, and nothing
    /// holds up what is of use for a moment.
    func pushLead(of kind: InboxNoticeKind) -> TimeInterval {
        if kinds[kind].lasts != nil { return pushLifetime }
        return kinds[kind].isUrgent && !kinds[kind].isForMany ? 600 : 0
    }
}

extension NoticeKinds {
    /// What everybody has who has chosen nothing.
    func usual(_ kind: InboxNoticeKind) -> NoticeChoice {
        NoticeChoice(kind: kind, mail: self[kind].mail == .usual, push: knows(kind))
    }
}

/// What somebody wants to hear outside of the pages, and when.
struct NoticePreferences: Hashable, Sendable {
    /// Only what differs from what everybody has.
    var choices: [InboxNoticeKind: NoticeChoice] = [:]
    var mail = NoticeMailMode.atOnce
    var digestHour = 18
    var quiet: QuietTimes?
    var timeZone: String
    var clock: WallClock
    var kinds = NoticeKinds.all

    static func usual(_ policy: NoticePolicy) -> NoticePreferences {
        NoticePreferences(timeZone: policy.timeZone, clock: policy.clock, kinds: policy.kinds)
    }

    func choice(_ kind: InboxNoticeKind) -> NoticeChoice { choices[kind] ?? kinds.usual(kind) }

    var answer: NoticeSettings {
        var answer = NoticeSettings(
            kinds: kinds.kinds.map(choice), mail: mail, digestHour: digestHour,
            quiet: quiet.map { QuietHours(from: $0.from.text, to: $0.to.text) }, timeZone: timeZone)
        answer.version = ContentVersion.of(answer)
        return answer
    }

    /// What it is after a change. Kinds that it leaves out stay.
    /// - Throws: `invalid` with everything that is wrong; `changed_meanwhile` where it was made up from something else.
    func changed(to wanted: NoticeSettings) throws(ServiceError) -> NoticePreferences {
        var (next, errors) = (self, [FieldError]())
        var named: Set<InboxNoticeKind> = []
        for (index, choice) in wanted.kinds.enumerated() {
            if !named.insert(choice.kind).inserted {
                errors.append(FieldError("kinds[\(index)].kind", "twice", "Name each kind once."))
            }
            if !kinds.knows(choice.kind) {
                errors.append(FieldError("kinds[\(index)].kind", "unknown", "There is no such kind."))
            } else if choice.mail, kinds[choice.kind].mail == .never {
                errors.append(FieldError("kinds[\(index)].mail", "not_allowed", "There are no mails of this kind."))
            }
            next.choices[choice.kind] = choice == kinds.usual(choice.kind) ? nil : choice
        }
        next.mail = wanted.mail
        if !(0...23).contains(wanted.digestHour) {
            errors.append(FieldError("digestHour", "out_of_range", "Between 0 and 23."))
        }
        next.digestHour = wanted.digestHour
        next.quiet = wanted.quiet.flatMap { quiet in
            let (from, to) = (TimeOfDay(quiet.from), TimeOfDay(quiet.to))
            for (field, time) in [("from", from), ("to", to)] where time == nil {
                errors.append(FieldError("quiet.\(field)", "not_a_time", "A time of day, such as 22:00."))
            }
            if from != nil, from == to {
                errors.append(FieldError("quiet.to", "same", "Quiet hours end at another time than they begin."))
            }
            return from.flatMap { from in to.map { QuietTimes(from: from, to: $0) } }
        }
        if let clock = WallClock(named: wanted.timeZone) {
            (next.timeZone, next.clock) = (wanted.timeZone, clock)
        } else {
            errors.append(
                FieldError("timeZone", "not_a_time_zone", "The name of a time zone, such as Europe/Berlin."))
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        guard next == self || ContentVersion.allows(wanted.version, answer.version) else {
            throw .changedMeanwhile(answer.version)
        }
        return next
    }

    /// When a mail may tell of something; nil where none shall.
    /// - Parameters:
    ///   - seen: when the person last had a page open.
    ///   - now: a moment at which somebody looks: what is due earlier waits for the end of quiet hours that are now.
    func mailTime(
        of kind: InboxNoticeKind, at happened: Date, seen: Date?, now: Date, _ policy: NoticePolicy
    ) -> Date? {
        guard kinds[kind].mail != .never, choice(kind).mail else { return nil }
        switch mail {
        case .never: return nil
        case .daily: return clock.next(hour: digestHour, after: happened)
        case .atOnce: return awake(happened + policy.mailDelay, seen.map { $0 + policy.mailAway }, now)
        }
    }

    /// The same for push.
    func pushTime(
        of kind: InboxNoticeKind, at happened: Date, seen: Date?, now: Date, _ policy: NoticePolicy
    ) -> Date? {
        guard choice(kind).push else { return nil }
        if kinds[kind].lasts != nil { return happened }
        return awake(happened + policy.pushDelay, seen.map { $0 + policy.pushAway }, now)
    }

    /// The same for a push that was handed over already: quiet hours may have begun since, or somebody may have chosen otherwise.
    func pushAgainTime(of kind: InboxNoticeKind, now: Date) -> Date? {
        guard choice(kind).push else { return nil }
        return kinds[kind].lasts == nil ? clock.end(of: quiet, at: now) ?? now : now
    }

    private func awake(_ ready: Date, _ away: Date?, _ now: Date) -> Date {
        let due = max(ready, away ?? ready)
        return clock.end(of: quiet, at: max(due, now)) ?? due
    }
}
