import Crypto
import FoundationEssentials
import Messaging
import WireProtocol

// The ports: what is needed of the database.

/// What people ask of their devices.
protocol DeviceStore: Sendable {
    /// The device is this person's from now on, with these keys.
    func register(_ draft: DeviceDraft, _ policy: DevicePolicy, _ context: RequestContext) async throws -> PushDevice
    /// - Throws: `not_found` where it is not this person's.
    func remove(_ id: PushDeviceID, of person: PersonID, _ context: RequestContext) async throws
    /// The latest first.
    func devices(of person: PersonID, session: SessionID?) async throws -> [PushDevice]
}

/// What delivering needs of devices.
protocol DeviceRecords: Sendable {
    /// Those that are still there.
    func reached(_ ids: [PushDeviceID]) async throws -> [UUID: ReachedDevice]
    /// Keeps what a delivery has shown of its device, and what was given up.
    func note(_ verdict: PushVerdict, of push: Push, now: Date) async throws
    /// Its server did not take something: the device is left alone, and that has happened once more in a row.
    func rest(_ device: ReachedDevice, until: Date) async throws
    /// Forgets what was given up, and sessions that had ended, before `forgotten`; and devices that nobody has used since `unseen`.
    func sweep(forgotten: Date, unseen: Date) async throws
    func tally() async throws -> PushTally
}

/// What the operator watches.
struct PushTally: Hashable, Sendable {
    var waiting = 0
    var dead = 0
    var devices = 0
}
