import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Who has asked whom, and whether it was accepted.
struct PageFriendship: Hashable {
    var asker: PersonID
    var asked: PersonID
    var accepted = false

    func concerns(_ one: PersonID, _ other: PersonID) -> Bool { Set([asker, asked]) == [one, other] }

    func state(for person: PersonID) -> FriendState { accepted ? .friends : person == asker ? .asked : .waiting }

    func other(than person: PersonID) -> PersonID { person == asker ? asked : asker }
}

extension PageCall {
    /// As auth does, with pages of three.
    func friends(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let me = try caller.requirePerson()
        func summary(_ id: PersonID) throws -> PersonSummary {
            guard let person = state.people[id], !state.isApart(id, me) else { throw ServiceError.notFound("person") }
            return PersonSummary(id: id, name: person.name, photo: person.photo)
        }
        func friend(_ id: PersonID) throws -> Friend {
            let found = state.friendships.first { $0.concerns(me, id) }
            return Friend(
                person: try summary(id), state: found?.state(for: me) ?? .none, since: found.map { _ in Date() })
        }
        func friendIDs(of person: PersonID) -> Set<PersonID> {
            Set(
                state.friendships.filter(\.accepted).compactMap {
                    [$0.asker, $0.asked].contains(person) ? $0.other(than: person) : nil
                })
        }
        switch method {
        case "auth.friend":
            return (try WireJSON.encode(try friend(WireJSON.decode(PersonReference.self, from: parameters).id)), [])
        case "auth.friends":
            let query = try WireJSON.decode(FriendQuery.self, from: parameters)
            let all = try state.friendships.filter { [$0.asker, $0.asked].contains(me) }
                .map { try friend($0.other(than: me)) }.filter { $0.state == query.state }
                .sorted { $0.person.id.description < $1.person.id.description }
            let rest = all.drop { $0.person.id.description <= query.cursor ?? "" }
            let next = rest.count > 3 ? rest.prefix(3).last?.person.id.description : nil
            return (try WireJSON.encode(Page(items: Array(rest.prefix(3)), next: next)), [])
        case "auth.mutualFriends":
            let query = try WireJSON.decode(MutualFriendsQuery.self, from: parameters)
            let all = try friendIDs(of: me).intersection(friendIDs(of: query.id)).map { try summary($0) }
                .sorted { $0.id.description < $1.id.description }
            let rest = all.drop { $0.id.description <= query.cursor ?? "" }
            let next = rest.count > 3 ? rest.prefix(3).last?.id.description : nil
            let page = MutualFriends(items: Array(rest.prefix(3)), next: next, count: all.count)
            return (try WireJSON.encode(page), [])
        case "auth.befriend":
            let other = try WireJSON.decode(PersonReference.self, from: parameters).id
            if var found = state.friendships.first(where: { $0.concerns(me, other) }) {
                if found.asked == me {
                    state.friendships.remove(found)
                    found.accepted = true
                    state.friendships.insert(found)
                }
            } else {
                state.friendships.insert(PageFriendship(asker: me, asked: other))
            }
            return (try WireJSON.encode(try friend(other)), [])
        default:
            let ending = try WireJSON.decode(FriendEnding.self, from: parameters)
            if let expected = ending.state, let found = state.friendships.first(where: { $0.concerns(me, ending.id) }),
                found.state(for: me) != expected
            {
                throw ServiceError(.wrongState, "Changed.")
            }
            state.friendships = state.friendships.filter { !$0.concerns(me, ending.id) }
            return ([], [])
        }
    }
}
