import Testing
import WireProtocol

/// Campuses as an operator writes them.
@Suite struct CampusDirectoryTests {
    @Test func an_entry_names_a_campus_and_its_domains() throws {
        let campuses = try CampusDirectory([
            "hill = Hill Campus : hill.example.org + CS.hill.example.org", "bay-2=Bay: the old one:.bay.example.org",
        ])
        #expect(
            campuses.all == [Campus(id: "hill", name: "Hill Campus"), Campus(id: "bay-2", name: "Bay: the old one")])
        #expect(campuses.campus(ofDomain: "hill.example.org")?.id == "hill")
        #expect(campuses.campus(ofDomain: "cs.hill.example.org")?.id == "hill")
        #expect(campuses.campus(ofDomain: "ee.hill.example.org") == nil)
        // However a domain is written, it is one.
        for written in ["hügel.example", "xn--hgel-0ra.example", "ＨÜＧＥＬ．example"] {
            let typed = try CampusDirectory(["hill=Hill:\(written)+.\(written)"])
            for sent in ["hügel.example", "xn--hgel-0ra.example", "cs.hügel.example", "CS。ｈügel.example"] {
                #expect(typed.campus(ofDomain: sent)?.id == "hill", "\(sent) of \(written)")
            }
        }
        #expect(campuses["bay-2"]?.name == "Bay: the old one" && campuses["bay"] == nil)
    }

    @Test func a_dot_in_front_means_all_that_is_below_and_nothing_else() throws {
        let campuses = try CampusDirectory(["bay=Bay:.bay.example.org"])
        for domain in ["cs.bay.example.org", "a.b.bay.example.org"] {
            #expect(campuses.campus(ofDomain: domain)?.id == "bay")
        }
        for domain in ["bay.example.org", "xbay.example.org", "example.org", "bay.example.org.evil.example", "org", ""]
        {
            #expect(campuses.campus(ofDomain: domain) == nil, "\(domain)")
        }
    }

    @Test(arguments: [
        "hill", "hill=Hill", "hill=:a.example.org", "=Hill:a.example.org", "Hill=Hill:a.example.org", "hill=Hill:",
        "hill=Hill:org", "hill=Hill:a.example.org+", "hill=Hill:a@example.org", "hill=Hill:*.example.org",
        "hill=Hill:a..org", "hill=Hill:..example.org", "hill=Hill:a.example.org+A.example.org", "b=B:x.example.org",
        "a=A:y.example.org",
    ])
    func what_is_no_campus_or_says_something_twice_is_named(_ entry: String) {
        let error = #expect(throws: CampusDirectory.Unreadable.self) {
            try CampusDirectory(["b=Before:y.example.org", entry])
        }
        #expect(error?.entry == entry)
    }
}
