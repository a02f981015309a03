import TestKit
import Testing
import WireProtocol

/// A way between services that can be hurt: the requests to one of them, or its events. Each hurt must be felt, or it proves nothing.
struct Line: Sendable, CustomStringConvertible {
    enum Fault: CaseIterable {
        /// Half open: nothing goes through, and nobody is told.
        case stall
        /// As a partition is that is told: connections are reset.
        case cut
    }

    let description: String
    private let proxy: FaultProxy

    /// Those of every service that has any.
    static func all(of stack: Stack) throws -> [Line] {
        try PeerRole.stateful.flatMap { role in
            let (requests, events) = try stack.proxies(of: role)
            return [
                Line(description: "requests to \(role.rawValue)", proxy: requests),
                Line(description: "events of \(role.rawValue)", proxy: events),
            ]
        }
    }

    /// Returns when the line is in use again.
    /// - Parameter duration: longer than it takes from one heartbeat of a connection to the next, so that something would have gone through.
    func suffer(_ fault: Fault, for duration: Duration) async throws {
        try await eventually("the \(self) to be in use") { proxy.open > 0 }
        switch fault {
        case .stall: try await stall(for: duration)
        case .cut: try await cut(for: duration)
        }
    }

    private func stall(for duration: Duration) async throws {
        proxy.mode = .stall
        defer { proxy.mode = .pass }
        // What was being passed on at that moment still is.
        try await Task.sleep(for: .milliseconds(50))
        let bytes = proxy.bytes
        try await Task.sleep(for: duration)
        #expect(proxy.bytes == bytes, "something went through the stalled \(self)")
        proxy.mode = .pass
        try await eventually("something to go through the \(self) after a stall") { proxy.bytes > bytes }
    }

    private func cut(for duration: Duration) async throws {
        proxy.mode = .cut
        defer { proxy.mode = .pass }
        try await eventually("the connections of the \(self) to be reset") { proxy.open == 0 }
        try await Task.sleep(for: duration)
        // Who knocked meanwhile was turned away.
        let accepted = proxy.accepted
        proxy.mode = .pass
        try await eventually("somebody to come back to the \(self) after a cut") {
            proxy.accepted > accepted && proxy.open > 0
        }
    }
}
