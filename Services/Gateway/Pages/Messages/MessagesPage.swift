import Hummingbird
import PlainText
import WireProtocol

/// `/messages`: one's chats, the latest first. `shelf=closed|archived` shows the others, `q=` searches all of them.
struct MessagesPage {
    struct Choice {
        var href: String
        var text: String
        var current: Bool
    }

    var choices: [Choice]
    var q: String
    var searching: Bool
    var problem: String?
    var rooms: [RoomCard]
    var any: Bool
    var more: String?
    var emptyIcon: String
    var emptyTitle: String
    var emptyText: String
    var emptyHref: String?
    var emptyAction: String
    /// The address of this list, to be loaded anew when something happens.
    var `self`: String
    /// Whether something that happens changes this list: not a later page of it.
    var live: Bool

    static func register(on routes: PageRoutes) {
        routes.get("/messages") { visit in
            try visit.context.requirePerson()
            let page = try await load(visit)
            switch visit.isFragment ? visit.fragmentTarget : nil {
            case "rooms": return visit.fragment("messages/rooms", page)
            case "more": return visit.fragment("messages/cards", page)
            default:
                let frame = PageFrame(title: visit.words["messages.title"], tab: .messages, scripts: ["chat/rooms"])
                return try await visit.page("messages/messages", page, frame)
            }
        }
    }

    private static func load(_ visit: Visit) async throws -> MessagesPage {
        let q = (visit.query("q") ?? "").trimmed
        let named = visit.query("shelf").flatMap(RoomShelf.init)
        let shelf = q.isEmpty ? named ?? .inbox : nil
        do {
            let query = RoomQuery(shelf: shelf, q: q.nonEmpty, limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(ChatMethods.rooms, query, Nothing())
            return MessagesPage(found, shelf, q, in: visit)
        } catch let error as ServiceError where error.code == .invalid && !q.isEmpty {
            var page = MessagesPage(Page(items: []), nil, q, in: visit)
            page.problem = FieldErrors(error, visit.words, topics: ["q": "messageSearch"]).messages["q"]
            return page
        }
    }

    private init(_ found: Page<Room>, _ shelf: RoomShelf?, _ q: String, in visit: Visit) {
        let words = visit.words
        let here = shelf?.href ?? "/messages?q=\(LocalPath.encoded(q))"
        choices = RoomShelf.allCases.map {
            Choice(href: $0.href, text: words["messages.shelf.\($0.rawValue)"], current: $0 == shelf)
        }
        self.q = q
        searching = shelf == nil
        rooms = found.items.map { RoomCard($0, on: shelf, in: visit) }
        any = !rooms.isEmpty
        more = found.next.map { "\(here)\(here.contains("?") ? "&" : "?")cursor=\(LocalPath.encoded($0))" }
        let topic = shelf?.rawValue ?? "search"
        emptyIcon = shelf == nil ? "search" : shelf == .inbox ? "messages" : shelf == .closed ? "lock" : "archive"
        emptyTitle = words["messages.empty.\(topic)"]
        emptyText = words["messages.empty.\(topic)Text"]
        emptyHref = shelf == .inbox ? "/parking" : nil
        emptyAction = words["messages.empty.action"]
        self.`self` = here
        live = visit.query("cursor") == nil
    }
}

extension RoomShelf {
    fileprivate var href: String { self == .inbox ? "/messages" : "/messages?shelf=\(rawValue)" }
}
