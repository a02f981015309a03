/// Things by small numbers, which are used again when a thing has gone.
struct Slots<Key: Hashable & Sendable, Entry: Sendable>: Sendable {
    private var numbers: [Key: Int32] = [:]
    private var free: [Int32] = []
    private var keys: [Key] = []
    private var entries: [Entry] = []

    var upperBound: Int { entries.count }
    var used: Dictionary<Key, Int32>.Values { numbers.values }

    subscript(slot: Int32) -> Entry {
        _read { yield entries[Int(slot)] }
        _modify { yield &entries[Int(slot)] }
    }

    func slot(of key: Key) -> Int32? { numbers[key] }
    func key(_ slot: Int32) -> Key { keys[Int(slot)] }

    mutating func insert(_ entry: Entry, as key: Key) -> Int32 {
        let slot = free.popLast() ?? Int32(entries.count)
        if Int(slot) == entries.count {
            entries.append(entry)
            keys.append(key)
        } else {
            (entries[Int(slot)], keys[Int(slot)]) = (entry, key)
        }
        numbers[key] = slot
        return slot
    }

    mutating func remove(_ key: Key) {
        if let slot = numbers.removeValue(forKey: key) { free.append(slot) }
    }
}

/// Small numbers for things that stay.
struct Numbers<Key: Hashable & Sendable>: Sendable {
    private var numbers: [Key: Int32] = [:]
    private var keys: [Key] = []

    subscript(number: Int32) -> Key { keys[Int(number)] }

    mutating func number(of key: Key) -> Int32 {
        if let number = numbers[key] { return number }
        let number = Int32(keys.count)
        numbers[key] = number
        keys.append(key)
        return number
    }
}
