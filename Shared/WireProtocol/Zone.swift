import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A time zone of IANA's, read from the system's files (RFC 8536). FoundationEssentials knows none, and the C library has one at a time.
package struct Zone: Hashable, Sendable {
    package let name: String
    /// Moments in Unix seconds, each with the seconds east of UTC from there on.
    private let changes: [Change]
    /// Before the first of them.
    private let earliest: Int
    /// After the last of them.
    private let rule: ZoneRule?

    private struct Change: Hashable, Sendable {
        var at: Int
        var offset: Int
    }

    // MARK: Reading

    private static let known = Mutex<[String: Zone]>([:])

    /// Nil where the system has no such zone. Each is read once.
    package static func named(_ name: String, in folder: String = "/usr/share/zoneinfo") -> Zone? {
        guard isName(name) else { return nil }
        if let zone = known.withLock({ $0[name] }) { return zone }
        guard let file = FileManager.default.contents(atPath: "\(folder)/\(name)"),
            let zone = Zone(name, file: Array(file))
        else { return nil }
        known.withLock { $0[name] = zone }
        return zone
    }

    /// It becomes a path: nothing leads out of the folder.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= 64
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                part.first?.isLetter == true
                    && part.utf8.allSatisfy { byte in
                        switch byte {
                        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                        }
                    }
            }
    }

    private init?(_ name: String, file: [UInt8]) {
        guard let first = ZoneFileHeader(file, at: 0), first.version >= 2,
            let header = ZoneFileHeader(file, at: ZoneFileHeader.size + first.length(timeWidth: 4))
        else { return nil }
        let body = header.start
        let types = body + header.times * 9
        guard file.count >= body + header.length(timeWidth: 8), header.types > 0 else { return nil }
        func offset(of type: Int) -> Int? {
            type < header.types ? ZoneFileHeader.signed(file, at: types + type * 6, width: 4) : nil
        }
        var changes: [Change] = []
        for index in 0..<header.times {
            guard let offset = offset(of: Int(file[body + header.times * 8 + index])) else { return nil }
            changes.append(Change(at: ZoneFileHeader.signed(file, at: body + index * 8, width: 8), offset: offset))
        }
        guard let earliest = offset(of: 0) else { return nil }
        let footer = file[(body + header.length(timeWidth: 8))...].split(separator: UInt8(ascii: "\n"))
        self.name = name
        self.changes = changes
        self.earliest = earliest
        rule = footer.first.flatMap { ZoneRule(String(decoding: $0, as: UTF8.self)) }
    }

    // MARK: Asking

    /// Seconds east of UTC.
    package func offset(at moment: Int) -> Int {
        guard let first = changes.first, let last = changes.last else { return rule?.offset(at: moment) ?? earliest }
        if moment < first.at { return earliest }
        if moment >= last.at, let rule { return rule.offset(at: moment) }
        var (low, high) = (0, changes.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if changes[middle].at <= moment { low = middle } else { high = middle }
        }
        return changes[low].offset
    }

    package func wallTime(at moment: Date) -> WallTime {
        let seconds = Int(moment.timeIntervalSince1970.rounded(.down))
        return WallTime(seconds: seconds + offset(at: seconds))
    }

    /// The moments at which clocks there show this: one; none where they are put forward over it; two where they are put back.
    package func moments(of time: WallTime) -> [Date] {
        let offsets = Set([-86400, 0, 86400].map { offset(at: time.seconds + $0) })
        return offsets.map { time.seconds - $0 }.filter { $0 + offset(at: $0) == time.seconds }.sorted().map {
            Date(timeIntervalSince1970: Double($0))
        }
    }

    /// The first moment of a day. There are zones that have put their clocks forward at midnight.
    package func start(of day: CivilDay) -> Date { firstMoment(of: WallTime(day)) }

    /// Whether there is such a day: who moves to the other side of the date line passes over one.
    package func has(_ day: CivilDay) -> Bool { start(of: day) < start(of: day + 1) }

    /// When an hour is over that begins with this on the wall. Not each is as long as another.
    package func end(ofHour begin: WallTime) -> Date { firstMoment(of: WallTime(seconds: begin.seconds + 3600)) }

    /// The first moment at which clocks there show this, or something later where they are put forward over it.
    package func firstMoment(of time: WallTime) -> Date {
        if let first = moments(of: time).first { return first }
        var (before, after) = (time.seconds - 2 * 86400, time.seconds + 2 * 86400)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if middle + offset(at: middle) < time.seconds { before = middle } else { after = middle }
        }
        return Date(timeIntervalSince1970: Double(after))
    }
}

private struct ZoneFileHeader {
    static let size = 44
    let version: Int
    let start: Int
    let times: Int
    let types: Int
    private let (utcMarks, standardMarks, leaps, letters): (Int, Int, Int, Int)

    init?(_ file: [UInt8], at place: Int) {
        guard place >= 0, file.count >= place + Self.size, file[place..<place + 4].elementsEqual("TZif".utf8) else {
            return nil
        }
        version = Int(file[place + 4]) - 0x30
        start = place + Self.size
        let counts = (0..<6).map { Self.signed(file, at: place + 20 + $0 * 4, width: 4) }
        guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
        (utcMarks, standardMarks, leaps) = (counts[0], counts[1], counts[2])
        (times, types, letters) = (counts[3], counts[4], counts[5])
    }

    func length(timeWidth: Int) -> Int {
        times * (timeWidth + 1) + types * 6 + letters + leaps * (timeWidth + 4) + standardMarks + utcMarks
    }

    static func signed(_ file: [UInt8], at place: Int, width: Int) -> Int {
        let bits = file[place..<place + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return width == 4 ? Int(Int32(truncatingIfNeeded: bits)) : Int(Int64(bitPattern: bits))
    }
}
