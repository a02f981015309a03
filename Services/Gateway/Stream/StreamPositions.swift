package import FoundationEssentials
import WireProtocol

/// How far a listener is with each publisher.
///
/// As text `auth.1f0c9a3e.17,listings.77b2d401.2044`: publisher, the first eight digits of its epoch, position. `StreamIDs` signs it.
package struct StreamPositions: Hashable, Sendable {
    package struct Place: Hashable, Sendable {
        /// The first eight hexadecimal digits of the epoch.
        package var epoch: String
        package var position: Int64

        package init(epoch: UUID, position: Int64) {
            self.epoch = Self.short(epoch)
            self.position = position
        }

        init(short epoch: String, position: Int64) {
            self.epoch = epoch
            self.position = position
        }

        package static func short(_ epoch: UUID) -> String { String(epoch.uuidString.lowercased().prefix(8)) }
    }

    package var places: [String: Place]

    package init(_ places: [String: Place] = [:]) { self.places = places }

    package subscript(_ publisher: String) -> Place? {
        get { places[publisher] }
        set { places[publisher] = newValue }
    }

    /// Nil where the text is not as `text` writes it.
    package init?(_ text: String) {
        guard text.utf8.count <= 512 else { return nil }
        places = [:]
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = entry.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, Self.isName(parts[0]), Self.isEpoch(parts[1]), let position = Int64(parts[2]),
                StreamPosition.all.contains(position), String(position) == parts[2], places[String(parts[0])] == nil
            else { return nil }
            places[String(parts[0])] = Place(short: String(parts[1]), position: position)
        }
    }

    /// What it says is written into streams again, so that it must not hold what would end a line.
    private static func isName(_ text: Substring) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }

    private static func isEpoch(_ text: Substring) -> Bool {
        text.utf8.count == 8 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    package var text: String {
        var text = ""
        for (publisher, place) in places.sorted(by: { $0.key < $1.key }) {
            if !text.isEmpty { text += "," }
            text += publisher
            text += "."
            text += place.epoch
            text += "."
            text += String(place.position)
        }
        return text
    }

    /// Takes over what `other` knows, except where this is further in the same epoch.
    package mutating func advance(to other: StreamPositions) {
        places.merge(other.places) { own, new in own.epoch == new.epoch && own.position > new.position ? own : new }
    }

    /// Whether this is further than `other` with some publisher, as a listener is who comes from a replica that is ahead.
    package func isAhead(of other: StreamPositions) -> Bool {
        places.contains { publisher, place in
            guard let theirs = other[publisher] else { return true }
            return theirs.epoch == place.epoch && place.position > theirs.position
        }
    }
}
