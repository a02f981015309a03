import CZeroMQ

/// What libzmq refused, by the name of its call and its errno.
package struct ZMQError: Error, Hashable, CustomStringConvertible {
    /// `bind tcp://127.0.0.1:7101`, `connect …`, `setsockopt 12`.
    package let operation: String
    /// An errno, or one of libzmq's own numbers.
    package let code: Int32

    /// The error of the call that has just failed on this thread.
    static func last(_ operation: String) -> ZMQError { ZMQError(operation: operation, code: zmq_errno()) }

    package var description: String { "\(operation): \(String(cString: zmq_strerror(code)))" }
}

/// Repeats a call of libzmq while a signal interrupts it.
@discardableResult
func check(_ operation: @autoclosure () -> String, _ call: () -> Int32) throws(ZMQError) -> Int32 {
    while true {
        let result = call()
        if result >= 0 { return result }
        if zmq_errno() != EINTR { throw ZMQError.last(operation()) }
    }
}
