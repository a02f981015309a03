import DurableMessaging
import FoundationEssentials
import WireProtocol

/// A person's account. What is true of it; no I/O, no clock.
struct Account: Hashable, Sendable {
    let id: PersonID
    let email: EmailAddress
    /// Since when they have shown that the address is theirs.
    let emailVerifiedAt: Date?
    var profile: Profile
    /// Where they belong, since they showed that they have an address there.
    private(set) var campus: String?
    /// What reviews come to; the store counts them.
    let reputation: Reputation?
    /// That the number of the profile is theirs; never without one.
    private(set) var phoneProof: PhoneProof?
    var roles: Set<PersonRole> = []
    /// Perhaps over by its time.
    var suspension: Suspension?
    let joinedAt: Date
    /// Counts changes; names what was read, for ETags.
    private(set) var version = 1

    init(
        id: PersonID, email: EmailAddress, emailVerifiedAt: Date? = nil, profile: Profile, campus: String? = nil,
        reputation: Reputation? = nil, phoneProof: PhoneProof? = nil, roles: Set<PersonRole> = [],
        suspension: Suspension? = nil, joinedAt: Date, version: Int = 1
    ) {
        self.id = id
        self.email = email
        self.emailVerifiedAt = emailVerifiedAt
        self.profile = profile
        self.campus = campus
        self.reputation = reputation
        self.phoneProof = phoneProof
        self.roles = roles
        self.suspension = suspension
        self.joinedAt = joinedAt
        self.version = version
    }

    /// Where they may be written to: nowhere while the address may be a stranger's.
    var mailbox: EmailAddress? { emailVerifiedAt == nil ? nil : email }

    /// Everything, for the person alone.
    var own: Person {
        Person(
            id: id, name: profile.name, username: profile.username, email: email.text,
            emailVerified: emailVerifiedAt != nil, phone: profile.phone?.text, phoneVerified: hasVerifiedPhone,
            region: profile.region, photo: profile.photo, bio: profile.bio, car: profile.car, mode: profile.mode,
            campus: campus, reputation: reputation, memberSince: joinedAt,
            version: profile.version)
    }

    /// What everybody may see. Fields are listed one by one, so that a new private one does not slip in.
    var visibleToAll: Person {
        Person(
            id: id, name: profile.name, username: profile.username, email: nil, phone: nil,
            phoneVerified: hasVerifiedPhone, region: profile.region, photo: profile.photo, bio: profile.bio,
            car: profile.car, mode: nil, campus: campus, reputation: reputation, memberSince: joinedAt)
    }

    /// True or nothing: of whom it is not true, nothing is said.
    private var hasVerifiedPhone: Bool? { phoneProof == nil ? nil : true }

    var summary: PersonSummary { visibleToAll.summary }

    /// Takes on another profile.
    /// - Returns: What others have to hear; nothing where nothing that they see has changed.
    mutating func change(to profile: Profile) -> [PersonChanged] {
        guard profile != self.profile else { return [] }
        let before = summary
        // What was shown of another number says nothing of this one.
        if profile.phone != self.profile.phone { phoneProof = nil }
        self.profile = profile
        version += 1
        return summary == before ? [] : [PersonChanged(person: summary)]
    }

    /// Gives them a number that they have shown to be theirs. Nobody else has to hear of it: summaries do not say it.
    mutating func verify(_ phone: PhoneNumber, _ proof: PhoneProof) {
        profile.phone = phone
        phoneProof = proof
        version += 1
    }

    /// The number stays in their profile, as one that they wrote there.
    mutating func losePhoneProof() {
        guard phoneProof != nil else { return }
        phoneProof = nil
        version += 1
    }

    /// Makes them one of a campus.
    /// - Returns: What others have to hear.
    mutating func belong(to campus: String) -> [PersonChanged] {
        guard campus != self.campus else { return [] }
        self.campus = campus
        version += 1
        return [PersonChanged(person: summary)]
    }
}

/// What a person says of themselves, checked by `ProfileRules`.
struct Profile: Hashable, Sendable {
    var name: String
    var username: String?
    var region: String?
    var photo: String?
    /// Nobody else sees it.
    var phone: PhoneNumber?
    var bio: String?
    var car: PersonCar?
    var mode = DeliveryMode.ordering

    /// Names what it says.
    var version: String? {
        func said(_ text: String?) -> Edit<String> { text.map { .set($0) } ?? .remove }
        return ContentVersion.of(
            ProfileChange(
                name: .set(name), username: said(username), region: said(region), photo: said(photo),
                phone: said(phone?.text), bio: said(bio), car: car.map { .set($0) } ?? .remove, mode: .set(mode)))
    }
}
