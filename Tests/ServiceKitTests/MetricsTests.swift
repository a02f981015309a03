import CoreMetrics
import ServiceKit
import Testing

@Suite("Prometheus metrics")
struct MetricsTests {
    private let registry = PrometheusRegistry()

    @Test func `writes each kind in the text format`() {
        registry.makeCounter(label: "bus.requests", dimensions: [("method", "a"), ("code", "ok")]).increment(by: 2)
        registry.makeCounter(label: "bus.requests", dimensions: [("code", "ok"), ("method", "a")]).increment(by: 3)
        registry.makeMeter(label: "pool-size", dimensions: []).set(4.5)
        registry.makeRecorder(label: "batch", dimensions: [], aggregate: true).record(Int64(5))
        let timer = registry.makeTimer(label: "wait", dimensions: [])
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(60_000_000_000)
        let text = registry.text()
        #expect(text.contains("# TYPE bus_requests_total counter\nbus_requests_total{code=\"ok\",method=\"a\"} 5\n"))
        #expect(text.contains("# TYPE pool_size gauge\npool_size 4.5\n"))
        #expect(text.contains("# TYPE batch histogram\nbatch_bucket{le=\"1\"} 0\nbatch_bucket{le=\"4\"} 0\n"))
        #expect(text.contains("batch_bucket{le=\"16\"} 1\n"))
        #expect(text.contains("wait_seconds_bucket{le=\"0.001\"} 0\nwait_seconds_bucket{le=\"0.0025\"} 1\n"))
        #expect(text.contains("wait_seconds_bucket{le=\"10\"} 1\nwait_seconds_bucket{le=\"+Inf\"} 2\n"))
        #expect(text.contains("wait_seconds_sum 60.002\nwait_seconds_count 2\n"))
    }

    @Test func `escapes label values and mends names`() {
        registry.makeCounter(label: "1 weird näme", dimensions: [("läb:el", "a\"b\\c\nd ☂")]).increment(by: 1)
        #expect(registry.text().contains("_1_weird_n_me_total{l_b_el=\"a\\\"b\\\\c\\nd ☂\"} 1\n"))
    }

    @Test func `a name in use for another kind does not spoil the page`() {
        registry.makeMeter(label: "x_total", dimensions: []).set(Int64(7))
        registry.makeCounter(label: "x", dimensions: []).increment(by: 1)
        let text = registry.text()
        #expect(text.contains("# TYPE x_total gauge\nx_total 7\n"))
        #expect(!text.contains("# TYPE x_total counter"))
        #expect(text.contains("metrics_series_dropped_total 1\n"))
    }

    @Test func `a label that takes any value does not eat the memory`() {
        for number in 0..<(PrometheusRegistry.seriesLimit + 5) {
            registry.makeCounter(label: "paths", dimensions: [("path", "/\(number)")]).increment(by: 1)
        }
        let lines = registry.text().split(separator: "\n").filter { $0.hasPrefix("paths_total{") }
        #expect(lines.count == PrometheusRegistry.seriesLimit)
        #expect(registry.text().contains("metrics_series_dropped_total 5\n"))
    }

    @Test func `destroyed metrics are gone, the others of the name stay`() {
        let first = registry.makeCounter(label: "c", dimensions: [("n", "1")])
        let second = registry.makeCounter(label: "c", dimensions: [("n", "2")])
        first.increment(by: 1)
        second.increment(by: 1)
        registry.destroyCounter(first)
        #expect(!registry.text().contains("c_total{n=\"1\"}"))
        #expect(registry.text().contains("c_total{n=\"2\"} 1\n"))
    }

    @Test func `counts from many threads without loss`() async {
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        registry.makeCounter(label: "n", dimensions: []).increment(by: 1)
                        registry.makeTimer(label: "t", dimensions: []).recordNanoseconds(1000)
                    }
                }
            }
        }
        #expect(registry.text().contains("n_total 8000\n"))
        #expect(registry.text().contains("t_seconds_count 8000\n"))
    }
}
