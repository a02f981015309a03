import WireProtocol

/// What the two showed of the state of a thing, at one of its two turns, or said of what they are at odds about.
struct RentalProof {
    struct Shown {
        var title: String
        var photos: [Photo]
        var note: String?
        var when: Moment
    }

    struct Photo {
        var id: String
        var text: String
    }

    var title: String
    var shown: [Shown]

    static func all(of rental: Rental, in visit: Visit) -> [RentalProof] {
        [RentalAct.handOver, .giveBack, .explain].compactMap { act in
            let own = rental.evidence.filter { $0.at == act || act == .explain && $0.opensWithPhotos }
            guard !own.isEmpty else { return nil }
            let title = visit.words["rentals.proof.\(act.rawValue)"]
            let by = act == .explain ? "rentals.proof.saidBy" : "rentals.proof.by"
            return RentalProof(
                title: title,
                shown: own.map { evidence in
                    let name = evidence.by == .owner ? rental.owner.name : rental.renter.name
                    let photos = evidence.photos.enumerated().map { index, id in
                        let values = ["n": String(index + 1), "name": name]
                        return Photo(id: id, text: "\(title): \(visit.words["rentals.proof.photo", values])")
                    }
                    return Shown(
                        title: visit.words[by, ["name": name]], photos: photos, note: evidence.note,
                        when: visit.moment(evidence.madeAt, .due))
                })
        }
    }
}

extension RentalEvidence {
    /// What a dispute was opened with stands in the steps; its photos have no place there.
    fileprivate var opensWithPhotos: Bool { at == .dispute && !photos.isEmpty }
}
