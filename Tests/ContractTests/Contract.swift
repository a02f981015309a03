import Testing

@testable import WireProtocol

/// One type that crosses the wire. One of the files in `Fixtures` holds its golden examples.
struct Contract: Sendable, CustomTestStringConvertible {
    let type: String
    /// Decodes as `WireProtocol` does and encodes again.
    let roundTrip: @Sendable ([UInt8]) throws -> [UInt8]
    /// The bytes that Foundation makes of it.
    let byFoundation: @Sendable ([UInt8]) throws -> [UInt8]
    /// The optional fields that an example leaves out.
    let gaps: @Sendable ([UInt8]) throws -> [String]

    init<Body: Codable & Sendable>(_ body: Body.Type) {
        type = String(describing: body)
        roundTrip = { try WireJSON.encode(WireJSON.decode(Body.self, from: $0)) }
        byFoundation = {
            let body = try WireJSON.decode(Body.self, from: $0)
            return body is Nothing ? [] : try WireJSON.encodeByFoundation(body)
        }
        gaps = { Self.absent(in: try WireJSON.decode(Body.self, from: $0), at: "") }
    }

    var testDescription: String { type }

    private static func absent(in value: Any, at path: String) -> [String] {
        if let edit = value as? any Saying, edit.saysNothing { return [path] }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let wrapped = mirror.children.first?.value else { return [path] }
            return absent(in: wrapped, at: path)
        }
        return mirror.children.flatMap { absent(in: $0.value, at: "\(path).\($0.label ?? "")") }
    }
}

/// The field of a change, which may say nothing.
private protocol Saying {
    var saysNothing: Bool { get }
}
extension Edit: Saying {
    fileprivate var saysNothing: Bool { self == .keep }
}

extension Contract {
    /// What methods take and give, what is published, and what stands within both or beside them.
    static let all: [Contract] = {
        let methods = WireNames.methods.flatMap(\.contracts)
        let events = WireNames.events.map { contract(of: $0) }
        var known: Set<String> = []
        return (methods + events + others).filter { known.insert($0.type).inserted }
    }()

    private static func contract<Published: Event>(of event: Published.Type) -> Contract { Contract(event) }

    private static let others: [Contract] = [
        Contract(Money.self), Contract(Position.self), Contract(BoundingBox.self), Contract(Page<SpotKind>.self),
        Contract(ServiceError.self), Contract(FieldError.self), Contract(Caller.self), Contract(SessionTokens.self),
        Contract(Session.self), Contract(PersonCar.self), Contract(BlockedPair.self),
        Contract(AccessTokenClaims.self), Contract(ErasurePart.self), Contract(ErasedRecords.self),
        Contract(DataExportPart.self), Contract(PersonalRecord.self), Contract(IdentityProvider.self),
        Contract(PasskeyDescriptor.self), Contract(PasskeyRegistration.self), Contract(PasskeyAssertion.self),
        Contract(Subject.self), Contract(Hiding.self), Contract(CaseDecision.self), Contract(CaseReport.self),
        Contract(AuditChange.self), Contract(AuditEntry.self), Contract(SuspendedPerson.self), Contract(Notice.self),
        Contract(RoleHolder.self), Contract(Reputation.self),
        Contract(ReviewReply.self), Contract(Encounter.self), Contract(NoticeMail.self),
        Contract(CampusCodeMail.self), Contract(EmailCodeMail.self), Contract(PhoneCodeText.self),
        Contract(KeptMail.self), Contract(DeadMail.self), Contract(DeadPush.self), Contract(InboxNotice.self),
        Contract(CalendarEntry.self), Contract(SpotClaim.self), Contract(ObservationCount.self),
        Contract(PublicSpot.self), Contract(RentalTerms.self), Contract(AvailableDays.self), Contract(CarBrand.self),
        Contract(TakenPeriod.self), Contract(RentedThing.self), Contract(RentalEvidence.self),
        Contract(PublicThing.self), Contract(RentalNews.self), Contract(RideStop.self), Contract(RidePassenger.self),
        Contract(RideStopDraft.self), Contract(OtherWay.self), Contract(ReturnDraft.self), Contract(ReturnQuote.self),
        Contract(SeriesRide.self), Contract(SeriesGap.self), Contract(FoundRide.self), Contract(PublicRide.self),
        Contract(RequestedRide.self), Contract(SeatPoint.self), Contract(SeatPointDraft.self),
        Contract(SeatExpectation.self), Contract(TogetherDraft.self), Contract(OtherSeatQuote.self),
        Contract(SeatNews.self), Contract(DeliveryPlace.self), Contract(DropOffDraft.self),
        Contract(OrderedFrom.self), Contract(OrderedAround.self), Contract(OrderTerms.self), Contract(OrderStep.self),
        Contract(AskedDeliverer.self), Contract(OrderedFromDraft.self), Contract(OrderedAroundDraft.self),
        Contract(MatchStatement.self), Contract(MatchExpectation.self), Contract(MatchNews.self),
        Contract(RoomMarks.self),
        Contract(PlaceName.self), Contract(PlaceDistance.self), Contract(EventHeader.self),
        Contract(StoredEvent.self), Contract(DeadLetter.self), Contract(Photo.self), Contract(About.self),
        Contract(Problem.self),
    ]
}
