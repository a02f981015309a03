import Foundation
import Testing
import WireProtocol

@testable import AuthService

/// What people may say about themselves.
@Suite struct AboutRulesTests {
    let rules = ProfileRules()
    let now = Date(timeIntervalSince1970: 1_795_232_513)  // November 2026

    private func applied(_ change: ProfileChange) throws(ServiceError) -> Profile {
        try rules.apply(change, to: Profile(name: "Maya"), now: now)
    }

    private func complaints(_ change: ProfileChange) -> [String] {
        do throws(ServiceError) {
            _ = try applied(change)
            return []
        } catch {
            return error.errors.map { "\($0.field) \($0.code)" }
        }
    }

    @Test(arguments: [
        ("+65 9123 4567", "+6591234567"), ("0049 (30) 901820-0", "+49309018200"), ("+358.9.310/1691", "+35893101691"),
        (" +1 202-456-1111 ", "+12024561111"), ("+290 8000", "+2908000"), ("+123456789012345", "+123456789012345"),
    ]) func telephone_numbers_are_read_as_people_write_them(_ input: String, _ number: String) throws {
        #expect(try applied(ProfileChange(phone: .set(input))).phone?.text == number)
    }

    @Test(arguments: [
        ("9123 4567", "country"), ("030 901820", "country"), ("tel:+6591234567", "country"), ("+", "phone"),
        ("+65 9123 456x", "phone"), ("+65", "phone"), ("+0 123 456 789", "phone"), ("000 123 456 789", "phone"),
        ("+1234567890123456", "phone"), ("+65 9123+4567", "phone"), ("+६५९१२३४५६७", "phone"),
    ]) func what_is_no_telephone_number_is_said_at_the_field(_ input: String, _ code: String) {
        #expect(complaints(ProfileChange(phone: .set(input))) == ["phone \(code)"])
    }

    @Test func a_few_words_may_have_several_lines() throws {
        let kept = try applied(ProfileChange(bio: "  A cook.\r\n\r\nTwo children,\rone bicycle. 🚲\n"))
        #expect(kept.bio == "A cook.\n\nTwo children,\none bicycle. 🚲")
        #expect(complaints(ProfileChange(bio: .set(String(repeating: "é", count: 500)))) == [])
        #expect(complaints(ProfileChange(bio: .set(String(repeating: "e", count: 501)))) == ["bio too_long"])
        #expect(
            complaints(ProfileChange(bio: .set("e" + String(repeating: "\u{301}", count: 3000)))) == ["bio too_long"])
        for bad in ["a\u{7}b", "\u{202E}koob", "\u{200D}", "a\u{2028}b"] {
            #expect(complaints(ProfileChange(bio: .set(bad))) == ["bio not_allowed"])
        }
    }

    @Test func a_car_is_described_as_far_as_one_likes() throws {
        let whole = PersonCar(make: " Toyota ", model: "Yaris", year: 2015, color: "blue")
        #expect(
            try applied(ProfileChange(car: .set(whole))).car
                == PersonCar(make: "Toyota", model: "Yaris", year: 2015, color: "blue"))
        #expect(try applied(ProfileChange(car: .set(PersonCar(color: "red")))).car == PersonCar(color: "red"))
        #expect(try applied(ProfileChange(car: .set(PersonCar(make: " ", model: "")))).car == nil)
        #expect(try applied(ProfileChange(car: .set(PersonCar(year: 2027)))).car?.year == 2027)
        for year in [1885, 2028, -1] {
            #expect(complaints(ProfileChange(car: .set(PersonCar(year: year)))) == ["car.year out_of_range"])
        }
        let bad = PersonCar(make: String(repeating: "x", count: 41), model: "Ya\nris", color: "\u{200D}")
        #expect(
            complaints(ProfileChange(car: .set(bad)))
                == ["car.make too_long", "car.model not_allowed", "car.color not_allowed"])
    }

    @Test func meals_are_ordered_until_one_says_otherwise() throws {
        #expect(try applied(ProfileChange()).mode == .ordering)
        #expect(try applied(ProfileChange(mode: .set(.delivering))).mode == .delivering)
    }
}
