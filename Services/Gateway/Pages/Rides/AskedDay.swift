import FoundationEssentials
import WireProtocol

/// What came of asking for a seat on one day: a request, or why there is none.
struct AskedDay {
    enum Outcome {
        case request(SeatRequestID)
        case refused(ErrorCode)
    }

    var ride: RideID
    var departs: Date
    var outcome: Outcome

    init(_ request: SeatRequest) {
        (ride, departs, outcome) = (request.ride.id, request.ride.departsAt, .request(request.id))
    }

    private init(_ day: AskValues.Day, _ code: ErrorCode) {
        (ride, departs, outcome) = (day.ride, WireJSON.date(from: day.departs) ?? Date(), .refused(code))
    }

    /// As an address says it.
    init?(written text: String) {
        let parts = text.split(separator: "~").map(String.init)
        guard parts.count == 3, let ride = RideID(parts[0]), let departs = WireJSON.date(from: parts[1]) else {
            return nil
        }
        (self.ride, self.departs) = (ride, departs)
        outcome = SeatRequestID(parts[2]).map { .request($0) } ?? .refused(ErrorCode(rawValue: parts[2]))
    }

    var written: String {
        let came =
            switch outcome {
            case .request(let id): id.description
            case .refused(let code): code.rawValue
            }
        return [ride.description, WireJSON.text(of: departs), came].joined(separator: "~")
    }
}

extension ErrorCode {
    /// Of a day for which nothing was asked, because nobody answered for the one before.
    fileprivate static let notAsked: ErrorCode = "not_asked"
}

extension AskedDay {
    /// Asks for the other days, one after the other: each is a request of its own, and each sending of the form is the same one.
    static func ask(_ values: AskValues, _ form: SubmittedForm, _ visit: Visit) async throws -> [AskedDay] {
        var (asked, isAway) = ([AskedDay](), false)
        for day in values.days {
            guard !isAway else {
                asked.append(AskedDay(day, .notAsked))
                continue
            }
            do {
                let request = try await visit.command(
                    RidesMethods.requestSeat, RideReference(id: day.ride), values.draft(on: day), of: form,
                    doing: "ask \(day.ride)")
                asked.append(AskedDay(request))
            } catch let error as ServiceError where error.code != .unauthenticated {
                asked.append(AskedDay(day, error.code))
                isAway = [.unavailable, .outcomeUnknown].contains(error.code)
            }
        }
        return asked
    }
}
