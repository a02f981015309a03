import DequeModule

/// First in, first out for each sender, and the senders in turn: who brings a thousand does not stand before who brings one.
struct FairQueue<Element> {
    private typealias Item = (element: Element, size: Int)

    /// None of them empty.
    private var lines: [[UInt8]: Deque<Item>] = [:]
    /// Those who have a line, each once.
    private var turns = Deque<[UInt8]>()
    private(set) var count = 0
    /// What all that waits has in bytes, as it was told.
    private(set) var size = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element, of sender: [UInt8], size: Int) {
        if lines[sender] == nil { turns.append(sender) }
        lines[sender, default: Deque()].append((element, size))
        count += 1
        self.size += size
    }

    /// What comes next of the sender who has most that waits.
    var nextOfBusiest: Element? { lines.values.max { $0.count < $1.count }?.first?.element }

    mutating func popFirst() -> Element? {
        guard let sender = turns.popFirst(), let item = lines[sender]?.popFirst() else { return nil }
        if lines[sender]?.isEmpty == false { turns.append(sender) } else { lines[sender] = nil }
        count -= 1
        size -= item.size
        return item.element
    }
}
