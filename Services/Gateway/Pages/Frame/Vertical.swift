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

    /// What of it others name: with its link and its icon, wherever it is named.
    var subjects: [SubjectLook] { get }

    /// How Home says what waits, where that is about one of its subjects; nil where it is not for this vertical to say.
    /// - Parameter page: where the subject can be seen.
    func row(of item: WaitingItem, at page: String, in visit: Visit) -> HomePage.Waiting?

    /// What of it people share, as their pages ask for it.
    var shelf: ProfileShelf? { get }

    /// What somebody shares, for their page; nil where that says nothing of it.
    /// - Parameter found: nil where whoever has it is away.
    func part(of found: Page<ShelfItem>?, by person: PersonID, in visit: Visit) -> PagePart?

    /// What is about to be reported, where it is one of its subjects that can be.
    func reported(_ subject: Subject, in visit: Visit) async throws -> ReportedThing?

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
    var subjects: [SubjectLook] { [] }
    func row(of item: WaitingItem, at page: String, in visit: Visit) -> HomePage.Waiting? { nil }
    var shelf: ProfileShelf? { nil }
    func part(of found: Page<ShelfItem>?, by person: PersonID, in visit: Visit) -> PagePart? { nil }
    func reported(_ subject: Subject, in visit: Visit) async throws -> ReportedThing? { nil }
    func panel(of room: Room, in visit: Visit) async -> PagePart? { nil }
    func summary(of entry: CalendarEntry, in words: Words) -> String? { nil }
    func offers(at place: Place, in words: Words) -> [PlacePage.Offer] { [] }
    func cases(in visit: Visit) async -> [CasesPage.Choice] { [] }
    func own(in words: Words) -> [PageLink] { [] }
    var searchCookies: [String] { [] }
}
