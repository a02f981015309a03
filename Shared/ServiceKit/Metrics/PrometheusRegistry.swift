package import CoreMetrics
import Synchronization

/// The metrics of this process, for `MetricsSystem`, in the form that Prometheus reads.
///
/// Names and labels are made fit for Prometheus (`hb.request.duration` becomes `hb_request_duration_seconds`): counters end in
/// `_total`, timers in `_seconds`. Safe from any thread; recording takes one uncontended lock at most.
package final class PrometheusRegistry: MetricsFactory {
    /// Label sets of one metric beyond this number are dropped and counted, so that a label that takes any value (a path,
    /// an id) cannot eat the memory.
    package static let seriesLimit = 1000

    private let families = Mutex<[String: Family]>([:])
    private let dropped = CounterInstrument()

    package init() {}

    /// Everything in the text format 0.0.4, in order of names.
    package func text() -> String {
        var text = PrometheusText()
        for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            text.add(name, family)
        }
        text.add(
            "metrics_series_dropped_total", Family(kind: .counter, series: [Labels([]): dropped]))
        return text.content
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        instrument(.counter, PrometheusName.counter(label), dimensions) { CounterInstrument() }
    }

    package func makeFloatingPointCounter(label: String, dimensions: [(String, String)])
        -> any FloatingPointCounterHandler
    {
        instrument(.counter, PrometheusName.counter(label), dimensions) { FloatingCounterInstrument() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        instrument(.gauge, PrometheusName.plain(label), dimensions) { GaugeInstrument() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let name = PrometheusName.plain(label)
        guard aggregate else { return instrument(.gauge, name, dimensions) { GaugeInstrument() } }
        return instrument(.histogram, name, dimensions) { HistogramInstrument(bounds: Buckets.sizes) }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        instrument(.histogram, PrometheusName.timer(label), dimensions) { HistogramInstrument(bounds: Buckets.seconds) }
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    // MARK: Families

    /// All series of one name.
    struct Family {
        var kind: Kind
        var series: [Labels: any Instrument]
        enum Kind: String { case counter, gauge, histogram }
    }

    /// The instrument of this name and these labels: everybody who asks gets the same one. A name that is in use for another
    /// kind gets an instrument that counts for nobody; two kinds under one name would make the whole page unreadable.
    private func instrument<I: Instrument>(
        _ kind: Family.Kind, _ name: String, _ dimensions: [(String, String)], _ make: () -> I
    ) -> I {
        let labels = Labels(dimensions)
        return families.withLock { families in
            let family = families[name, default: Family(kind: kind, series: [:])]
            if family.kind == kind, let known = family.series[labels] as? I { return known }
            guard family.kind == kind, family.series[labels] == nil, family.series.count < Self.seriesLimit else {
                dropped.increment(by: 1)
                return make()
            }
            let new = make()
            families[name, default: family].series[labels] = new
            return new
        }
    }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            for (name, family) in families {
                guard let labels = family.series.first(where: { $0.value === handler })?.key else { continue }
                families[name]?.series[labels] = nil
                if families[name]?.series.isEmpty == true { families[name] = nil }
                return
            }
        }
    }
}

/// Upper bounds of histogram buckets.
enum Buckets {
    /// From half a millisecond, which a request on this machine takes, to the ten seconds after which nobody waits.
    static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// For counts and bytes: powers of four up to a million.
    static let sizes: [Double] = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262_144, 1_048_576]
}
