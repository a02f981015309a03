import ArgumentParser
import Glibc
import MatchEngine

/// A whole round of orders: the assignment of an instance that `suite/instances.py` wrote, by the engine's auction with the engine's settings.
struct AssignOrders: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign-orders", abstract: "Assigns the orders of an instance to its deliverers.")
    @Argument(help: "The instance.") var instance: String
    @Argument(help: "Where the deliverer of each order goes, or -1.") var answer: String

    struct Report: Encodable {
        /// From the arrays to the answer: of the processor, and of the clock.
        var milliseconds: Double
        var elapsed: Double
        /// What the engine says of itself, in the unit of the instance.
        var value: Double
        var bound: Double
        var served: Int
        var bids: Int
    }

    func run() throws {
        let instance = try Instance(path: instance)
        let (processor, clock) = (processorNanoseconds(), nanoseconds())
        let problem = instance.problem
        let found = Auction.solve(problem, epsilon: MatchSettings().epsilon(for: problem))
        let (used, elapsed) = (processorNanoseconds() - processor, nanoseconds() - clock)
        try write(found.deliverers)
        try report(
            Report(
                milliseconds: Double(used) / 1e6, elapsed: Double(elapsed) / 1e6,
                value: Double(found.certificate.value) / MatchSettings.unit,
                bound: Double(found.certificate.bound) / MatchSettings.unit, served: found.certificate.served,
                bids: found.bids))
    }

    private func write(_ numbers: [Int32]) throws {
        guard let file = fopen(answer, "wb") else { throw ValidationError("the answer cannot be written") }
        defer { fclose(file) }
        fwrite(numbers, MemoryLayout<Int32>.size, numbers.count, file)
    }
}

/// Little-endian integers of 32 bits: three counts, then the arrays.
private struct Instance {
    var first: [Int32]
    var deliverers: [Int32]
    var values: [Int32]
    var hands: [Int32]

    init(path: String) throws {
        guard let file = fopen(path, "rb") else { throw ValidationError("there is no such instance") }
        defer { fclose(file) }
        let read = { (count: Int32) in
            [Int32](unsafeUninitializedCapacity: Int(count)) { $1 = fread($0.baseAddress, 4, Int(count), file) }
        }
        let counts = read(3)
        (first, deliverers) = (read(counts[0] + 1), read(counts[2]))
        (values, hands) = (read(counts[2]), read(counts[1]))
        guard hands.count == Int(counts[1]) else { throw ValidationError("the instance is cut off") }
    }

    var problem: AssignmentProblem {
        var problem = AssignmentProblem(orders: first.count - 1, edges: deliverers.count)
        for order in 0..<first.count - 1 {
            problem.addOrder(
                (Int(first[order])..<Int(first[order + 1])).map { edge in
                    AssignmentProblem.Edge(
                        deliverer: Int(deliverers[edge]), value: Int(values[edge]) * Int(MatchSettings.unit))
                })
        }
        for count in hands { problem.addDeliverer(Array(repeating: 0, count: Int(count))) }
        return problem
    }
}
