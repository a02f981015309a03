import CoreMetrics
import Synchronization

/// Something with samples to show.
protocol Instrument: AnyObject, Sendable {
    /// What belongs behind the name: a suffix, one more label, and the value.
    func samples() -> [Sample]
}

struct Sample {
    var suffix = ""
    var label: (name: String, value: String)?
    var value: Double
}

final class CounterInstrument: Instrument, CounterHandler {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() { count.store(0, ordering: .relaxed) }

    func samples() -> [Sample] { [Sample(value: Double(count.load(ordering: .relaxed)))] }
}

final class FloatingCounterInstrument: Instrument, FloatingPointCounterHandler {
    private let sum = Mutex(0.0)

    func increment(by amount: Double) {
        guard amount.isFinite, amount > 0 else { return }
        sum.withLock { $0 += amount }
    }

    func reset() { sum.withLock { $0 = 0 } }

    func samples() -> [Sample] { [Sample(value: sum.withLock { $0 })] }
}

final class GaugeInstrument: Instrument, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }

    func samples() -> [Sample] { [Sample(value: value.withLock { $0 })] }
}

final class HistogramInstrument: Instrument, RecorderHandler, TimerHandler {
    private struct State {
        /// Observations by bucket (not yet added up), the last for what exceeds every bound.
        var counts: [UInt64]
        var sum = 0.0
    }
    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard !value.isNaN else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock {
            $0.counts[bucket] += 1
            $0.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func samples() -> [Sample] {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        var total: UInt64 = 0
        var samples: [Sample] = []
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? PrometheusText.number(bounds[index]) : "+Inf"
            samples.append(Sample(suffix: "_bucket", label: ("le", bound), value: Double(total)))
        }
        samples.append(Sample(suffix: "_sum", value: sum))
        samples.append(Sample(suffix: "_count", value: Double(total)))
        return samples
    }
}
