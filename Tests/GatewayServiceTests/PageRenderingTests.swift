import FoundationEssentials
import Sentences
import Testing
import WireProtocol

@testable import GatewayService

/// Templates, catalogues, and what stands between people's words and the page.
@Suite struct PageRenderingTests {
    static let resources = GatewayResources()
    static let catalogues = Catalogues(in: resources)
    static var english: Words { catalogues.words(for: "en") }
    static var german: Words { catalogues.words(for: "de") }

    /// Every sentence of a catalogue by its key.
    private func sentences(_ node: SentenceTree, _ path: String = "") -> [String: String] {
        switch node {
        case .sentence(let text): [path: text]
        case .group(let members):
            members.reduce(into: [:]) { all, member in
                let key = path.isEmpty ? member.key : "\(path).\(member.key)"
                all.merge(sentences(member.value, key)) { $1 }
            }
        }
    }

    private func places(_ text: String) -> Set<String> {
        Set(
            text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
                String($0.prefix { $0 != "}" })
            })
    }

    @Test func every_language_says_everything_with_the_same_places() {
        #expect(Self.catalogues.codes == ["en", "de"])
        let english = sentences(Self.english.root)
        for words in Self.catalogues.all {
            let own = sentences(words.root)
            #expect(Set(own.keys) == Set(english.keys), "\(words.code)")
            for (key, text) in own where !key.hasSuffix(".zero") {
                #expect(places(text) == places(english[key] ?? ""), "\(words.code) \(key)")
            }
        }
    }

    @Test func every_sentence_stands_in_one_file() throws {
        let files = Self.resources.files(in: "Strings")
        let areas = files.filter { $0.hasPrefix("en/") }.map { $0.dropFirst(3) }
        #expect(areas.count > 15)
        for words in Self.catalogues.all {
            let own = files.filter { $0.hasPrefix(words.code + "/") }
            #expect(own.map { $0.dropFirst(3) } == areas, "\(words.code)")
            var seen: [String: String] = [:]
            for file in own {
                let bytes = try #require(Self.resources.read("Strings/" + file))
                let node = try JSONDecoder().decode(SentenceTree.self, from: Data(bytes))
                for (key, text) in sentences(node) {
                    let before = seen.updateValue(text, forKey: key)
                    #expect(before == nil, "\(file): \(key)")
                }
            }
            #expect(seen == sentences(words.root), "\(words.code)")
        }
    }

    @Test func templates_use_words_and_parts_that_there_are() throws {
        let known = Set(sentences(Self.english.root).keys)
        let names = Self.resources.files(in: "Templates").map { String($0.dropLast(".mustache".count)) }
        #expect(names.count > 30)
        for name in names {
            let text = String(decoding: try #require(Self.resources.read("Templates/\(name).mustache")), as: UTF8.self)
            for tag in text.split(separator: "{{").dropFirst().map({ $0.prefix { $0 != "}" } }) {
                if tag.hasPrefix("t.") { #expect(known.contains(String(tag.dropFirst(2))), "\(name): \(tag)") }
                // Which part a star stands for says the page.
                if tag.hasPrefix("> "), !tag.hasPrefix("> *") {
                    #expect(names.contains(String(tag.dropFirst(2))), "\(name): \(tag)")
                }
            }
            // What the Content-Security-Policy would refuse, and what would let words become markup.
            #expect(!text.contains(" style=") && !text.contains(" onclick="), "\(name)")
            #expect(!text.contains("{{{") || name == "frame/layout", "\(name)")
        }
    }

    @Test func icons_are_written_out() {
        func icon(_ classes: String, _ name: String) -> String {
            "<svg class=\"\(classes)\" aria-hidden=\"true\"><use href=\"{{assets}}/icons.svg#\(name)\"/></svg>"
        }
        #expect(Icon.writtenOut(in: "<p>{{name}}</p>\n") == "<p>{{name}}</p>\n")
        let two = Icon.writtenOut(in: "<icon name=\"back\"/> <b>{{t.a}}</b><icon name=\"{{icon}}\" class=\"end\"/>\n")
        #expect(two == "\(icon("icon", "back")) <b>{{t.a}}</b>\(icon("icon end", "{{icon}}"))\n")
        // What is none stays in sight.
        #expect(Icon.writtenOut(in: "<icon class=\"end\"/><br/>") == "<icon class=\"end\"/><br/>")
    }

    @Test func templates_show_icons_that_there_are() throws {
        let symbols = String(decoding: try #require(Self.resources.read("Assets/icons.svg")), as: UTF8.self)
        var number = 0
        for file in Self.resources.files(in: "Templates") {
            let text = String(decoding: try #require(Self.resources.read("Templates/" + file)), as: UTF8.self)
            #expect(!text.contains("class=\"icon"), "\(file)")
            let written = Icon.writtenOut(in: text)
            #expect(!written.contains("<icon"), "\(file)")
            for name in written.split(separator: "icons.svg#").dropFirst().map({ $0.prefix { $0 != "\"" } }) {
                number += 1
                if !name.contains("{{") { #expect(symbols.contains("<symbol id=\"\(name)\" "), "\(file): \(name)") }
            }
        }
        #expect(number > 300)
    }

    @Test func words_of_people_stay_words() async throws {
        let hostile = "\"\u{301} autofocus <b>&'\u{308} {{t.frame.me}} \u{2028}</script>"
        try await PageDoor.run { door in
            let maya = try await door.join(hostile)
            _ = try await maya.post("/share", PageFlowTests.place.merging(["name": hostile]) { $1 })
            for path in ["/", "/parking", "/me", "/me/spots", "/spots/\(door.spots()[0].id)"] {
                let page = try await maya.get(path)
                #expect(page.status == 200)
                #expect(!page.text.contains("<b>") && page.text.contains("&lt;"), "\(path)")
                // Looked at as bytes, as a browser does: no quotation mark of theirs is left.
                #expect(!page.body.contains(sequence: Array("\"\u{301}".utf8)), "\(path)")
                #expect(!page.text.contains("value=\"\" autofocus"), "\(path)")
            }
        }
    }

    /// These join the character behind them (UAX 29, GB9b): by `Character`, the `<` behind them is none.
    @Test(arguments: [
        "\u{600}", "\u{605}", "\u{6DD}", "\u{70F}", "\u{8E2}", "\u{110BD}", "\u{110CD}", "\u{111C2}", "\r", "\u{200D}",
    ])
    func markup_behind_what_joins_it_stays_words(joiner: String) async throws {
        let hostile = "x\(joiner)<form hx-post=/me/edit hx-trigger=load>\(joiner)\"x\(joiner)'\(joiner)&lt;"
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", PageFlowTests.place.merging(["name": hostile]) { $1 })
            for path in ["/", "/parking", "/me/spots", "/spots/\(door.spots()[0].id)"] {
                let page = try await maya.get(path)
                #expect(page.status == 200)
                for markup in ["<form hx-post=/me/edit", "\(joiner)\"", "\(joiner)'", "\(joiner)&lt;\""] {
                    #expect(!page.body.contains(sequence: Array(markup.utf8)), "\(path)")
                }
                #expect(page.body.contains(sequence: Array("\(joiner)&lt;form hx-post=/me/edit".utf8)), "\(path)")
            }
        }
    }

    @Test func what_scripts_say_cannot_end_their_element() {
        let node = SentenceTree.group(["script": .group(["a": .sentence("</script><!--&")])])
        let json = Words(code: "en", root: node).scriptStrings
        #expect(json == #"{"a":"\u003C\/script>\u003C!--\u0026"}"# || json == #"{"a":"\u003C/script>\u003C!--\u0026"}"#)
    }

    @Test func a_form_without_the_sessions_token_changes_nothing() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let form = PageFlowTests.place.merging(["name": "By the well"]) { $1 }
            let refused = try await maya.post("/share", form, withToken: false)
            #expect(refused.status == 403)
            #expect(refused.text.contains("This page is out of date"))
            let foreign = try await maya.post("/share", form, from: "cross-site")
            #expect(foreign.status == 403)
            #expect(door.spots().isEmpty)
        }
    }

    @Test func pages_speak_the_readers_language() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            let german = try await visitor.get("/join", [("Accept-Language", "de-AT,de;q=0.9,en;q=0.5")])
            #expect(german.text.contains("<html lang=\"de\"") && german.text.contains("Mach mit bei deinen Nachbarn"))
            #expect(try await visitor.get("/join", [("Accept-Language", "xx")]).text.contains("<html lang=\"en\""))
            let chosen = try await visitor.post("/language", ["language": "de", "next": "/sign-in"])
            #expect(chosen["Location"] == "/sign-in")
            #expect(try await visitor.get("/join").text.contains("<html lang=\"de\""))
            #expect(try await visitor.post("/language", ["language": "../en", "next": "//x"])["Location"] == "/")
        }
    }

    @Test func parts_of_pages_are_the_same_templates() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            _ = try await maya.post("/share", PageFlowTests.place.merging(["name": "By the well"]) { $1 })
            let id = door.spots()[0].id
            let results = try await ben.get("/parking", [("HX-Request", "true"), ("HX-Target", "results")])
            #expect(results.text.hasPrefix("<div id=\"results\"") && results.text.contains("By the well"))
            let card = try await ben.get("/spots/\(id)/card?at=60.17,24.95", [("HX-Request", "true")])
            #expect(card.text.hasPrefix("<li class=\"card spot\" id=\"spot-\(id)\""))
            #expect(card.text.contains("data-metres=") && card.text.contains("m away"))
            let question = try await ben.get("/spots/\(id)/claim", [("HX-Request", "true"), ("HX-Target", "dialog")])
            #expect(!question.text.contains("<html") && question.text.contains("id=\"ask-title\""))
            door.shared.mutate { $0[0].observations.gone = 1 }
            let seen = try await ben.post(
                "/spots/\(id)/observe", ["state": "gone"], [("HX-Request", "true"), ("HX-Target", "observe")])
            #expect(seen.text.contains("1 neighbour says it is gone.") && !seen.text.contains("<html"))
        }
    }
}

extension Array where Element == UInt8 {
    func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
