import WireProtocol

/// What people share in one way: its pages and calls, and what it adds to pages that are not its own. `Verticals.all` has one value of each.
protocol Vertical: Sendable {
    /// Adds its own pages.
    func register(on routes: PageRoutes)

    /// Its calls of `/v1`.
    var calls: [APIRoute] { get }

    /// Its lists. Each chip leads back to where one was in it.
    /// - Parameter path: of the list that is looked at now.
    func lists(at path: String?, in visit: Visit) -> [PageLink]

    /// The pages on which one shares something.
    /// - Parameter path: of the one that is open now.
    func ways(at path: String?, in words: Words) -> [PageLink]

    /// Its newest, for Home. What comes first of each vertical stands there before what comes second of any. Nil is what is not known now.
    func newest(in visit: Visit) async throws -> [HomeShelf?]

    /// What waits for the one who looks, for Home; nil where that is not known now.
    func waiting(in visit: Visit) async throws -> [HomePage.Waiting]?

    /// What somebody shares, for their page.
    func shelf(of person: PersonID, in visit: Visit) async throws -> ProfileShelf?

    /// What chats are about that are about something of it.
    var topic: RoomTopic? { get }

    /// What stands at the head of a chat about something of it, besides its title; nil where that is nothing, or not known now.
    func panel(of room: Room, in visit: Visit) async -> PagePart?

    /// What an entry of somebody's calendar is called; nil where it is of another vertical.
    func summary(of entry: CalendarEntry, in words: Words) -> String?

    /// What one can look for and share at a place, for its page.
    func offers(at place: Place, in words: Words) -> [PlacePage.Offer]

    /// What waits for moderators besides what is reported.
    func cases(in visit: Visit) async -> [CasesPage.Choice]

    /// The ways to what is one's own, for the menu of one's page.
    func own(in words: Words) -> [PageLink]

    /// The cookies in which the device keeps what was looked for last.
    var searchCookies: [String] { get }
}

extension Vertical {
    var calls: [APIRoute] { [] }
    func newest(in visit: Visit) async throws -> [HomeShelf?] { [] }
    func waiting(in visit: Visit) async throws -> [HomePage.Waiting]? { [] }
    func shelf(of person: PersonID, in visit: Visit) async throws -> ProfileShelf? { nil }
    var topic: RoomTopic? { nil }
    func panel(of room: Room, in visit: Visit) async -> PagePart? { nil }
    func summary(of entry: CalendarEntry, in words: Words) -> String? { nil }
    func offers(at place: Place, in words: Words) -> [PlacePage.Offer] { [] }
    func cases(in visit: Visit) async -> [CasesPage.Choice] { [] }
    func own(in words: Words) -> [PageLink] { [] }
    var searchCookies: [String] { [] }
}
