import PlainText
import Testing

@Suite struct PatternTests {
    @Test(arguments: ["", "K", "aZ9", "kelvin-1"]) func letters_and_digits_are_taken(text: String) {
        #expect(text.isWhole(/[A-Za-z0-9-]*/))
        #expect("x\(text)"[...].isWhole(/x[A-Za-z0-9-]*/))
    }

    /// The signs of kelvin and ångström are letters of the alphabet by canonical equivalence, and an accent is part of the letter before it.
    @Test(arguments: ["\u{212A}", "a\u{301}", "\u{FF21}", "\u{661}", "a\r\n", "a\n", "\u{200B}a"])
    func what_only_equals_one_is_not_taken(text: String) {
        #expect(!text.isWhole(/[A-Za-z0-9-]*/))
    }

    @Test func semicolons_of_greek_are_none() { #expect(!"\u{37E}".isWhole(/[;]/)) }
}
