import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Notification as far as the pages of the inbox need it.
extension PageCall {
    func inbox(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        // The token is the right: nobody needs to be signed in.
        if method.hasPrefix("notification.unsubscri") { return try unsubscription(method, &state) }
        let me = try caller.requirePerson()
        switch method {
        case "notification.inbox":
            let query = try WireJSON.decode(InboxQuery.self, from: parameters)
            let own = state.inbox.filter { $0.person == me && (query.unread != true || $0.notice.readAt == nil) }
            let start = query.cursor.flatMap { Int($0) } ?? 0
            let next = own.count > start + 3 ? String(start + 3) : nil
            return (try WireJSON.encode(Page(items: own.dropFirst(start).prefix(3).map(\.notice), next: next)), [])
        case "notification.markRead", "notification.markSeen":
            let mark = try WireJSON.decode(InboxMark.self, from: body)
            let isRead = method == "notification.markRead"
            // The newest stand first, so what is older follows.
            var reached = false
            for index in state.inbox.indices where state.inbox[index].person == me {
                let id = state.inbox[index].notice.id
                reached = reached || mark.upTo == id
                let isAbout = mark.about == state.inbox[index].notice.subject
                guard reached || isAbout || mark.ids?.contains(id) == true else { continue }
                state.inbox[index].notice.seen = true
                if isRead { state.inbox[index].notice.readAt = Date() }
            }
        case "notification.inboxCount", "notification.noteSeen": break
        default: return try settings(method, me, &state)
        }
        let own = state.inbox.filter { $0.person == me && $0.notice.readAt == nil }
        return (try WireJSON.encode(InboxCount(unread: own.count, unseen: own.count { !$0.notice.seen })), [])
    }

    private func settings(_ method: String, _ me: PersonID, _ state: inout PageBackend.State) throws -> Outcome {
        switch method {
        case "notification.settings":
            let choices = InboxNoticeKind.allCases.map { NoticeChoice(kind: $0, mail: $0.hasMail, push: true) }
            let first = NoticeSettings(kinds: choices, mail: .atOnce, digestHour: 8, timeZone: "UTC")
            return (try WireJSON.encode(state.noticeSettings[me] ?? first), [])
        case "notification.changeSettings":
            var wanted = try WireJSON.decode(NoticeSettings.self, from: body)
            guard wanted.timeZone.contains("/") else {
                throw ServiceError.invalid([FieldError("timeZone", "not_a_time_zone", "No zone.")])
            }
            let kept = state.noticeSettings[me]?.version
            wanted.version = try PageBackend.version(after: kept, seen: wanted.version)
            state.noticeSettings[me] = wanted
            return (try WireJSON.encode(wanted), [])
        case "notification.pushSettings":
            return (try WireJSON.encode(PushSettings(kinds: [.webPush], applicationServerKey: "BP4z")), [])
        case "notification.devices":
            return (try WireJSON.encode(Page(items: state.devices.filter { $0.person == me }.map(\.device))), [])
        case "notification.removeDevice":
            let id = try WireJSON.decode(PushDeviceReference.self, from: parameters).id
            guard let index = state.devices.firstIndex(where: { $0.person == me && $0.device.id == id }) else {
                throw ServiceError.notFound("device")
            }
            state.devices.remove(at: index)
            return (try WireJSON.encode(Nothing()), [])
        default: throw ServiceError.notFound("answer to \(method)")
        }
    }

    private func unsubscription(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let token = try WireJSON.decode(UnsubscribeToken.self, from: parameters).token
        guard var found = state.unsubscriptions[token] else { throw ServiceError.notFound("token") }
        if method == "notification.unsubscribe" { found.ended = true }
        state.unsubscriptions[token] = found
        return (try WireJSON.encode(found), [])
    }
}
