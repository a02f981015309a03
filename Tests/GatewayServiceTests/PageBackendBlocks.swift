import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Who has blocked whom.
struct PageBlock: Hashable {
    var blocker: PersonID
    var blocked: PersonID
}

extension PageBackend.State {
    func isApart(_ one: PersonID, _ other: PersonID?) -> Bool {
        blocks.contains { ($0.blocker, $0.blocked) == (one, other) || ($0.blocked, $0.blocker) == (one, other) }
    }
}

extension PageCall {
    /// As auth does, with pages of three, the latest first.
    func blocks(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let me = try caller.requirePerson()
        func blocked(_ id: PersonID) throws -> BlockedPerson {
            guard let person = state.people[id] else { throw ServiceError.notFound("person") }
            return BlockedPerson(person: PersonSummary(id: id, name: person.name, photo: person.photo), since: Date())
        }
        switch method {
        case "auth.blocks":
            let query = try WireJSON.decode(BlockQuery.self, from: parameters)
            let all = state.blocks.filter { $0.blocker == me }.map(\.blocked).reversed()
            let rest = Array(
                query.cursor.map { cursor in all.drop { $0.description != cursor }.dropFirst() } ?? all[...])
            let page = try rest.prefix(3).map { try blocked($0) }
            return (
                try WireJSON.encode(Page(items: page, next: rest.count > 3 ? rest[2].description : nil)), []
            )
        case "auth.apart":
            return (try WireJSON.encode(Page(items: state.people.keys.filter { state.isApart($0, me) })), [])
        case "auth.block":
            let other = try WireJSON.decode(PersonReference.self, from: parameters).id
            guard other != me else { throw ServiceError(.forbidden, "This is you.") }
            let block = PageBlock(blocker: me, blocked: other)
            if !state.blocks.contains(block) { state.blocks.append(block) }
            state.friendships = state.friendships.filter { !$0.concerns(me, other) }
            return (try WireJSON.encode(try blocked(other)), [])
        default:
            let other = try WireJSON.decode(PersonReference.self, from: parameters).id
            state.blocks.removeAll { $0 == PageBlock(blocker: me, blocked: other) }
            return ([], [])
        }
    }
}
