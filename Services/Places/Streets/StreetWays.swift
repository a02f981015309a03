package import WireProtocol

extension StreetNetwork {
    /// From one place to many, or from each of many to the one, in the order of `targets`.
    ///
    /// Metres and seconds include the straight line from each place to its street, at walking pace. Where one of the two has no street within
    /// `reach` metres, where no way leads from one to the other, or where they are no farther from each other than from
    /// their streets together, the result is the straight line and says so.
    /// - Parameters:
    ///   - backwards: Whether it is asked how far it is to `origin`, which one-way streets make another question.
    ///   - reach: Metres, at most 100,000.
    package func distances(
        from origin: Position, to targets: [Position], by profile: TravelProfile, backwards: Bool = false,
        within reach: Double = reach
    ) -> [StreetDistance] {
        var results = targets.map { target in
            backwards
                ? StreetDistance.straightLine(from: target, to: origin)
                : StreetDistance.straightLine(from: origin, to: target)
        }
        for (target, link) in links(origin, targets, profile, backwards: backwards, reach).enumerated() {
            guard let link, link.leadsOut(over: results[target].metres) else { continue }
            results[target] = profile.distance(
                cost: link.cost, offset: link.offset, atLeast: results[target].metres)
        }
        return results
    }

    /// The way of `distances` from one place to another, point by point: the two places and the streets between them. Nil where it is a straight line.
    package func way(
        from origin: Position, to target: Position, by profile: TravelProfile, within reach: Double = reach
    ) -> [Position]? {
        guard let link = links(origin, [target], profile, backwards: false, reach)[0],
            link.leadsOut(over: origin.metres(to: target))
        else { return nil }
        let network = network(profile)
        let pieces = network.withMemory { memory in
            StreetQuery(from: link.start, in: network.arrays, with: memory).way(to: link.end)
        }
        return pieces.map { pieces in
            let streets = pieces.flatMap { network.arrays.points(of: $0) }.map(\.position)
            return ([origin] + streets + [target]).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
    }

    /// A way from one street to another, by way of which two places are joined.
    private struct Link {
        /// Where it begins and ends, forwards.
        var start: Snap
        var end: Snap
        var cost: UInt64
        /// Of the nearest streets of the two those go first, of the place where the way begins before all.
        var rank: (start: Int, end: Int)

        /// Metres from both places to their streets.
        var offset: Double { start.offset + end.offset }

        /// Otherwise the two are in one yard, and would not go out by the gate to meet.
        func leadsOut(over straight: Double) -> Bool { straight > offset || offset < 0.001 }
    }

    /// Of each target the link, where there is one.
    private func links(
        _ origin: Position, _ targets: [Position], _ profile: TravelProfile, backwards: Bool, _ reach: Double
    ) -> [Link?] {
        let network = network(profile)
        let near = network.arrays.snaps(of: origin, within: reach)
        var links = [Link?](repeating: nil, count: targets.count)
        guard !near.isEmpty else { return links }
        let far = targets.map { network.arrays.snaps(of: $0, within: reach) }
        network.withMemory { memory in
            for (number, here) in near.enumerated() {
                // Forwards the first link found is the best; backwards a later one may begin at a nearer street.
                let open = targets.indices.filter {
                    links[$0].map { backwards && $0.rank.start > 0 } ?? !far[$0].isEmpty
                }
                if open.isEmpty { break }
                let query = StreetQuery(from: here, in: network.arrays, with: memory, backwards: backwards)
                for target in open {
                    for (other, there) in far[target].enumerated() {
                        let rank = backwards ? (other, number) : (number, other)
                        guard rank < links[target]?.rank ?? (.max, .max) else { continue }
                        let cost = query.cost(to: there)
                        guard cost != Cost.unreachable else { continue }
                        links[target] = Link(
                            start: backwards ? there : here, end: backwards ? here : there, cost: cost, rank: rank)
                    }
                }
            }
        }
        return links
    }
}

extension TravelProfile {
    fileprivate func distance(cost: UInt64, offset: Double, atLeast straight: Double) -> StreetDistance {
        let metres: Double
        let seconds: Double
        switch self {
        case .walk:
            metres = Double(cost) / 1000
            seconds = metres / Self.walkingPace
        case .drive:
            metres = Double(Cost.millimetresOfDrive(cost)) / 1000
            seconds = Double(Cost.centiseconds(cost)) / 100
        }
        // Lengths are rounded to millimetres, and the straight line is not.
        return StreetDistance(
            metres: max(metres + offset, straight), seconds: seconds + offset / Self.walkingPace, isAlongStreets: true)
    }
}
