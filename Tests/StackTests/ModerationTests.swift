import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Reports and what moderators do, in every service and on the live stream.
    @Suite(.serialized) struct ModerationTests {
        /// Somebody new who keeps order, as the operator says with the tool.
        static func moderator() async throws -> KampongClient {
            let client = try await Community.newcomer("Mod")
            let id = try await client.me().id
            let said = try await Community.stack.kampong("moderators", "grant", id.description)
            #expect(said.output.contains("keeps order"), "\(said.output)")
            return client
        }

        @Test(.onlyOnOwnStack) func a_spot_is_reported_hidden_restored_and_every_act_is_in_the_log() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let mod = try await Self.moderator()
            let place = Community.someWhere()
            let box = Community.box(around: place)
            let spot = try await ada.postSpot(Community.draft("A bus stop", at: place)).id
            let atBen = Listener(ben, in: box)
            try await atBen.connect()
            let subject = Subject(kind: .spot, id: ID(spot.uuid))
            let (draft, key) = (ReportDraft(subject: subject, reason: .misleading, text: "Buses stop here."), UUID())
            let first = try await ben.report(draft, key: key.uuidString)
            #expect(try await ben.report(draft, key: key.uuidString) == first)
            #expect(await Result { try await ben.report(draft) }.refusal == .alreadyReported)
            #expect(await Result { try await ada.report(draft) }.refusal == .forbidden)
            #expect(await Result { try await ben.cases() }.refusal == .forbidden)

            let one = try #require(try await Self.find(subject, by: mod))
            let file = try await mod.caseFile(one.id)
            #expect(file.reports.map(\.text) == ["Buses stop here."] && file.now?.title == "A bus stop")
            let decided = try await mod.act(
                ActDraft(act: .hide, reason: "Buses stop there.", version: one.version), on: one.id)
            #expect(decided.decision?.act == .hide)
            let late = await Result { try await mod.act(ActDraft(act: .dismiss, version: one.version), on: one.id) }
            #expect(late.refusal == .alreadyDecided)
            #expect(await eventually { await Result { try await ben.spot(spot) }.refusal == .notFound })
            #expect(await eventually { atBen.spots(named: "spotRemoved") == [spot] })
            #expect(try await ben.spots(in: box).items.isEmpty)
            #expect(await Result { try await ben.claim(spot) }.refusal == .notFound)
            #expect(try await ada.spot(spot).hidden?.reason == "Buses stop there.")
            #expect(try await KampongClient(baseURL: Community.address).spots(in: box).items.isEmpty)

            _ = try await mod.act(ActDraft(act: .restore, version: decided.version), on: one.id)
            #expect(await eventually { (try? await ben.spot(spot).id) == spot })
            #expect(await eventually { atBen.spots(named: "spotAdded").contains(spot) })
            let adas = try await ada.me().id
            #expect(try await mod.audit(of: adas).items.map(\.act) == [.restore, .hide])

            // Who is no moderator any more is none at once.
            let mods = try await mod.me().id
            _ = try await Community.stack.kampong("moderators", "revoke", mods.description)
            #expect(await Result { try await mod.cases() }.refusal == .forbidden)
        }

        /// Anybody may join with the address that the operator will name.
        @Test(.onlyOnOwnStack) func nobody_keeps_order_by_an_address_that_they_have_not_shown() async throws {
            let eve = try await Community.newcomer("Eve")
            let email = try #require(try await eve.me().email)
            let said = try await Community.stack.kampong("moderators", "grant", email).output
            #expect(said.contains("has not shown their address, does not keep order"), "\(said)")
            #expect(said.contains("Nobody has shown that this address is theirs"), "\(said)")
            #expect(await Result { try await eve.cases() }.refusal == .forbidden)
        }

        /// An act holds whoever was away when it was done.
        @Test(.onlyOnOwnStack) func a_listings_that_was_away_hears_of_it_and_reports_wait_for_it() async throws {
            let stack = try await Community.stack
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let mod = try await Self.moderator()
            let spot = try await ada.postSpot(Community.draft()).id
            let subject = Subject(kind: .spot, id: ID(spot.uuid))
            _ = try await ben.report(ReportDraft(subject: subject, reason: .spam))
            let one = try #require(try await Self.find(subject, by: mod))
            try await stack.kill(.listings)
            let eve = KampongClient(baseURL: try await Community.address, retry: .never)
            _ = try await eve.signUp(SignUp(email: Community.someEmail(), password: "eight or more", name: "Eve"))
            let away = await Result { try await eve.report(ReportDraft(subject: subject, reason: .spam)) }
            // Nothing was done, but auth asked for longer than the gateway waits before it asks auth again.
            #expect([.unavailable, .outcomeUnknown].contains(away.refusal))
            #expect(try await mod.caseFile(one.id).reports.count == 1)
            #expect(try await mod.caseFile(one.id).now == nil)
            _ = try await mod.act(ActDraft(act: .hide, reason: "Spam.", version: 0), on: one.id)
            try await stack.start(.listings)
            #expect(await eventually { await Result { try await ben.spot(spot) }.refusal == .notFound })
        }

        /// Ada is suspended while Ben holds a spot of hers and she holds one of Eve's; then it is lifted.
        @Test(.onlyOnOwnStack) func a_suspension_reaches_every_service_and_everybody_whom_it_concerns() async throws {
            let (adasEmail, bensEmail) = (Community.someEmail(), Community.someEmail())
            let ada = try await Self.join("Ada", adasEmail)
            let (ben, eve) = (try await Self.join("Ben", bensEmail), try await Community.newcomer("Eve"))
            for (email, client) in [(adasEmail, ada), (bensEmail, ben)] { try await Mailbox.show(email, of: client) }
            let mod = try await Self.moderator()
            let (adas, place) = (try await ada.me().id, Community.someWhere())
            let box = Community.box(around: place)
            let free = try await ada.postSpot(Community.draft("Free", at: place)).id
            let held = try await ada.postSpot(Community.draft("Held", at: place)).id
            let eves = try await eve.postSpot(Community.draft("Eve's", at: place)).id
            _ = try await ben.claim(held)
            _ = try await ada.claim(eves)
            let (atAda, atBen) = (Listener(ada, in: box), Listener(ben, in: box))
            for listener in [atAda, atBen] { try await listener.connect() }
            let subject = Subject(kind: .person, id: ID(adas.uuid))
            // Ben has a chat with her open, and hears when he is to look at it.
            let room = try await ben.openRoom(about: Subject(kind: .person, id: ID(adas.uuid)), with: adas).id
            let looks = { atBen.events.count { $0.name == "roomChanged" } }
            #expect(await eventually { looks() == 1 })
            _ = try await eve.report(ReportDraft(subject: subject, reason: .harassment))
            let one = try #require(try await Self.find(subject, by: mod))
            _ = try await mod.act(ActDraft(act: .suspend, reason: "Threats.", days: 7, version: 0), on: one.id)

            #expect(await eventually { atAda.events.contains { $0.name == "personSuspended" } })
            #expect(await eventually { atBen.events.contains { $0.name == "posterSuspended" } })
            #expect(await eventually { looks() == 2 }, "\(atBen.events.map(\.name))")
            #expect(try await ben.room(room).writable == false)
            #expect(!atBen.events.contains { $0.name == "personSuspended" })
            #expect(await eventually { atBen.spots(named: "spotRemoved") == [free] })
            #expect(await eventually { atBen.spots(named: "spotAdded").contains(eves) })
            #expect(await Result { try await ben.spot(free) }.refusal == .notFound)
            #expect(try await ben.spot(held).claim?.mine == true)
            #expect(try await eve.spot(eves).state == .free)
            // Her token is refused, and her refresh says why; with the password she comes to what is hers.
            let refused = await Result { try await ada.me() }.refusal
            #expect([.suspended, .unauthenticated].contains(refused))
            let fresh = KampongClient(baseURL: try await Community.address)
            _ = try await fresh.signIn(email: adasEmail, password: "eight or more")
            let told = await Result { try await fresh.me() }
            #expect(told.refusal == .suspended)
            guard case .failure(let problem as Problem) = told else { throw CancellationError() }
            #expect(problem.status == 403)
            #expect(await Result { try await fresh.postSpot(Community.draft()) }.refusal == .suspended)
            #expect(await Result { try await fresh.requestExport() }.refusal == nil)
            let wrong = await Result { try await fresh.signIn(email: adasEmail, password: "not her password") }
            #expect(wrong.refusal == .wrongCredentials)
            #expect(await Result { try await ben.person(adas) }.refusal == .notAvailable)
            #expect(try await mod.person(adas).name == "Ada")
            // By mail, both whom it concerns, and in the account of the one who is not locked out.
            let hers = try await Mailbox.onlyMail(to: adasEmail)
            #expect(hers.contains("Threats.") && hers.contains("suspended"))
            // Not in the words of the one who was suspended.
            let his = try await Mailbox.onlyMail(to: bensEmail)
            #expect(his.contains("suspended") && !his.contains("Held") && !his.contains("Threats."))
            let notice = try #require(try await ben.notices().items.first)
            #expect(notice.kind == .concerned && notice.title == "Held")
            try await ben.read(notice.id)
            #expect(try await ben.notices().items.isEmpty)

            _ = try await mod.act(ActDraft(act: .reinstate, version: 1), on: one.id)
            _ = try await fresh.signIn(email: adasEmail, password: "eight or more")
            #expect(await eventually { (try? await ben.spot(free).id) == free })
            #expect(await eventually { looks() == 3 })
            #expect(try await ben.room(room).writable)
            #expect(await eventually { (try? await fresh.postSpot(Community.draft())) != nil })
            #expect(Set(try await fresh.notices().items.map(\.kind)) == [.suspended, .reinstated])
            #expect(try await mod.audit(of: adas).items.map(\.act) == [.reinstate, .suspend])
        }

        /// What auth has said holds in listings while auth is away, and reaches a listings that was.
        @Test(.onlyOnOwnStack) func a_suspension_holds_whoever_is_away() async throws {
            let stack = try await Community.stack
            let (ada, eve) = (try await Community.newcomer("Ada"), try await Community.newcomer("Eve"))
            let mod = try await Self.moderator()
            let (adas, spot) = (try await ada.me().id, try await ada.postSpot(Community.draft()).id)
            let subject = Subject(kind: .person, id: ID(adas.uuid))
            _ = try await eve.report(ReportDraft(subject: subject, reason: .spam))
            let one = try #require(try await Self.find(subject, by: mod))
            try await stack.kill(.listings)
            _ = try await mod.act(ActDraft(act: .suspend, reason: "Spam.", version: 0), on: one.id)
            try await stack.start(.listings)
            #expect(await eventually { await Result { try await eve.spot(spot) }.refusal == .notFound })
            try await stack.kill(.auth)
            #expect(await Result { try await eve.spot(spot) }.refusal == .notFound)
            try await stack.start(.auth)
            #expect(await eventually { await Result { try await eve.me() }.refusal == nil })
        }

        static func join(_ name: String, _ email: String) async throws -> KampongClient {
            let client = KampongClient(baseURL: try await Community.address)
            _ = try await client.signUp(SignUp(email: email, password: "eight or more", name: name))
            return client
        }

        /// The open case of a subject; cases of other tests may wait before it.
        static func find(_ subject: Subject, by mod: KampongClient) async throws -> ModerationCase? {
            var cursor: String?
            repeat {
                let page = try await mod.cases(limit: 100, cursor: cursor)
                if let found = page.items.first(where: { $0.subject == subject }) { return found }
                cursor = page.next
            } while cursor != nil
            return nil
        }
    }
}
