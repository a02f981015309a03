import Testing

@testable import ListingsService

@Suite("Number plates")
struct PlateTests {
    private let scheme = SingaporePlates()

    @Test(arguments: [
        "SBA1234G", "SBS3229P", "E23H", "SS11T", "SGP1E", "SLP88X", "SKX9999C", "SJB1000P", "SFE24J", "EA1H",
        "EQ4711G", "S1Y", "E12P", "E9999H", "G27L", "GA5000D", "GBB302U", "YN1234R", "XE77T", "PC8Z", "SHA6J",
        "SHC5432T", "FBA1T", "QX15E", "sba1234g", "SBA 1234 G", " sbs-3229-p ", "e 23 h",
    ])
    func thesePass(_ plate: String) {
        #expect(scheme.problem(in: scheme.normalized(plate)) == nil)
    }

    @Test(arguments: [
        "SBA1234A", "SBS3229G", "SBA1243G", "SAB1234G", "E23P", "SBA12345G", "SBA1234", "1234G", "SBA0012K", "SIA1234G",
        "SOA1234G", "SBAX1234G", "", "SBA12 34", "ŠBA1234G", "SBA1234Q",
    ])
    func theseDoNot(_ plate: String) {
        #expect(scheme.problem(in: scheme.normalized(plate)) != nil)
    }

    @Test func onePlateHasOneText() {
        #expect(Set(["SBA1234G", "sba 1234 g", "SBA-1234-G"].map(scheme.normalized)).count == 1)
    }

    @Test func noCheckTakesWhatHasLettersAndDigits() {
        let scheme = AnyPlates()
        #expect(scheme.problem(in: scheme.normalized("M-KP 123 e")) == nil)
        #expect(scheme.problem(in: scheme.normalized("ÄÖ 12")) == nil)
        #expect(scheme.problem(in: "") != nil)
        #expect(scheme.problem(in: "A!1") != nil)
        #expect(scheme.problem(in: String(repeating: "A", count: 17)) != nil)
    }

    @Test func schemesAreKnownByTheirNames() {
        #expect(PlateSchemes.named("singapore") is SingaporePlates)
        #expect(PlateSchemes.named("none") is AnyPlates)
        #expect(PlateSchemes.named("moon") == nil)
    }
}
