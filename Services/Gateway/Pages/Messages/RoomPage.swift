import HTTPTypes
import Hummingbird
import WireProtocol

/// `/messages/{id}`: a chat. The newest messages, or with `before=` those before one.
struct RoomPage {
    var id: String
    var with: PersonView
    var about: String?
    var aboutHref: String?
    var aboutPhoto: String?
    var aboutIcon: String?
    var title: String
    var rows: [MessageRow]
    var any: Bool
    var empty: String
    var earlier: String?
    var earlierRows: String?
    /// Where the newest messages are, on a page of earlier ones.
    var newest: String?
    var foot: RoomFoot
    /// What runs between the two about what the chat is about.
    var panel: PagePart?
    var archived: Bool
    var archive: String
    var archiveText: String
    var key = Visit.newKey()
    var report: String
    var block: String
    /// Up to which message the one who looks has read, and the other has got.
    var read: Int
    var last: Int
    var delivered: Int
    var theirRead: Int
    var typing: String

    /// Messages on one page.
    static let most = 50

    static func register(on routes: PageRoutes) {
        routes.get("/messages/{id}") { visit in
            try visit.context.requirePerson()
            return try await show(visit)
        }
        routes.get("/messages/{id}/rows") { visit in
            try visit.context.requirePerson()
            return try await rows(visit)
        }
        routes.get("/messages/{id}/foot") { visit in
            try visit.context.requirePerson()
            let room = try await room(visit)
            return visit.fragment("messages/foot", RoomFoot(room, in: visit))
        }
        // What a page without scripts asks for when it is shown: an image that is none.
        routes.get("/messages/{id}/seen") { visit in
            try visit.context.requirePerson()
            guard visit.site.services.csrf.isFromOurPages(visit.request.head) else {
                throw ServiceError(.forbidden, "Only our own pages say what was seen.")
            }
            let mark = MessageMark(number: visit.query("number").flatMap { Int($0) } ?? 0)
            _ = try await visit.ask(ChatMethods.markRead, RoomReference(id: visit.id()), mark)
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
    }

    static func room(_ visit: Visit) async throws -> Room {
        try await visit.ask(ChatMethods.room, RoomReference(id: visit.id()), Nothing())
    }

    /// - Parameter refused: what was typed and could not be sent.
    static func show(
        _ visit: Visit, refused: RoomFoot.Refused? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let before = visit.query("before").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let query = MessageQuery(id: try visit.id(), before: before, limit: most)
        async let found = visit.ask(ChatMethods.messages, query, Nothing())
        let room = try await room(visit)
        async let panel = visit.panel(of: room)
        var page = RoomPage(room, try await found, before: before, refused: refused, in: visit)
        page.panel = await panel
        let frame = PageFrame(title: page.title, tab: .messages, width: "middle chat", scripts: ["chat/room"])
        return try await visit.page("messages/room", page, frame, status: status)
    }

    /// Rows alone: what came after a message, or is before one.
    private static func rows(_ visit: Visit) async throws -> Response {
        let id = try visit.id(RoomID.self)
        var (before, after) = (visit.query("before").flatMap { Int($0) }, visit.query("after").flatMap { Int($0) })
        if before != nil { after = nil }
        if before == nil, after == nil { before = Int(Int32.max) }
        // One more on the side of the past, to know how the first one stands to it.
        let query = MessageQuery(
            id: id, before: before, after: after.map { max(1, $0) - 1 }, limit: after == nil ? most : most + 1)
        async let found = visit.ask(ChatMethods.messages, query, Nothing())
        let room = try await room(visit)
        var list = try await found
        let known = after.flatMap { after in list.items.first.flatMap { $0.number <= after ? $0 : nil } }
        if known != nil { list.items.removeFirst() }
        var page = RoomPage(room, list, before: before, refused: nil, in: visit)
        page.rows = MessageRow.rows(list.items, after: known, in: room, visit)
        if after != nil { (page.earlier, page.earlierRows) = (nil, nil) }
        return visit.fragment("messages/rows", page)
    }

    private init(_ room: Room, _ list: MessageList, before: Int?, refused: RoomFoot.Refused?, in visit: Visit) {
        let words = visit.words
        let here = "/messages/\(room.id)"
        id = room.id.description
        with = PersonView(room.with, badge: visit.badge(of: room.with.campus))
        about = room.about(in: words)
        let look = visit.look(of: room.subject)
        aboutHref = visit.href(of: room.subject)
        aboutPhoto = room.photo
        aboutIcon = look?.icon
        title = words["messages.with", ["name": room.with.name]]
        rows = MessageRow.rows(list.items, in: room, news: before == nil, visit)
        any = !rows.isEmpty
        empty = words["messages.first", ["name": room.with.name]]
        earlier = list.before.map { "\(here)?before=\($0)" }
        earlierRows = list.before.map { "\(here)/rows?before=\($0)" }
        newest = before == nil ? nil : "\(here)#newest"
        foot = RoomFoot(room, refused: refused, in: visit)
        archived = room.archived
        archive = room.archived ? "no" : "yes"
        archiveText = words[room.archived ? "messages.unarchive" : "messages.archive"]
        report = Subject(room.with.id).reportHref
        block = "/people/\(room.with.id)/block"
        read = room.read
        last = list.items.last?.number ?? 0
        delivered = room.theirs.delivered
        theirRead = room.theirs.read
        typing = words["messages.typing", ["name": room.with.name]]
    }
}

extension Visit {
    /// What stands at the head of a chat besides what it is about.
    fileprivate func panel(of room: Room) async -> PagePart? {
        for vertical in verticals(of: room.subject.kind) {
            if let panel = await vertical.panel(of: room, in: self) { return panel }
        }
        return nil
    }
}
