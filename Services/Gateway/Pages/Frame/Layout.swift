import HTTPTypes
import Hummingbird
import PlainText
import Sentences
import WireProtocol

/// How a page stands in the frame.
struct PageFrame: Sendable {
    enum Tab: String, Sendable { case home, map, share, messages, me }

    var title: String
    var tab: Tab?
    /// A class of `main`: empty, `middle` or `narrow`.
    var width = "narrow"
    var usesMap = false
    /// Of nobody: shown where no network is, with no way to anywhere that needs one.
    var bare = false
    /// Modules of this page, beside `app`.
    var scripts: [String] = []
    /// Style sheets of this page, beside those of all.
    var styles: [String] = []
}

/// What `frame/layout` shows around a page.
private struct Layout {
    struct Tabs {
        var home = false
        var map = false
        var share = false
        var messages = false
        var me = false

        init(_ tab: PageFrame.Tab?) {
            switch tab {
            case .home: home = true
            case .map: map = true
            case .share: share = true
            case .messages: messages = true
            case .me: me = true
            case nil: break
            }
        }
    }

    var title: String
    var width: String
    var usesMap: Bool
    var scripts: [String]
    var styles: [String]
    /// A page that strangers see too: it shows them the way in, where the door's own pages offer languages.
    var open: Bool
    var bare: Bool
    var person: PersonView?
    var tabs: Tabs
    /// How many chats have something new; nil where none has, or chat is away.
    var unread: Int?
    /// Nil where nobody is signed in.
    var bell: Bell?
    /// How much is new, in the title: of chats or of what one was told, whichever is more, since a chat's news are told of as well.
    var news: Int?
    var toast: String?
    /// Where the stream of what happens to the person goes on.
    var live: String?
    /// When it was made, by which scripts say how long ago something was; nil for what is kept and shown later.
    var now: String?
}

/// A person as templates show one.
struct PersonView {
    var id: String
    var name: String
    var photo: String?
    var initial: String
    /// That they belong to a campus, where that is shown.
    var badge: String?
    /// What reviews come to, where that is shown.
    var reputation: ReputationView?
    /// Whether there is a page of theirs.
    var known: Bool

    init(_ person: PersonSummary, badge: String? = nil, reputation: ReputationView? = nil) {
        id = person.id.description
        name = person.name
        photo = person.photo
        initial = person.name.first.map(String.init) ?? "?"
        known = person.name != PersonSummary.nameOfUnknown
        self.badge = badge
        self.reputation = reputation
    }

    init(_ person: Person) { self.init(person.summary) }

    /// With their campus, and what reviews come to.
    init(_ person: PersonSummary, in visit: Visit) {
        self.init(
            person, badge: visit.badge(of: person.campus),
            reputation: ReputationView(person.reputation, in: visit.words))
    }
}

/// What every template may use, beside the catalogue as `t`.
private struct Common {
    var lang: String
    var dir: String
    var community: String
    var assets: String
    var csrf: String
    var signedIn: Bool
    /// The id of who is signed in.
    var me: String
    /// For forms to say whom they were made for; nil of nobody.
    var sender: String?
    var here: String
    /// `?next=` with this page, for the ways in.
    var hereNext: String
    var languageName: String
    var otherLanguages: [LanguageChoice]
}

extension Visit {
    /// A whole page: the template in the frame. Rechecks the session on the way, as every page does.
    func page(
        _ template: String, _ model: some Any, _ frame: PageFrame, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        async let unread = takesPart ? unreadRooms() : nil
        async let notices = takesPart ? unreadNotices() : nil
        let person = takesPart ? try await me() : nil
        let text = framed(template, model, frame, person: person, unread: await unread, notices: await notices)
        return html(text, status: status)
    }

    /// A part of a page: the template alone.
    func fragment(_ template: String, _ model: some Any, status: HTTPResponse.Status = .ok) -> Response {
        html(site.render(template, tree(of: model)), status: status)
    }

    func framed(
        _ template: String, _ model: some Any, _ frame: PageFrame, person: Person?, unread: Int? = nil,
        notices: Int? = nil
    )
        -> String
    {
        let toast = query("done").flatMap { words.find("done.\($0)") }
        let layout = Layout(
            title: frame.title, width: frame.width, usesMap: frame.usesMap, scripts: frame.scripts,
            styles: frame.styles,
            open: frame.tab != nil, bare: frame.bare, person: person.map { PersonView($0) }, tabs: .init(frame.tab),
            unread: unread, bell: takesPart ? Bell(number: notices) : nil,
            news: [unread, notices].compactMap { $0 }.max(),
            toast: toast, live: takesPart ? since.nonEmpty : nil, now: frame.bare ? nil : WireJSON.text(of: now))
        var tree = tree(of: layout)
        tree["main"] = site.render(template, self.tree(of: model))
        tree["scriptStrings"] = words.scriptStrings
        return site.render("frame/layout", tree)
    }

    /// The signed-in person's own view. A page does without it where auth is slow or away; a dead session is not passed over.
    private func me() async throws -> Person? {
        do {
            return try await ask(AuthMethods.me, Nothing(), Nothing(), within: 1)
        } catch let error as ServiceError where [.unavailable, .outcomeUnknown, .internalError].contains(error.code) {
            return nil
        }
    }

    private func unreadRooms() async -> Int? {
        let count = try? await ask(ChatMethods.unread, Nothing(), Nothing(), within: 1).rooms
        return count == 0 ? nil : count
    }

    /// A view model with what every template may use.
    private func tree(of model: some Any) -> [String: Any] {
        let assets = site.services.assets.url("").dropLast()
        let here = request.method == .get ? here : LocalPath.from(request.uri.path, door: true) ?? "/"
        let common = Common(
            lang: words.code, dir: words.direction, community: community.name, assets: String(assets),
            csrf: context.webSession?.csrfToken ?? "", signedIn: takesPart,
            me: context.caller.person?.description ?? "",
            sender: takesPart ? context.caller.person.map { site.services.csrf.forms.sender($0) } : nil, here: here,
            hereNext: LocalPath.query(next: LocalPath.from(here)),
            languageName: words.name, otherLanguages: LanguageChoice.others(than: words, in: site.catalogues))
        var tree = ViewTree.of(common).merging(ViewTree.of(model)) { _, own in own }
        tree["t"] = words.root.tree
        return tree
    }
}
