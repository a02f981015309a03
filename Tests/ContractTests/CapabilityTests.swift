import Testing
import WireProtocol

/// What `Capabilities.swift` says holds together.
@Suite struct CapabilityTests {
    /// Auth finds people and reviews by itself, and asks about the rest.
    @Test func whoever_has_what_is_reported_answers_for_it() {
        let asked = SubjectKind.allCases.filter { $0.uses.contains(.reports) }.map(\.service)
        #expect(Set(asked).subtracting([.auth]) == Set(Capability.subject.services))
    }

    /// About people chat needs to ask nobody.
    @Test func whoever_has_what_rooms_are_about_answers_for_it() {
        let asked = SubjectKind.allCases.filter { $0.uses.contains(.rooms) }.map(\.service)
        #expect(Set(asked).subtracting([.auth]) == Set(Capability.roomSubject.services))
    }

    /// Auth asks those alone whose events it hears, and chat likewise; notification hears whoever has notices.
    @Test func whoever_is_asked_is_connected() {
        for capability in [Capability.subject, .commitments, .encounters] {
            #expect(capability.peers.isSubset(of: PeerRole.auth.publishers), "\(capability)")
        }
        #expect(Capability.roomSubject.peers.isSubset(of: PeerRole.chat.publishers))
        #expect(Capability.notices.peers.isSubset(of: PeerRole.notification.publishers))
        #expect(Capability.people.services.allSatisfy { $0.publishers.contains(.auth) })
    }

    @Test func services_stand_in_the_order_of_their_names() {
        for capability in Capability.allCases {
            let names = capability.services.map(\.rawValue)
            #expect(names == names.sorted(), "\(capability)")
        }
        #expect(
            Capability.erasure.peers.isSuperset(of: [
                .auth, .chat, .gateway, .listings, .matching, .notification, .rides,
            ]))
        #expect(
            Capability.personalData.peers.isSuperset(of: [.auth, .chat, .listings, .matching, .notification, .rides]))
        #expect(Capability.photosInUse.peers.isSuperset(of: [.auth, .chat, .listings, .matching]))
        #expect(PeerRole.places.subscribers == [.gateway] && PeerRole.places.publishers.isEmpty)
    }

    @Test func what_is_shared_stands_on_a_shelf() {
        #expect(Set(SubjectKind.shared.map(\.service)) == Set(Capability.shelf.services))
        #expect(SubjectKind.shared.allSatisfy { $0.uses.contains(.reports) })
    }

    /// Matching keeps the searches: it asks whoever has what they look for, and hears when that appears. It is a service's own thing that it asks about, and
    /// people are told of it.
    @Test func whatever_searches_find_is_somebodys_who_is_asked_and_heard() {
        let keeper = PeerRole.matching
        for service in Capability.searched.services {
            #expect(service == keeper || keeper.publishers.contains(service), "\(service)")
            let methods = service.methods
            #expect(methods.readSearch.peers == [keeper] && methods.searchables.peers == [keeper], "\(service)")
            #expect(methods.judgeSearches.peers == [keeper] && methods.look.peers == [keeper], "\(service)")
            #expect(methods.foundItems.peers == [keeper], "\(service)")
        }
        let found = SubjectKind.searched
        #expect(Set(found.map(\.service)) == Set(Capability.searched.services))
        #expect(found.allSatisfy { $0.uses.contains(.notices) } && SubjectKind.wanted.service == keeper)
    }

    @Test func what_is_named_is_of_a_kind_that_is_named_so() throws {
        let id = "019aa3f2-0000-7e44-ad5e-6f708192a3b4"
        func refused<Body: Codable & Sendable>(_ body: Body.Type, _ document: String) -> [String]? {
            do { _ = try WireJSON.decode(body, from: Array(document.utf8)) } catch {
                return (error as? ServiceError)?.errors.map(\.field)
            }
            return nil
        }
        for kind in SubjectKind.allCases {
            let subject = "{\"kind\": \"\(kind.rawValue)\", \"id\": \"\(id)\"}"
            let answers: [(SubjectUse, [String]?, String)] = [
                (
                    .reports, refused(ReportDraft.self, "{\"subject\": \(subject), \"reason\": \"spam\"}"),
                    "subject.kind"
                ),
                (.rooms, refused(RoomDraft.self, "{\"subject\": \(subject), \"with\": \"\(id)\"}"), "subject.kind"),
                (
                    .encounters, refused(ReviewDraft.self, "{\"subject\": \(subject), \"rating\": 1, \"text\": \"x\"}"),
                    "subject.kind"
                ),
                (.notices, refused(InboxMark.self, "{\"about\": \(subject)}"), "about.kind"),
            ]
            for (use, fields, field) in answers {
                let wanted: [String]? = kind.uses.contains(use) ? nil : [field]
                #expect(fields == wanted, "\(kind) \(use)")
            }
        }
        #expect(refused(InboxMark.self, "{\"ids\": [], \"about\": null}") == nil)
    }

    @Test func an_id_is_of_one_kind() {
        let spot = SpotID.new()
        let subject = Subject(spot)
        #expect(subject.kind == .spot && subject.id(of: Spot.self) == spot)
        #expect(subject.id(of: Thing.self) == nil && Subject(ThingID(spot.uuid)) != subject)
    }
}
