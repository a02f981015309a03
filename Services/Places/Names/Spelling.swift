import WireProtocol

/// Another way in which a place is looked for, that no source says.
struct Spelling: Hashable, Sendable {
    private static let most = 120

    var text: String
    /// The other name that it is a spelling of; nil where it is one of the place's own.
    var written: String?

    /// Of names with abbreviations written out, and of houses by each of their numbers, behind the street and in front.
    static func all(of record: PlaceRecord) -> [Spelling] {
        var found = Abbreviation.writtenOut(record.name).map { Spelling(text: $0) }
        for name in record.alternatives.prefix(most) {
            found += Abbreviation.writtenOut(name).map { Spelling(text: $0, written: name) }
        }
        let address = record.kind == .address ? record.name : record.address
        if let address, let parts = HouseNumber.split(address) {
            let written = record.kind == .address ? nil : address
            let numbers = [parts.sign] + HouseNumber.all(on: parts.sign).map(\.key)
            for street in [parts.street] + Abbreviation.writtenOut(parts.street) {
                for number in numbers {
                    found.append(Spelling(text: "\(street) \(number)", written: written))
                    found.append(Spelling(text: "\(number) \(street)", written: written))
                }
            }
        }
        return Array(found.prefix(most))
    }

    /// As a line that the database takes apart again; neither has tabs in it.
    var line: String { written.map { "\(text)\t\($0)" } ?? text }
}
