import Testing

@testable import PlacesService

/// Which houses a sign means, and which one somebody asks for.
@Suite struct HouseNumberTests {
    @Test(arguments: [
        ("10", ["10"]), ("10 A", ["10a"]), ("10a", ["10a"]), ("11 bis", ["11bis"]), ("11bis", ["11bis"]),
        ("007", ["7"]),
        ("48-50", ["48", "50"]), ("48 – 52", ["48", "50", "52"]), ("47-50", ["47", "48", "49", "50"]),
        ("10a-c", ["10a", "10b", "10c"]), ("10A-10C", ["10a", "10b", "10c"]), ("1-3a", ["1", "3a"]),
        ("3-3a", ["3", "3a"]),
        ("12;14", ["12", "14"]), ("5, 7 und 9", ["5", "7", "9"]), ("12/14", ["12", "14"]), ("2-100", ["2", "100"]),
        // Another kind of number.
        ("34-25", []), ("18B/1", []), ("123456", []), ("A", []), ("", []), ("-", []), ("10a-9", []),
    ]) func a_sign_is_for_these_houses(_ sign: String, _ houses: [String]) {
        #expect(HouseNumber.all(on: sign).map(\.key) == houses)
    }

    @Test(arguments: [
        ("Ottostraße 10 A", "Ottostraße", "10 A"), ("Straße des 17. Juni 135", "Straße des 17. Juni", "135"),
        ("10 Downing Street", "Downing Street", "10"), ("11 bis rue de la Gare", "rue de la Gare", "11 bis"),
        ("Kai 48 - 50", "Kai", "48 - 50"), ("33 Kai", "Kai", "33"),
    ]) func an_address_is_a_street_and_a_sign(_ address: String, _ street: String, _ sign: String) throws {
        let parts = try #require(HouseNumber.split(address))
        #expect(parts.street == street && parts.sign == sign)
    }

    @Test(arguments: ["Ottostraße", "10", "Platz der Republik", "", "5th Avenue Theatre"])
    func what_has_no_number_is_no_address(_ text: String) {
        let sign = HouseNumber.split(text)?.sign ?? ""
        #expect(HouseNumber.all(on: sign) == [])
    }

    @Test(arguments: [
        ("ottostrasse 10 a", ["ottostrasse|10a"]), ("10 a ottostrasse", ["ottostrasse|10a", "a ottostrasse|10"]),
        ("11bis rue de la gare", ["rue de la gare|11bis"]), ("ottostrasse 50", ["ottostrasse|50"]),
        ("00100 helsinki", []),
        ("5 a street", ["street|5a", "a street|5"]), ("ottostrasse", []), ("10", []), ("strasse des 17 juni", []),
    ]) func a_house_is_asked_for_in_either_order(_ key: String, _ houses: [String]) {
        #expect(HouseQuestion.all(in: key).map { "\($0.street)|\($0.house.key)" } == houses)
    }

    @Test(arguments: [
        ("grossgorschenstr 5", "grossgorschenstrasse 5"), ("av louise", "avenue louise"),
        ("st martin str", "sankt martin strasse"),
        ("orchard rd", "orchard road"), ("main st 5", "main street 5"), ("jln besar", "jalan besar"),
        ("ottostr nr 10", "ottostrasse 10"),
        ("blk 123 ang mo kio ave 3", "123 ang mo kio avenue 3"), ("ул ленина", "улица ленина"),
    ]) func abbreviations_are_read(_ key: String, _ reading: String) {
        let readings = Abbreviation.readings(of: key, most: 8)
        #expect(readings.first == key && readings.contains(reading), "\(readings)")
    }

    @Test func a_long_row_of_abbreviations_costs_no_more_than_a_short_one() {
        let key = Array(repeating: "st", count: 50).joined(separator: " ")
        #expect(Abbreviation.readings(of: key, most: 8).count == 8)
        #expect(PlaceText(String(repeating: "1 a. ", count: 20)).all.count < 30)
    }

    @Test(arguments: [
        ("sw1a 1aa", "sw1a1aa"), ("s018956", "018956"), ("s 018956", "018956"), ("fi 00100", "00100"),
        ("111 22", "11122"),
    ]) func a_postcode_is_one_word(_ key: String, _ code: String) { #expect(Postcode.compact(key) == code) }

    @Test(arguments: ["018956", "helsinki", "ottostrasse 10", "a very long 1"]) func what_is_none_is_left(_ key: String)
    {
        #expect(Postcode.compact(key) == nil)
    }
}
