import WireProtocol

/// What somebody's page says of friendship: how it stands, what one may do, and whom both know.
struct FriendPanel {
    var id: String
    var text: String?
    var canAsk: Bool
    var asked: Bool
    var waiting: Bool
    var friends: Bool
    var mutual: String
    var mutualPeople: [PersonView]
    var mutualHref: String?
    var key = Visit.newKey()

    /// Nil where auth is just not there for this question: the rest of the page does without.
    static func of(_ id: PersonID, in visit: Visit) async throws -> FriendPanel? {
        async let friend = visit.askUnlessAway(AuthMethods.friend, PersonReference(id: id))
        async let mutual = visit.askUnlessAway(AuthMethods.mutualFriends, MutualFriendsQuery(id: id, limit: 3))
        guard let friend = try await friend, let mutual = try await mutual else { return nil }
        return FriendPanel(friend, mutual, in: visit)
    }

    private init(_ friend: Friend, _ mutual: MutualFriends, in visit: Visit) {
        let (words, name) = (visit.words, friend.person.name)
        id = friend.person.id.description
        switch friend.state {
        case .none: text = nil
        case .asked: text = words["friend.asked", ["name": name]]
        case .waiting: text = words["friend.waiting", ["name": name]]
        case .friends:
            text = friend.since.map { words["friend.since", ["date": visit.moment($0, .date).text]] }
        }
        canAsk = friend.state == .none
        asked = friend.state == .asked
        waiting = friend.state == .waiting
        friends = friend.state == .friends
        self.mutual = words["friends.mutual", count: mutual.count]
        mutualPeople = mutual.items.map { PersonView($0) }
        mutualHref = mutual.count > 0 ? "/people/\(id)/mutual-friends" : nil
    }
}
