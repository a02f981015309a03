import Hummingbird
import WireProtocol

/// `/me`: one's own account.
struct MePage {
    var id: String
    var name: String
    var initial: String
    var photo: String?
    var username: String?
    var region: String?
    var since: String
    var email: String?
    /// That it may be a stranger's.
    var unverified: String?
    /// The way to another address, or to show that this one is theirs.
    var emailMenu: String
    var badge: String?
    /// The way to a campus, where the community has any.
    var campus: String?
    /// That their number is verified, and the way to that, where texts are sent.
    var phoneBadge: String?
    var phone: String?
    /// Whether there are identity providers here.
    var identities: Bool
    /// Whether there can be passkeys.
    var passkeys: Bool
    /// Whether they keep order. By the session's token: auth asks anew whenever they do something.
    var moderates: Bool
    /// Whether they are an operator, by the same.
    var operates: Bool
    /// The ways to what is theirs, of each vertical, and to what they look for.
    var shared: [PageLink]
    var about: AboutPerson
    var notices: NoticesPanel?

    static func register(on routes: PageRoutes) {
        routes.get("/me") { visit in
            try visit.context.requirePerson()
            async let notices = visit.askUnlessAway(AuthMethods.notices, Nothing())
            let person = try await visit.ask(AuthMethods.me, Nothing(), Nothing())
            let providers = try await visit.askUnlessAway(AuthMethods.identityProviders, Nothing())
            let frame = PageFrame(title: visit.words["me.title"], tab: .me)
            var page = MePage(person, identities: providers?.items.isEmpty == false, in: visit)
            page.notices = NoticesPanel(try await notices, in: visit)
            return try await visit.page("me/me", page, frame)
        }
    }

    private init(_ person: Person, identities: Bool, in visit: Visit) {
        let view = PersonView(person)
        (id, name) = (view.id, view.name)
        initial = view.initial
        photo = view.photo
        username = person.username
        region = person.region
        since = visit.since(person)
        email = person.email
        let isOpen = person.emailVerified == false
        unverified = isOpen ? visit.words["email.unverified"] : nil
        emailMenu = visit.words[isOpen ? "email.verify" : "email.menu"]
        badge = visit.badge(of: person.campus)
        campus =
            visit.community.campuses.all.isEmpty
            ? nil : visit.words[person.campus == nil ? "campus.menu" : "campus.another"]
        phoneBadge = visit.phoneBadge(of: person)
        phone =
            visit.community.verifiesPhones
            ? visit.words[person.phoneVerified == true ? "phone.another" : "phone.menu"] : nil
        self.identities = identities
        passkeys = visit.community.passkeys != nil
        moderates = visit.isModerator
        operates = visit.context.caller.roles.contains(.operator)
        shared =
            visit.verticals.flatMap { $0.own(in: visit.words) }
            + [PageLink(href: WantedPages.path, icon: "search", text: visit.words["wanted.title"])]
        about = AboutPerson(person, in: visit.words)
    }
}

extension Visit {
    /// `member since 3 May 2026`
    func since(_ person: Person) -> String { words["me.since", ["date": moment(person.memberSince, .date).text]] }
}
