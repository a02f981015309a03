import PlainText
import Testing

/// One way of writing a domain. The samples are RFC 3492's (7.1) and what other programs make of these words.
@Suite struct DomainNameTests {
    private static let pairs = [
        ("bücher.example", "xn--bcher-kva.example"), ("例子.广告", "xn--fsqu00a.xn--4rr70v"),
        ("mail.münchen.example", "mail.xn--mnchen-3ya.example"), ("he-ihr.example", "he-ihr.example"),
        ("他们为什么不说中文.example", "xn--ihqwcrb4cv8a8dqg056pqjye.example"),
        ("3年b組金八先生.example", "xn--3b-ww4c5e180e575a65lsy2b.example"), (".hügel.example", ".xn--hgel-0ra.example"),
    ]

    @Test(arguments: pairs) func there_and_back(_ readable: String, _ ascii: String) {
        #expect(DomainName.ascii(readable) == ascii && DomainName.ascii(ascii) == ascii)
        #expect(DomainName.readable(ascii) == readable && DomainName.readable(readable) == readable)
    }

    @Test func case_and_normalisation_are_one_way() {
        for typed in ["BÜCHER.example", "bu\u{308}cher.EXAMPLE", "XN--BCHER-KVA.Example"] {
            #expect(DomainName.ascii(typed) == "xn--bcher-kva.example", "\(typed)")
        }
    }

    /// What no encoder makes stays what it is: it is the name of nothing else.
    @Test(arguments: [
        "xn--", "xn---", "xn--a", "xn--abc-", "xn--99999999999", "xn--bücher", "xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
        "",
        ".", "a..b", "xn--ls8h!",
    ])
    func what_is_no_punycode_is_left_alone(_ domain: String) {
        let readable = DomainName.readable(domain)
        #expect(DomainName.ascii(readable) == DomainName.ascii(domain))
    }

    /// As `idna` for Python has them (UTS 46, non-transitional, Unicode 17); and, at the end, what no domain is.
    @Test(arguments: [
        ("ｅｘａｍｐｌｅ．ｃｏｍ", "example.com"), ("ＥＸＡＭＰＬＥ。ＣＯＭ", "example.com"), ("exam\u{AD}ple｡com", "example.com"),
        ("ｘｎ－－bcher-kva．example", "xn--bcher-kva.example"), ("ｂｕ\u{308}cher.example", "xn--bcher-kva.example"),
        ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("例え。ﾃｽﾄ", "xn--r8jz45g.xn--zckzah"),
        ("ｶﾞｲﾄﾞ.日本語", "xn--eckp2g.xn--wgv71a119e"), ("straße.example", "xn--strae-oqa.example"),
        ("STRAẞE.example", "xn--strae-oqa.example"), ("strasse.example", "strasse.example"),
        ("φάς.gr", "xn--hxa8bk.gr"), ("ΦΆΣ.gr", "xn--hxa0ch.gr"), ("คำ.example", "xn--42c6g8c.example"),
        ("คํา.example", "xn--42c6g8c.example"), ("ﬁne.example", "fine.example"), ("ǅep.hr", "xn--dep-c3a.hr"),
        ("\u{212A}elvin.example", "kelvin.example"), ("\u{FEFF}a\u{200B}\u{2060}b.example", "ab.example"),
        ("１２３.example", "123.example"), ("a.\u{AD}.b", "a..b"), ("example.com。", "example.com."), ("。", "."),
    ])
    func what_is_typed_is_mapped(_ typed: String, _ ascii: String) {
        #expect(DomainName.ascii(typed) == ascii)
        #expect(DomainName.ascii(DomainName.ascii(typed)) == ascii)
        #expect(DomainName.ascii(DomainName.readable(typed)) == ascii)
        #expect(Array(DomainName.mapped(DomainName.mapped(typed)).utf8) == Array(DomainName.mapped(typed).utf8))
    }

    /// What a keyboard does not write has another way of writing it still, and a joiner is a letter of its own.
    @Test(arguments: ["\u{1D41E}", "\u{24D0}", "\u{2024}", "\u{2488}", "\u{FEFB}", "\u{2460}", "\u{2B0}"])
    func what_is_not_mapped_is_told(_ text: String) {
        #expect(DomainName.mapped(text) == text && !text.unicodeScalars.allSatisfy(DomainName.isSettled))
        // A stop that is made of something else divides nothing.
        #expect(!DomainName.ascii("a\(text)b.example").hasPrefix("a."))
    }

    @Test func joiners_and_deviations_are_letters() {
        #expect("ßς\u{200C}\u{200D}".unicodeScalars.allSatisfy(DomainName.isSettled))
        let joined = DomainName.ascii("نامه\u{200C}ای.com")
        #expect(joined == "xn--mgba3gch31f060k.com" && joined != DomainName.ascii("نامهای.com"))
    }

    /// By scalars: a stop with an accent is a stop.
    @Test func marks_do_not_hide_a_stop() {
        #expect(DomainName.ascii("a.\u{301}b").split(separator: ".").count == 2)
    }

    /// Each run is short, and what stands between them goes: the limits are looked at again.
    @Test(.timeLimit(.minutes(1))) func what_would_take_long_is_left_alone() {
        let run = String(repeating: "\u{301}", count: 15) + String(repeating: "\u{316}", count: 15)
        let piled = "a" + Array(repeating: run, count: 8).joined(separator: "\u{AD}") + ".example"
        for text in [piled, String(repeating: "ü", count: 2_000_000), "a" + String(repeating: run, count: 40_000)] {
            #expect(Array(DomainName.ascii(text).utf8) == Array(text.utf8))
            #expect(Array(DomainName.readable(text).utf8) == Array(text.utf8))
        }
    }
}
