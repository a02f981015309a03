import Testing
import WireProtocol

@testable import ListingsService

@Suite("What a draft must be")
struct SpotOfferTests {
    private func refusal(_ draft: SpotDraft) -> SpotError? {
        do throws(SpotError) { _ = try SpotOffer(draft, at: noon, within: limits) } catch { return error }
        return nil
    }

    @Test func namesAreTrimmed() throws {
        #expect(try SpotOffer(draft("\t By the library \n"), at: noon, within: limits).details.name == "By the library")
    }

    @Test(arguments: [
        String(repeating: "x", count: 120), String(repeating: "停", count: 120), "👩‍👩‍👧‍👦 car park", "مواقف السيارات",
    ])
    func namesOfAllScripts(name: String) {
        #expect(refusal(draft(name)) == nil)
    }

    @Test(arguments: [
        ("", "required"), (" \u{2003} ", "required"), (String(repeating: "x", count: 121), "too_long"),
        ("a" + String(repeating: "\u{301}", count: 1000), "too_long"), ("two\nlines", "not_allowed"),
        ("bell\u{7}", "not_allowed"), ("para\u{2029}graph", "not_allowed"), ("turned \u{202E}around", "not_allowed"),
    ])
    func namesThatAreNone(name: String, code: String) {
        #expect(fields(of: refusal(draft(name))) == ["name: \(code)"])
    }

    @Test(arguments: [
        Position(latitude: 90, longitude: 180), Position(latitude: -90, longitude: -180),
        Position(latitude: 0, longitude: 0),
    ])
    func corners(position: Position) {
        #expect(refusal(draft(at: position)) == nil)
    }

    @Test(arguments: [
        (Position(latitude: 90.0001, longitude: 0), "position.latitude"),
        (Position(latitude: 0, longitude: -180.0001), "position.longitude"),
        (Position(latitude: .nan, longitude: 0), "position.latitude"),
        (Position(latitude: 0, longitude: .infinity), "position.longitude"),
    ])
    func placesOffTheEarth(position: Position, field: String) {
        #expect(fields(of: refusal(draft(at: position))) == ["\(field): out_of_range"])
    }

    @Test func nothingToPayIsNoPrice() throws {
        let offer = try SpotOffer(draft(price: Money(amount: 0, currency: "SGD")), at: noon, within: limits)
        #expect(offer.details.price == nil)
    }

    @Test(arguments: [
        (Money(amount: 1_000_000, currency: "SGD"), nil), (Money(amount: 1, currency: "SGD"), nil),
        (Money(amount: 1_000_001, currency: "SGD"), "price.amount: out_of_range"),
        (Money(amount: -1, currency: "SGD"), "price.amount: out_of_range"),
        (Money(amount: 100, currency: "EUR"), "price.currency: wrong_currency"),
    ])
    func prices(price: Money, error: String?) {
        #expect(fields(of: refusal(draft(price: price))) == Set([error].compactMap { $0 }))
    }

    @Test(arguments: [
        (String(repeating: "0a", count: 32), true), (String(repeating: "0A", count: 32), false),
        (String(repeating: "0a", count: 31), false), ("../../etc/passwd", false), ("", false),
    ])
    func photos(photo: String, isGood: Bool) {
        #expect(fields(of: refusal(draft(photo: photo))) == (isGood ? [] : ["photo: not_a_photo"]))
    }

    @Test func timesAreWithinTheLimit() throws {
        #expect(try SpotOffer(draft(until: after(5)), at: noon, within: limits).expiresAt == after(5))
        #expect(
            try SpotOffer(draft(until: after(30.99)), at: noon, within: limits).expiresAt
                == after(30), "a clock that is a little ahead is forgiven")
        #expect(fields(of: refusal(draft(until: noon))) == ["expiresAt: past"])
        #expect(fields(of: refusal(draft(until: after(32)))) == ["expiresAt: too_late"])
        #expect(refusal(draft(until: after(32), kind: .garage)) == nil)
        #expect(fields(of: refusal(draft(until: after(43_202), kind: .private))) == ["expiresAt: too_late"])
    }

    @Test func lifetimesAreCountedFromNow() throws {
        for (draft, minutes) in [
            (draft(lifetime: .minutes(20)), 20.0), (draft(lifetime: .minutes(30)), 30), (draft(lifetime: .longest), 30),
            (draft(lifetime: .longest, kind: .garage), 43_200),
        ] {
            #expect(try SpotOffer(draft, at: noon, within: limits).expiresAt == after(minutes))
        }
        for (lifetime, code) in [(SpotLifetime.minutes(0), "out_of_range"), (.minutes(31), "too_late")] {
            #expect(fields(of: refusal(draft(lifetime: lifetime))) == ["lifetime: \(code)"])
        }
        #expect(fields(of: refusal(draft(lifetime: .minutes(.max), kind: .private))) == ["lifetime: too_late"])
        #expect(fields(of: refusal(draft(until: after(5), lifetime: .longest))) == ["lifetime: not_both"])
    }

    @Test func everythingThatIsWrongIsSaidAtOnce() {
        let wrong = draft(
            "", at: Position(latitude: 91, longitude: 181), price: Money(amount: -1, currency: "EUR"), until: noon,
            photo: "cat.jpg")
        #expect(
            fields(of: refusal(wrong)) == [
                "name: required", "position.latitude: out_of_range", "position.longitude: out_of_range",
                "price.amount: out_of_range", "price.currency: wrong_currency", "photo: not_a_photo", "expiresAt: past",
            ])
    }
}
