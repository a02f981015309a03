import WireProtocol

/// Notification as far as the operator's pages need it.
extension PageCall {
    func mails(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        guard state.operators.contains(try caller.requirePerson()) else {
            throw ServiceError(.forbidden, "Only operators may do that.")
        }
        if method == "notification.mails" {
            let query = try WireJSON.decode(KeptMailQuery.self, from: parameters)
            let all = state.mails.map(\.mail).filter { $0.channel == query.channel }
            let rest = query.cursor.map { cursor in all.drop { $0.id.description != cursor }.dropFirst() } ?? all[...]
            let page = Array(rest.prefix(query.limit ?? 20))
            let next = rest.count > page.count ? page.last?.id.description : nil
            return (try WireJSON.encode(Page(items: page, next: next)), [])
        }
        let id = try WireJSON.decode(KeptMailReference.self, from: parameters).id
        guard let index = state.mails.firstIndex(where: { $0.mail.id == id }) else {
            throw ServiceError.notFound("mail")
        }
        if method == "notification.mail" { return (try WireJSON.encode(state.mails[index]), []) }
        guard state.mails[index].mail.canRetry else { throw ServiceError(.wrongState, "Not given up.") }
        state.mails[index].mail.state = .waiting
        state.mails[index].mail.canRetry = false
        return ([], [])
    }

    func pushes(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        guard state.operators.contains(try caller.requirePerson()) else {
            throw ServiceError(.forbidden, "Only operators may do that.")
        }
        if method == "notification.deadPushes" { return (try WireJSON.encode(Page(items: state.pushes)), []) }
        let id = try WireJSON.decode(DeadPushReference.self, from: parameters).id
        guard state.pushes.contains(where: { $0.id == id }) else { throw ServiceError.notFound("push") }
        state.pushes.removeAll { $0.id == id }
        return (try WireJSON.encode(Nothing()), [])
    }
}
