import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// Reporting, and keeping order, with links and forms alone.
@Suite struct PageModerationTests {
    /// Ada, whom Ben has reported, and Mod, who keeps order.
    private func reported(
        _ test:
            @escaping @Sendable (PageDoor, _ mod: PageVisitor, _ ada: PageVisitor, _ kept: PageCase) async throws ->
            Void
    ) async throws {
        try await PageDoor.run { door in
            let adas = try await door.join("Ada")
            let (ben, mod) = (try await door.join("Ben"), try await door.join("Mod"))
            door.appoint("Mod", .moderator)
            let ada = try door.person("Ada")
            let subject = Subject(kind: .person, id: ID(ada.id.uuid))
            Self.takeReports(at: door)
            let sent = try await ben.post(
                "/report?kind=person&id=\(ada.id)", ["reason": "harassment", "text": "Night after night."])
            #expect(sent["Location"] == "/people/\(ada.id)?done=reported")
            let draft = try #require(try door.services.asked(AuthMethods.report).last).content
            #expect(draft == ReportDraft(subject: subject, reason: .harassment, text: "Night after night."))
            let kept = PageCase(
                of: subject, about: ada, title: "Ada", by: try door.person("Ben"), draft.reason, draft.text, at: door)
            try await test(door, mod, adas, kept)
        }
    }

    private static func takeReports(at door: PageDoor) {
        door.services.on(AuthMethods.report) { request in
            let draft = request.content
            return Report(
                id: .new(), subject: draft.subject, reason: draft.reason, text: draft.text, reportedAt: Date())
        }
    }

    private static let wordless = ServiceError.invalid([FieldError("reason", "required", "Say why.")])

    @Test func a_person_is_reported_from_their_page_once_with_errors_at_the_fields() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let bens = try door.person("Ben").id
            let form = "/report?kind=person&id=\(bens)"
            let link = form.replacing("&", with: "&amp;")
            #expect(try await ada.get("/people/\(bens)").text.contains("href=\"\(link)\""))
            #expect(!(try await ben.get("/people/\(bens)").text.contains("/report?")))
            let page = try await ada.get(form).text
            #expect(page.contains("Report a person") && page.contains("<strong>Ben</strong>"))
            #expect(page.components(separatedBy: "type=\"radio\"").count == 6)
            let nothing = try await ada.post(form, ["text": "Well."])
            #expect(nothing.status == 422 && nothing.text.contains("Choose what is wrong."))
            #expect(nothing.text.contains("Well."))
            door.services.refuse(AuthMethods.report, .invalid([FieldError("text", "required", "Say what.")]))
            let silent = try await ada.post(form, ["reason": "other"])
            #expect(silent.status == 422 && silent.text.contains("Say in a few words what is wrong."))
            Self.takeReports(at: door)
            let key = ["key": "a-key-of-this-form", "reason": "spam"]
            for _ in 1...2 { #expect(try await ada.post(form, key).status == 303) }
            let sent = try door.services.asked(AuthMethods.report).suffix(2)
            #expect(sent.allSatisfy { $0.content.subject.id.uuid == bens.uuid && $0.content.reason == .spam })
            #expect(Set(sent.map(\.id)).count == 1)
            #expect(try await ada.get("/people/\(bens)?done=reported").text.contains("Thank you."))
            door.services.refuse(AuthMethods.report, ServiceError(.alreadyReported, "Already."))
            let again = try await ada.post(form, ["reason": "spam"])
            #expect(again.status == 409 && again.text.contains("You have reported this already."))
            // Oneself is not reported, and what is not there neither.
            #expect(try await ben.get(form)["Location"] == "/people/\(bens)")
            for bad in [
                "/report", "/report?kind=person&id=x", "/report?kind=car&id=\(bens)", "/report?kind=room&id=\(bens)",
            ] {
                #expect(try await ada.get(bad).status == 404)
            }
            #expect(try await ada.get("/report?kind=review&id=\(ReviewID.new())").status == 404)
            let stranger = PageVisitor(port: door.port)
            #expect(try await stranger.get(form)["Location"]?.hasPrefix("/sign-in") == true)
        }
    }

    @Test func only_moderators_get_in_and_their_menu_says_so() async throws {
        try await reported { door, mod, _, kept in
            let one = kept.path
            let ben = try await door.join("Other")
            for path in ["/moderation", "/moderation/audit", one, "\(one)/dismiss"] {
                #expect(try await ben.get(path).status == 403)
                #expect(try await mod.get(path).status == 200)
            }
            #expect(try await ben.post("\(one)/dismiss", ["version": "0"]).status == 403)
            #expect(try await mod.get("/me").text.contains("href=\"/moderation\""))
            #expect(!(try await ben.get("/me").text.contains("/moderation")))
        }
    }

    @Test func a_case_is_read_and_decided_and_the_second_moderator_sees_that_it_was() async throws {
        try await reported { door, mod, _, kept in
            let one = kept.path
            let queue = try await mod.get("/moderation").text
            #expect(queue.contains("href=\"\(one)\"") && queue.contains("1 report"))
            let page = try await mod.get(one).text
            #expect(page.contains("Night after night.") && page.contains("href=\"\(one)/dismiss\""))
            // A person cannot be hidden.
            #expect(!page.contains("\(one)/hide"))
            let form = try await mod.get("\(one)/dismiss").text
            #expect(form.contains("Dismiss the case of “Ada”?") && form.contains("name=\"version\" value=\"0\""))
            let done = try await mod.post("\(one)/dismiss", ["version": "0", "reason": "A quarrel."])
            #expect(done["Location"] == "\(one)?done=acted")
            let acts = try door.services.asked(AuthMethods.act)
            #expect(acts.map(\.content) == [ActDraft(act: .dismiss, reason: "A quarrel.", version: 0)])
            #expect(acts.map(\.parameters.id) == [kept.file.value.about.id])
            kept.decide(.dismiss, by: try door.person("Mod"), reason: "A quarrel.", possible: [.warn, .suspend])
            door.services.refuse(AuthMethods.act, ServiceError(.alreadyDecided, "Faster."))
            let late = try await mod.post("\(one)/dismiss", ["version": "0"])
            #expect(late["Location"] == "\(one)?meanwhile=1")
            let decided = try await mod.get("\(one)?meanwhile=1").text
            #expect(decided.contains("Something was done here meanwhile") && decided.contains("Dismissed by Mod"))
            #expect(try await mod.get("/moderation").text.contains("Nothing to decide"))
            #expect(try await mod.get("/moderation?of=decided").text.contains("Dismissed by Mod"))
            let log = try await mod.get("/moderation/audit").text
            #expect(log.contains("A quarrel.") && log.contains("case: open → decided"))
            let ada = try door.person("Ada").id
            #expect(try await mod.get("/moderation/audit?person=\(ada)").text.contains("Only Ada"))
            let nobody = try await mod.get("/moderation/audit?person=\(PersonID.new())").text
            #expect(nobody.contains("Nothing yet"))
        }
    }

    @Test func a_spot_is_hidden_with_a_reason_that_its_owner_reads() async throws {
        try await PageDoor.run { door in
            let (ada, ben, mod) = (
                try await door.join("Ada"), try await door.join("Ben"), try await door.join("Mod")
            )
            door.appoint("Mod", .moderator)
            let place = ["name": "A bus stop", "latitude": "60.1711", "longitude": "24.95", "kind": "street"]
            _ = try await ada.post("/share", place)
            let spot = "/spots/\(try #require(door.spots().first).id)"
            #expect(try await ben.get(spot).text.contains("/report?kind=spot"))
            #expect(!(try await ada.get(spot).text.contains("/report?")))
            let id = try #require(door.spots().first).id
            Self.takeReports(at: door)
            let sent = try await ben.post("/report?kind=spot&id=\(id)", ["reason": "misleading"])
            #expect(sent["Location"] == "\(spot)?done=reported")
            let subject = try #require(try door.services.asked(AuthMethods.report).last).content.subject
            #expect(subject == Subject(id))
            let keeper = try door.person("Mod")
            let kept = PageCase(
                of: subject, about: try door.person("Ada"), title: "A bus stop", by: try door.person("Ben"),
                .misleading, possible: [.hide], at: door)
            let one = kept.path
            door.services.refuse(AuthMethods.act, Self.wordless)
            let silent = try await mod.post("\(one)/hide", ["version": "0"])
            #expect(silent.status == 422 && silent.text.contains("Say in a few words why."))
            door.services.refuse(AuthMethods.act, nil)
            _ = try await mod.post("\(one)/hide", ["version": "0", "reason": "Buses stop there."])
            let draft = try door.services.asked(AuthMethods.act).last?.content
            #expect(draft == ActDraft(act: .hide, reason: "Buses stop there.", version: 0))
            let hiding = Hiding(at: Date(), reason: "Buses stop there.")
            kept.decide(.hide, by: keeper, reason: hiding.reason, possible: [.restore, .warn], hidden: hiding)
            door.shared.mutate { $0[0].hidden = hiding }
            #expect(try await mod.get(one).text.contains("Hidden. Why: Buses stop there."))
            #expect(try await ada.get(spot).text.contains("Moderators have hidden this spot"))
            #expect(try await ada.get("/me/spots").text.contains(">Hidden<"))
            #expect(try await mod.get("\(one)/hide")["Location"] == "\(one)?meanwhile=1")
            let restored = try await mod.post("\(one)/restore", ["version": "1"])
            #expect(restored["Location"] == "\(one)?done=acted")
            #expect(try door.services.asked(AuthMethods.act).last?.content.act == .restore)
            door.shared.mutate { $0[0].hidden = nil }
            #expect(!(try await ada.get(spot).text.contains("Moderators have hidden")))
        }
    }

    @Test func a_moderator_reads_what_is_about_them_and_decides_nothing() async throws {
        try await reported { door, _, adas, kept in
            let one = kept.path
            door.appoint("Ada", .moderator)
            kept.file.mutate { $0.possible = [] }
            let page = try await adas.get(one).text
            #expect(page.contains("This is about you") && !page.contains("\(one)/dismiss"))
        }
    }

    @Test func a_person_is_warned_and_reads_it_in_their_account() async throws {
        try await reported { door, mod, adas, kept in
            let one = kept.path
            #expect(!(try await adas.get("/me").text.contains("From the moderators")))
            _ = try await mod.post("\(one)/warn", ["version": "0", "reason": "Leave her\nalone."])
            let draft = try #require(try door.services.asked(AuthMethods.act).last).content
            #expect(draft.act == .warn && draft.reason == "Leave her\nalone.")
            let notice = Notice(id: .new(), kind: .warning, at: Date(), title: nil, text: draft.reason, until: nil)
            let ada = try door.person("Ada").id
            door.services.on(AuthMethods.notices) { Page(items: $0.caller.person == ada ? [notice] : []) }
            door.services.on(AuthMethods.readNotice) { request in
                guard request.caller.person == ada else { throw ServiceError.notFound("notice") }
                return Nothing()
            }
            let page = try await adas.get("/me").text
            #expect(page.contains("A warning from the moderators.") && page.contains("Leave her\nalone."))
            let read = try #require(page.firstMatch(of: /action="(\/me\/notices\/[^"]+\/read)"/)?.1)
            #expect(try await mod.post(String(read), [:]).status == 404)
            #expect(try await adas.post(String(read), [:])["Location"] == "/me?done=noticeRead")
            #expect(try door.services.asked(AuthMethods.readNotice).last?.parameters.id == notice.id)
            door.services.answer(AuthMethods.notices, Page(items: []))
            #expect(!(try await adas.get("/me").text.contains("A warning from the moderators.")))
        }
    }

    @Test func a_person_is_suspended_for_days_or_for_good_and_it_is_ended() async throws {
        try await reported { door, mod, _, kept in
            let (one, keeper) = (kept.path, try door.person("Mod"))
            let form = try await mod.get("\(one)/suspend").text
            #expect(form.contains("Suspend Ada?") && form.contains("<option value=\"7\" selected>7 days</option>"))
            door.services.refuse(AuthMethods.act, Self.wordless)
            let silent = try await mod.post("\(one)/suspend", ["version": "0", "days": "30"])
            #expect(silent.status == 422 && silent.text.contains("<option value=\"30\" selected>"))
            door.services.refuse(AuthMethods.act, nil)
            _ = try await mod.post("\(one)/suspend", ["version": "0", "days": "good", "reason": "Threats."])
            func last() throws -> ActDraft? { try door.services.asked(AuthMethods.act).last?.content }
            #expect(try last() == ActDraft(act: .suspend, reason: "Threats.", version: 0))
            kept.decide(
                .suspend, by: keeper, reason: "Threats.", possible: [.warn, .reinstate],
                suspension: Suspension(since: Date(), until: nil, reason: "Threats."))
            let page = try await mod.get(one).text
            #expect(page.contains("Suspended for good. Why: Threats.") && page.contains("\(one)/reinstate"))
            _ = try await mod.post("\(one)/reinstate", ["version": "1"])
            #expect(try last()?.act == .reinstate)
            kept.decide(.reinstate, by: keeper, reason: nil, possible: [.warn, .suspend])
            #expect(!(try await mod.get(one).text.contains("Suspended for good.")))
            _ = try await mod.post("\(one)/suspend", ["version": "2", "days": "3", "reason": "Again."])
            #expect(try last() == ActDraft(act: .suspend, reason: "Again.", days: 3, version: 2))
            kept.decide(
                .suspend, by: keeper, reason: "Again.", possible: [.warn, .reinstate],
                suspension: Suspension(since: Date(), until: Date() + 3 * 86_400, reason: "Again."))
            #expect(try await mod.get(one).text.contains("Suspended until"))
        }
    }

    @Test func who_is_suspended_hears_why_at_the_door_and_others_that_there_is_nothing_to_see() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let end = Date(timeIntervalSince1970: 1_796_000_000)
            for (until, words) in [(end, "suspended until "), (nil, "suspended for good.")] {
                door.services.refuse(AuthMethods.signIn, .suspended(until: until, reason: "Threats & <insults>."))
                let visitor = PageVisitor(port: door.port)
                let page = try await visitor.post(
                    "/sign-in", ["email": "ada@example.org", "password": "a good long one"])
                #expect(page.status == 403 && page.text.contains(words))
                #expect(page.text.contains("Why: Threats &amp; &lt;insults&gt;."))
            }
            door.services.refuse(AuthMethods.person, ServiceError(.notAvailable, "This profile is not available."))
            let profile = try await ben.get("/people/\(try door.person("Ada").id)")
            #expect(profile.status == 404 && profile.text.contains("This profile is not available"))
            #expect(!profile.text.contains("Ada"))
            // With a session that still lives, what is done is refused.
            door.services.refuse(ListingsMethods.postSpot, ServiceError(.suspended, "Your account is suspended."))
            let place = ["name": "A", "latitude": "60.1711", "longitude": "24.95", "kind": "street"]
            #expect(try await ada.post("/share", place).text.contains("Your account is suspended"))
        }
    }
}
