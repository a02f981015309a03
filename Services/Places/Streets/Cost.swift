/// What a piece of way costs, in one integer, so that sums are exact and do not depend on the order of adding.
///
/// The upper 28 bits are time in hundredths of a second, the lower 36 are length in millimetres: comparing compares the times first and, where these are
/// the same, the lengths. On foot the time is left out (it is the length divided by the pace), and all 64 bits are length.
enum Cost {
    static let unreachable = UInt64.max
    /// Fifteen days at the wheel. What is farther counts as unreachable, so that no sum of two costs overflows, whatever the data say;
    /// at the speeds that `DrivingSpeed` allows, the length of such a way still has room in its bits.
    static let limit: UInt64 = 1 << 63
    private static let lengthBits: UInt64 = 36

    static func of(millimetres: UInt64, centiseconds: UInt64) -> UInt64 { centiseconds << lengthBits + millimetres }

    /// Both must be below `limit`.
    @inline(__always) static func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let sum = a &+ b
        return sum < limit ? sum : unreachable
    }

    static func centiseconds(_ cost: UInt64) -> UInt64 { cost >> lengthBits }
    static func millimetresOfDrive(_ cost: UInt64) -> UInt64 { cost & (1 << lengthBits - 1) }
}
