import FoundationEssentials
import Messaging
import Synchronization
import WebClient
import WireProtocol

/// What can be asked about devices.
struct DeviceUseCases: Sendable {
    let store: any DeviceStore
    let settings: PushSettings
    let reach: PushReach
    /// Looks at where addresses lead. Not the one that delivers: a name server that is slow holds up no delivery.
    let web: WebClient
    let looks = OngoingLooks()
    var policy = DevicePolicy()
    let now: @Sendable () -> Date

    func devices(for caller: Caller) async throws -> Page<PushDevice> {
        Page(items: try await store.devices(of: try caller.requirePerson(), session: caller.session))
    }

    /// - Throws: `invalid`; `tooManyRequests` while another address of the same person is looked at, or as many of others as may be.
    func register(_ draft: PushDeviceDraft, from device: DeviceParameters, _ context: RequestContext) async throws
        -> PushDevice
    {
        let person = try context.caller.requirePerson()
        guard settings.kinds.contains(draft.kind) else {
            throw ServiceError.invalid([FieldError("kind", "unavailable", "Such devices are not reached from here.")])
        }
        let target = try PushTarget(draft)
        if case .webPush(let endpoint, _) = target {
            _ = try await looks.one(of: person) { try await reach.check(endpoint, with: web) }
        }
        return try await store.register(
            DeviceDraft(
                target: target, person: person, session: context.caller.session, label: device.device,
                language: String((device.language ?? TemplateLibrary.otherwise).unicodeScalars.prefix(35)), at: now()),
            policy, context)
    }

    func remove(_ id: PushDeviceID, _ context: RequestContext) async throws {
        try await store.remove(id, of: try context.caller.requirePerson(), context)
    }
}

/// Who has an address looked at just now: one at a time, and not many. Whoever names an address may choose a name server that never answers; what
/// waits for that must not take the places of all other requests.
final class OngoingLooks: Sendable {
    private static let most = 16
    private let people = Mutex<Set<PersonID>>([])

    /// - Throws: `tooManyRequests`, or what `look` throws.
    nonisolated(nonsending) func one<T>(of person: PersonID, _ look: () async throws -> T) async throws -> T {
        let mayLook = people.withLock { $0.count < Self.most && $0.insert(person).inserted }
        guard mayLook else {
            throw ServiceError(.tooManyRequests, "Other devices are being registered at this moment.", retryAfter: 5)
        }
        defer { people.withLock { _ = $0.remove(person) } }
        return try await look()
    }
}
