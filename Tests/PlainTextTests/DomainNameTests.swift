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
}
