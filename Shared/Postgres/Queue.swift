/// First in, first out, without moving the rest at each removal.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var all: [Element] { elements[head...].compactMap { $0 } }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    @discardableResult
    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 256, head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Takes out the elements that `condition` holds for.
    mutating func remove(where condition: (Element) -> Bool) -> [Element] {
        let all = self.all
        let removed = all.filter(condition)
        guard !removed.isEmpty else { return [] }
        elements = all.filter { !condition($0) }
        head = 0
        return removed
    }

    mutating func removeAll() -> [Element] { remove { _ in true } }
}
