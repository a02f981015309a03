import WireProtocol

/// Who listens, found by what is asked of them: an event for two people costs two look-ups, however many others listen.
struct StreamListeners {
    private(set) var all: [Int: StreamListener] = [:]
    private var ofPerson: [PersonID: Set<Int>] = [:]
    private var ofAddress: [String: Int] = [:]
    private var next = 0

    var count: Int { all.count }

    func count(at address: String) -> Int { ofAddress[address] ?? 0 }
    func count(of person: PersonID) -> Int { ofPerson[person]?.count ?? 0 }

    /// Those who may be meant; what else an event says of its audience is still to be asked of each.
    func hearing(_ audience: Audience) -> [(key: Int, value: StreamListener)] {
        switch audience {
        case .nobody: []
        case .everyone: Array(all)
        case .people(let people):
            people.flatMap { person in
                (ofPerson[person] ?? []).compactMap { key in all[key].map { (key, $0) } }
            }
        }
    }

    /// - Returns: under which number.
    mutating func add(_ listener: StreamListener) -> Int {
        let key = next
        next += 1
        all[key] = listener
        ofAddress[listener.address, default: 0] += 1
        if let person = listener.audience.person { ofPerson[person, default: []].insert(key) }
        return key
    }

    @discardableResult
    mutating func remove(_ key: Int) -> StreamListener? {
        guard let listener = all.removeValue(forKey: key) else { return nil }
        if let left = ofAddress[listener.address] { ofAddress[listener.address] = left > 1 ? left - 1 : nil }
        if let person = listener.audience.person {
            ofPerson[person]?.remove(key)
            if ofPerson[person]?.isEmpty == true { ofPerson[person] = nil }
        }
        return listener
    }
}
