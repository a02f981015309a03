import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Two people who have completed something together.
struct PageEncounter {
    var subject = EncounterSubject(kind: .spot, id: .new())
    var title: String
    var people: Set<PersonID>
}

extension PageCall {
    /// As auth does, with pages of three and without time.
    func reviews(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        func summary(_ id: PersonID) throws -> PersonSummary {
            guard let person = state.people[id] else { throw ServiceError.notFound("person") }
            return person.summary
        }
        switch method {
        case "auth.reviews":
            let query = try WireJSON.decode(ReviewQuery.self, from: parameters)
            _ = try summary(query.id)
            let all = state.reviews.filter { $0.about == query.id && $0.publishedAt != nil }
            let start = all.firstIndex { $0.id.description == query.cursor }.map { $0 + 1 } ?? 0
            let rest = all[start...]
            let next = rest.count > 3 ? rest.prefix(3).last?.id.description : nil
            return (try WireJSON.encode(Page(items: Array(rest.prefix(3)), next: next)), [])
        case "auth.review":
            let id = try WireJSON.decode(ReviewReference.self, from: parameters).id
            let found = state.reviews.first { $0.id == id }
            guard let review = found else { throw ServiceError.notFound("review") }
            return (try WireJSON.encode(review), [])
        case "auth.encounters":
            let (me, query) = (try caller.requirePerson(), try WireJSON.decode(EncounterQuery.self, from: parameters))
            let own = state.encounters.filter { encounter in
                let isAsked = query.with.map { encounter.people.contains($0) && $0 != me } ?? true
                let isWritten = state.reviews.contains { $0.author.id == me && $0.subject == encounter.subject }
                return encounter.people.contains(me) && isAsked && !isWritten
            }
            let open = try own.map { encounter in
                Encounter(
                    subject: encounter.subject, title: encounter.title,
                    with: try summary(encounter.people.subtracting([me]).first ?? me), completedAt: Date(),
                    reviewsUntil: Date() + 14 * 86_400)
            }
            return (try WireJSON.encode(Page(items: open)), [])
        case "auth.writeReview":
            let (me, draft) = (try caller.requirePerson(), try WireJSON.decode(ReviewDraft.self, from: body))
            let about = try WireJSON.decode(PersonReference.self, from: parameters).id
            var errors: [FieldError] = []
            if draft.rating < 1 { errors.append(FieldError("rating", "out_of_range", "One to five.")) }
            if draft.text.isEmpty { errors.append(FieldError("text", "required", "Write.")) }
            guard errors.isEmpty else { throw ServiceError.invalid(errors) }
            guard state.encounters.contains(where: { $0.subject == draft.subject && $0.people == [me, about] }) else {
                throw ServiceError(.forbidden, "Never met.")
            }
            let other = state.reviews.firstIndex { $0.subject == draft.subject && $0.author.id == about }
            if let other { state.reviews[other].publishedAt = Date() }
            let review = Review(
                id: .new(), subject: draft.subject, author: try summary(me), about: about, rating: draft.rating,
                text: draft.text, writtenAt: Date(), publishedAt: other.map { _ in Date() },
                version: "0")
            state.reviews.append(review)
            return (try WireJSON.encode(review), [])
        default:
            let id = try WireJSON.decode(ReviewReference.self, from: parameters).id
            let draft = try WireJSON.decode(ReviewReplyDraft.self, from: body)
            let text = draft.text
            guard !text.isEmpty else { throw ServiceError.invalid([FieldError("text", "required", "Write.")]) }
            guard let index = state.reviews.firstIndex(where: { $0.id == id }) else {
                throw ServiceError.notFound("review")
            }
            let now = state.reviews[index].version
            state.reviews[index].version = try PageBackend.version(after: now, seen: draft.version)
            state.reviews[index].reply = ReviewReply(text: text, at: Date())
            return (try WireJSON.encode(state.reviews[index]), [])
        }
    }
}
