import DurableMessaging
import WireProtocol

/// Gives a refusal of the domain its code and its sentence.
extension RideError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .invalid(let errors): .invalid(errors)
        case .notFound: .notFound("ride")
        case .forbidden: ServiceError(.forbidden, "Only its driver may do that.")
        case .yourOwn: ServiceError(.forbidden, "You drive this ride yourself.")
        case .wrongState(let possible):
            ServiceError(
                .wrongState, "That is not possible now.",
                errors: possible.map { FieldError("act", $0.rawValue, "This is possible.") })
        case .rideOver(let possible):
            ServiceError(
                .wrongState, "That is not possible with this ride now.",
                errors: possible.map { FieldError("act", $0.rawValue, "This is possible.") })
        case .soldOut(let free, let isOtherWay):
            ServiceError(
                .soldOut, Self.sentence(free: free, isOtherWay: isOtherWay),
                errors: [FieldError(isOtherWay ? "together.seats" : "seats", "\(free)", "So many are free.")])
        case .alreadyAsked(let request):
            ServiceError(
                .alreadyAsked, "You have asked for a seat in this ride already, or you have one.",
                errors: request.map { [FieldError("request", $0.description, "This is yours.")] } ?? [])
        case .tooManyRides(let limit):
            ServiceError(.tooManyRides, "You drive \(limit) rides already that have not left. Remove one first.")
        case .tooManyRequests(let limit):
            ServiceError(
                .tooManyRequestsOpen,
                "You have asked for \(limit) seats already that wait for an answer. Take one back first.")
        case .overlaps(let ride):
            ServiceError(
                .overlaps, "You are on the way in another ride at that time.",
                errors: [FieldError("ride", ride.description, "This is the other one.")])
        case .duplicate(let ride):
            ServiceError(
                .duplicate, "You drive such a ride at that time already.",
                errors: [FieldError("ride", ride.description, "This is it.")])
        case .termsChanged(let errors):
            ServiceError(.termsChanged, "This has changed meanwhile.", errors: errors)
        case .changedMeanwhile(let version): .changedMeanwhile(version)
        case .inUse: ServiceError(.inUse, "The stops stay while somebody has asked for a seat, or has one.")
        case .seatsTaken(let people):
            ServiceError(
                .seatsTaken,
                people == 1 ? "1 seat is given already." : "\(people) seats are given already on some part of the way.")
        }
    }

    private static func sentence(free: Int, isOtherWay: Bool) -> String {
        let part = isOtherWay ? "on the other way" : "on that part of the way"
        return switch free {
        case 0: "There is no seat left \(part)."
        case 1: "Only one seat is left \(part)."
        default: "Only \(free) seats are left \(part)."
        }
    }
}
