import WireProtocol

/// Gives a refusal of the domain its code and its sentence.
extension DeliveryError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .invalid(let errors): .invalid(errors)
        case .orderNotFound: .notFound("order")
        case .matchNotFound: .notFound("delivery")
        case .delivererNotFound: .notFound("deliverer")
        case .yourOwn: ServiceError(.forbidden, "This is what you offer yourself.")
        case .wrongState(let possible): .instead("That is not possible now.", possible.map(\.rawValue))
        case .orderOver(let possible):
            .instead("That is not possible with this order now.", possible.map(\.rawValue))
        case .notOffering(let possible): .instead("That is not possible now.", possible.map(\.rawValue))
        case .restaurantStays:
            ServiceError(
                .wrongState, "You have something to bring from this restaurant.",
                errors: [FieldError("restaurant", "in_hand", "You have something to bring from here.")])
        case .offerGone(let end):
            ServiceError(.offerGone, end.sentence, errors: [FieldError("act", end.rawValue, end.sentence)])
        case .termsChanged(let errors):
            ServiceError(.termsChanged, "This has changed meanwhile.", errors: errors)
        case .tooManyOrders(let limit):
            ServiceError(
                .tooManyOrders, "You have \(limit) orders already that are not over. Wait for one, or cancel it.")
        case .handsFull: ServiceError(.handsFull, "They have just got their hands full. Ask somebody else.")
        case .notThere: ServiceError(.notThere, "They are not there any more. Ask somebody else.")
        }
    }
}

extension ServiceError {
    /// Says what can be done in place of what was asked for.
    fileprivate static func instead(_ detail: String, _ acts: [String]) -> ServiceError {
        ServiceError(.wrongState, detail, errors: acts.map { FieldError("act", $0, "This is possible.") })
    }
}

extension OfferEnd {
    fileprivate var sentence: String {
        switch self {
        case .takenBack: "The order was taken back."
        case .expired: "The time to answer is over."
        case .declined: "You have declined this already."
        case .ended: "This is not offered to you any more."
        }
    }
}
