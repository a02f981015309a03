import Sentences
import Testing

/// Places, plural forms, and parts that need what stands in them.
@Suite struct SentenceTests {
    private func filled(_ text: String, _ values: [String: String] = [:]) -> String? {
        SentenceTree.sentence(text).filled(values)
    }

    @Test func places_are_filled_and_values_are_not_looked_into() {
        #expect(filled("{a} and {b}", ["a": "{b} [x|y]", "b": "2"]) == "{b} [x|y] and 2")
        #expect(filled("{a} and {b}", ["a": "1"]) == "1 and {b}", "a place without a value stays")
        #expect(filled("{a", ["a": "1"]) == "{a" && filled("a} | b]", ["a": "1"]) == "a} | b]")
    }

    @Test(
        arguments: [
            ("A message[ about “{title}”]", ["title": "Sofa"], "A message about “Sofa”"),
            ("A message[ about “{title}”]", [:], "A message"),
            ("[{name}|Somebody] writes.", ["name": "Ben"], "Ben writes."),
            ("[{name}|Somebody] writes.", [:], "Somebody writes."),
            ("[{a} of [“{b}”|it]|none of [“{b}”|it]].", ["a": "1"], "1 of it."),
            ("[{a} of [“{b}”|it]|none of [“{b}”|it]].", ["b": "x"], "none of “x”."),
            ("[{a}", ["a": "1"], "1"), ("[]", [:], ""),
        ] as [(String, [String: String], String)])
    func parts_go_without_what_stands_in_them(_ text: String, _ values: [String: String], _ said: String) {
        #expect(filled(text, values) == said)
    }

    @Test func forms_go_by_the_count() {
        let tree = SentenceTree.group([
            "zero": .sentence("none"), "one": .sentence("one {a}"), "other": .sentence("{n}"),
        ])
        #expect(tree.filled(["a": "x"], count: 1) == "one x" && tree.filled(["n": "7"], count: 7) == "7")
        #expect(tree.filled([:], count: 0) == "none" && tree.filled(["n": "2"]) == "2")
        #expect(SentenceTree.group(["a": .sentence("b")]).filled([:]) == nil)
        #expect(tree["one"]?.filled(["a": "y"]) == "one y" && tree["two"] == nil && tree["one"]?["x"] == nil)
    }
}
