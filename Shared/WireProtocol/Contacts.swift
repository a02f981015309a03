// How people are written to: what the notification service asks auth, each time that it writes.

/// Asks for up to a hundred people.
package struct ContactsQuery: Codable, Hashable, Sendable {
    package static let largest = 100
    package var people: [PersonID]
    package init(people: [PersonID]) { self.people = people }
}

/// Who is not there has no account, or is suspended.
package struct Contact: Codable, Hashable, Sendable {
    package var person: PersonID
    /// Absent where they have not shown that it is theirs: nobody writes to an address that may be a stranger's.
    package var email: String?
    /// In which to write to them (`de`).
    package var language: String
    package var username: String?

    package init(person: PersonID, email: String?, language: String, username: String? = nil) {
        self.person = person
        self.email = email
        self.language = language
        self.username = username
    }
}

/// Telephone numbers of people who have dealings with each other now; whoever asks has made sure of that. Up to a hundred people.
package struct PhonesQuery: Codable, Hashable, Sendable {
    package static let largest = 100
    package var people: [PersonID]
    package init(people: [PersonID]) { self.people = people }
}

/// Who has given no number is not there.
package struct PersonPhone: Codable, Hashable, Sendable {
    package var person: PersonID
    package var phone: String

    package init(person: PersonID, phone: String) {
        self.person = person
        self.phone = phone
    }
}

extension AuthMethods {
    package static let phones = Method<PhonesQuery, Nothing, Page<PersonPhone>>(
        "auth.phones", .query, peers: [.listings, .rides, .matching])
    package static let contacts = Method<ContactsQuery, Nothing, Page<Contact>>(
        "auth.contacts", .query, peers: [.notification])
}
