/// Whether a thread that has nothing to do looks for work once more, or sleeps.
///
/// To wake a thread takes 5 to 25 µs, for its processor may be asleep too, and a request passes through half a dozen of them one after the other. So
/// whoever has worked looks around for a while, and lets all others run before each look. Where nothing came, or others want the processor, it sleeps;
/// and the more often that was in vain, the more of the next sleeps come at once. Where much is under way it sleeps too: then work comes in batches, for which being
/// woken once is cheap, and looking takes the processor from those who bring it. A find makes good for half of a disappointment only: a process that
/// asks its database now and then finds the answer each time, and then nothing, and must not stay awake for that.
struct Wakefulness {
    /// For how long at the most, in nanoseconds; never where it is 0.
    private let limit: Int64
    /// The longest time that giving way may take: others do their part of the same request in less. Where it takes longer, the processors are busy, and
    /// being woken is cheap.
    private static let crowd: Int64 = 30_000
    /// With more than so many requests under way nobody waits for this thread alone.
    private static let few = 4
    /// 64 sleeps in a row come at once at the most.
    private static let greatestDisappointment = 6

    /// Since when there has been nothing to do; nil while there is, or while it sleeps.
    private var since: MonotonicTime?
    private var gaveWayAt = MonotonicTime(nanoseconds: 0)
    /// Two more each time that it was in vain, one less each time that it was not.
    private var disappointment = 0
    /// How many of the next sleeps come at once.
    private var rest = 0

    init(limit: Duration) {
        let (seconds, attoseconds) = limit.components
        self.limit = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    mutating func foundWork() {
        guard since != nil else { return }
        since = nil
        disappointment = max(disappointment - 1, 0)
    }

    /// Asked whenever there is nothing to do, before giving way to others, until there is something or the answer is no.
    mutating func looksAgain(at now: MonotonicTime, underWay: Int = 0) -> Bool {
        guard limit > 0 else { return false }
        guard underWay <= Self.few else {
            since = nil
            return false
        }
        guard let since else {
            guard rest == 0 else {
                rest -= 1
                return false
            }
            (self.since, gaveWayAt) = (now, now)
            return true
        }
        if now.nanoseconds - gaveWayAt.nanoseconds > Self.crowd {
            self.since = nil
            return false
        }
        gaveWayAt = now
        guard now.nanoseconds - since.nanoseconds >= limit else { return true }
        self.since = nil
        rest = 1 << disappointment
        disappointment = min(disappointment + 2, Self.greatestDisappointment)
        return false
    }
}
