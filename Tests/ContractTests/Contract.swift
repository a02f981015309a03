import Testing

@testable import WireProtocol

/// One type that crosses the wire, and the file that holds its golden examples.
struct Contract: Sendable, CustomTestStringConvertible {
    let file: String
    let type: String
    /// Decodes as `WireProtocol` does and encodes again.
    let roundTrip: @Sendable ([UInt8]) throws -> [UInt8]
    /// The bytes that Foundation makes of it.
    let byFoundation: @Sendable ([UInt8]) throws -> [UInt8]
    /// The optional fields that an example leaves out.
    let gaps: @Sendable ([UInt8]) throws -> [String]

    init<Body: Codable & Sendable>(_ body: Body.Type, in file: String) {
        self.file = file
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
    static let all: [Contract] =
        values + auth + recovery + identities + passkeys + erasure + export + moderation + reviews + listings
        + rentals + notification + inbox + calendar + devices + places + chat
        + events
        + gateway

    static let values = [
        Contract(Money.self, in: "values"), Contract(Position.self, in: "values"),
        Contract(BoundingBox.self, in: "values"), Contract(Page<SpotKind>.self, in: "values"),
        Contract(Nothing.self, in: "values"), Contract(ServiceError.self, in: "values"),
        Contract(FieldError.self, in: "values"), Contract(Caller.self, in: "values"),
    ]

    static let auth = [
        Contract(PersonSummary.self, in: "auth"), Contract(Person.self, in: "auth"),
        Contract(SignUp.self, in: "auth"), Contract(NewAccount.self, in: "auth"),
        Contract(SessionTokens.self, in: "auth"), Contract(SignIn.self, in: "auth"),
        Contract(SignedIn.self, in: "auth"), Contract(Refresh.self, in: "auth"), Contract(Session.self, in: "auth"),
        Contract(Page<Session>.self, in: "auth"), Contract(SessionReference.self, in: "auth"),
        Contract(PersonReference.self, in: "auth"), Contract(ProfileChange.self, in: "auth"),
        Contract(PersonCar.self, in: "auth"),
        Contract(PeopleQuery.self, in: "auth"), Contract(Page<PersonSummary>.self, in: "auth"),
        Contract(UsernameQuestion.self, in: "auth"), Contract(UsernameAvailability.self, in: "auth"),
        Contract(Friend.self, in: "auth"), Contract(Page<Friend>.self, in: "auth"),
        Contract(FriendQuery.self, in: "auth"), Contract(FriendEnding.self, in: "auth"),
        Contract(MutualFriendsQuery.self, in: "auth"), Contract(MutualFriends.self, in: "auth"),
        Contract(FriendAsked.self, in: "auth"), Contract(FriendshipBegan.self, in: "auth"),
        Contract(FriendshipEnded.self, in: "auth"), Contract(FriendQuestionEnded.self, in: "auth"),
        Contract(BlockedPerson.self, in: "auth"), Contract(Page<BlockedPerson>.self, in: "auth"),
        Contract(BlockQuery.self, in: "auth"), Contract(BlockedPair.self, in: "auth"),
        Contract(Page<BlockedPair>.self, in: "auth"), Contract(BlockedPairsQuery.self, in: "auth"),
        Contract(ApartQuery.self, in: "auth"), Contract(ApartPage.self, in: "auth"),
        Contract(PeopleBlocked.self, in: "auth"), Contract(PeopleUnblocked.self, in: "auth"),
        Contract(DeviceParameters.self, in: "auth"), Contract(SigningKeys.self, in: "auth"),
        Contract(RevokedSessions.self, in: "auth"), Contract(AccessTokenClaims.self, in: "auth"),
        Contract(PersonChanged.self, in: "auth"),
        Contract(SessionsRevoked.self, in: "auth"), Contract(SigningKeysChanged.self, in: "auth"),
    ]

    static let erasure = [
        Contract(ErasureRequest.self, in: "erasure"), Contract(Erasure.self, in: "erasure"),
        Contract(ErasurePart.self, in: "erasure"), Contract(ErasedRecords.self, in: "erasure"),
        Contract(ErasureReference.self, in: "erasure"), Contract(ErasedPhotos.self, in: "erasure"),
        Contract(Page<ErasedPhotos>.self, in: "erasure"),
        Contract(LeftPhotos.self, in: "erasure"), Contract(Page<LeftPhotos>.self, in: "erasure"),
        Contract(PhotoUse.self, in: "erasure"),
        Contract(PersonErased.self, in: "erasure"), Contract(PersonalDataErased.self, in: "erasure"),
    ]

    static let export = [
        Contract(DataExport.self, in: "export"), Contract(DataExportPart.self, in: "export"),
        Contract(PersonalRecord.self, in: "export"), Contract(Page<PersonalRecord>.self, in: "export"),
        Contract(PersonalDataQuery.self, in: "export"), Contract(DataExportPage.self, in: "export"),
        Contract(DataExportPageQuery.self, in: "export"),
    ]

    static let identities = [
        Contract(IdentityProvider.self, in: "auth"), Contract(IdentityProviders.self, in: "auth"),
        Contract(IdentityStart.self, in: "auth"), Contract(IdentityRedirect.self, in: "auth"),
        Contract(IdentityReturn.self, in: "auth"), Contract(IdentityOutcome.self, in: "auth"),
        Contract(IdentityTicket.self, in: "auth"), Contract(IdentityProposal.self, in: "auth"),
        Contract(IdentityPicture.self, in: "auth"), Contract(IdentitySignUp.self, in: "auth"),
        Contract(LinkedIdentity.self, in: "auth"), Contract(Page<LinkedIdentity>.self, in: "auth"),
        Contract(IdentityProviderReference.self, in: "auth"),
    ]

    static let passkeys = [
        Contract(Passkey.self, in: "passkeys"), Contract(Page<Passkey>.self, in: "passkeys"),
        Contract(PasskeyReference.self, in: "passkeys"), Contract(PasskeyRequest.self, in: "passkeys"),
        Contract(PasskeyDescriptor.self, in: "passkeys"), Contract(PasskeyCreationOptions.self, in: "passkeys"),
        Contract(PasskeyRegistration.self, in: "passkeys"), Contract(PasskeyDraft.self, in: "passkeys"),
        Contract(PasskeyName.self, in: "passkeys"), Contract(PasskeySignInOptions.self, in: "passkeys"),
        Contract(PasskeyAssertion.self, in: "passkeys"), Contract(PasskeySignIn.self, in: "passkeys"),
    ]

    static let recovery = [
        Contract(PasswordResetRequest.self, in: "auth"), Contract(PasswordReset.self, in: "auth"),
        Contract(PasswordResetLink.self, in: "auth"), Contract(PasswordResetAccount.self, in: "auth"),
        Contract(LanguageParameters.self, in: "auth"),
        Contract(EmailVerificationRequest.self, in: "auth"), Contract(EmailVerification.self, in: "auth"),
        Contract(PhoneVerificationRequest.self, in: "auth"), Contract(PhoneVerification.self, in: "auth"),
        Contract(ProofOfPerson.self, in: "auth"), Contract(PasswordChange.self, in: "auth"),
        Contract(EmailChange.self, in: "auth"), Contract(EmailConfirmation.self, in: "auth"),
    ]

    static let moderation = [
        Contract(Subject.self, in: "moderation"), Contract(ReportDraft.self, in: "moderation"),
        Contract(Report.self, in: "moderation"), Contract(SubjectSnapshot.self, in: "moderation"),
        Contract(SubjectQuery.self, in: "moderation"), Contract(Hiding.self, in: "moderation"),
        Contract(SubjectHidden.self, in: "moderation"), Contract(SubjectRestored.self, in: "moderation"),
        Contract(CaseDecision.self, in: "moderation"), Contract(ModerationCase.self, in: "moderation"),
        Contract(Page<ModerationCase>.self, in: "moderation"), Contract(CaseReport.self, in: "moderation"),
        Contract(CaseFile.self, in: "moderation"), Contract(CaseQuery.self, in: "moderation"),
        Contract(CaseReference.self, in: "moderation"), Contract(ActDraft.self, in: "moderation"),
        Contract(AuditChange.self, in: "moderation"), Contract(AuditEntry.self, in: "moderation"),
        Contract(Page<AuditEntry>.self, in: "moderation"),
        Contract(AuditQuery.self, in: "moderation"), Contract(RoleChange.self, in: "moderation"),
        Contract(Suspension.self, in: "moderation"), Contract(SuspendedPerson.self, in: "moderation"),
        Contract(Page<SuspendedPerson>.self, in: "moderation"), Contract(PersonSuspended.self, in: "moderation"),
        Contract(PersonReinstated.self, in: "moderation"), Contract(PosterSuspended.self, in: "moderation"),
        Contract(Notice.self, in: "moderation"), Contract(Page<Notice>.self, in: "moderation"),
        Contract(NoticeReference.self, in: "moderation"), Contract(RoleHolder.self, in: "moderation"),
        Contract(Page<RoleHolder>.self, in: "moderation"), Contract(RoleQuery.self, in: "moderation"),
        Contract(OperatorAct.self, in: "moderation"), Contract(RolesChanged.self, in: "moderation"),
    ]

    static let reviews = [
        Contract(Reputation.self, in: "reviews"),
        Contract(EncounterCompleted.self, in: "reviews"), Contract(Review.self, in: "reviews"),
        Contract(Page<Review>.self, in: "reviews"), Contract(ReviewReply.self, in: "reviews"),
        Contract(ReviewDraft.self, in: "reviews"), Contract(ReviewReplyDraft.self, in: "reviews"),
        Contract(ReviewReference.self, in: "reviews"), Contract(ReviewQuery.self, in: "reviews"),
        Contract(Encounter.self, in: "reviews"), Contract(Page<Encounter>.self, in: "reviews"),
        Contract(EncounterQuery.self, in: "reviews"), Contract(ReviewWritten.self, in: "reviews"),
        Contract(ReviewPublished.self, in: "reviews"),
    ]

    static let notification = [
        Contract(NoticeMail.self, in: "notification"), Contract(CampusCodeMail.self, in: "notification"),
        Contract(EmailCodeMail.self, in: "notification"),
        Contract(MailOrder.self, in: "notification"), Contract(TextOrder.self, in: "notification"),
        Contract(PhoneCodeText.self, in: "notification"), Contract(KeptMail.self, in: "notification"),
        Contract(Page<KeptMail>.self, in: "notification"), Contract(KeptMailQuery.self, in: "notification"),
        Contract(KeptMailReference.self, in: "notification"), Contract(KeptMailContent.self, in: "notification"),
        Contract(DeadMail.self, in: "notification"),
        Contract(Page<DeadMail>.self, in: "notification"), Contract(MailRetry.self, in: "notification"),
    ]

    static let devices = [
        Contract(PushSettings.self, in: "devices"), Contract(PushDevice.self, in: "devices"),
        Contract(Page<PushDevice>.self, in: "devices"), Contract(PushDeviceReference.self, in: "devices"),
        Contract(PushDeviceDraft.self, in: "devices"), Contract(DeadPush.self, in: "devices"),
        Contract(Page<DeadPush>.self, in: "devices"), Contract(DeadPushQuery.self, in: "devices"),
        Contract(DeadPushReference.self, in: "devices"),
    ]

    static let inbox = [
        Contract(InboxNotice.self, in: "inbox"), Contract(Page<InboxNotice>.self, in: "inbox"),
        Contract(InboxQuery.self, in: "inbox"), Contract(InboxCount.self, in: "inbox"),
        Contract(InboxMark.self, in: "inbox"), Contract(NoticeSettings.self, in: "inbox"),
        Contract(UnsubscribeToken.self, in: "inbox"), Contract(Unsubscription.self, in: "inbox"),
        Contract(Noticed.self, in: "inbox"), Contract(NoticesRead.self, in: "inbox"),
        Contract(ContactsQuery.self, in: "inbox"), Contract(Page<Contact>.self, in: "inbox"),
        Contract(PhonesQuery.self, in: "inbox"), Contract(Page<PersonPhone>.self, in: "inbox"),
        Contract(ClaimChanged.self, in: "inbox"), Contract(ReviewReplied.self, in: "inbox"),
        Contract(NoticeGiven.self, in: "inbox"), Contract(NoticeRead.self, in: "inbox"),
        Contract(NoticeRaised.self, in: "inbox"), Contract(NoticeSettled.self, in: "inbox"),
        Contract(NoticeRecounted.self, in: "inbox"),
    ]

    static let calendar = [
        Contract(CalendarFeed.self, in: "calendar"), Contract(CalendarToken.self, in: "calendar"),
        Contract(CalendarOwner.self, in: "calendar"), Contract(CalendarEntriesQuery.self, in: "calendar"),
        Contract(CalendarEntry.self, in: "calendar"), Contract(Page<CalendarEntry>.self, in: "calendar"),
    ]

    static let listings = [
        Contract(Spot.self, in: "listings"), Contract(SpotClaim.self, in: "listings"),
        Contract(ObservationCount.self, in: "listings"), Contract(SpotDraft.self, in: "listings"),
        Contract(SpotReference.self, in: "listings"),
        Contract(SpotClaiming.self, in: "listings"), Contract(SpotObservation.self, in: "listings"),
        Contract(SpotQuery.self, in: "listings"), Contract(Page<Spot>.self, in: "listings"),
        Contract(PublicSpot.self, in: "listings"), Contract(SpotAdded.self, in: "listings"),
        Contract(SpotChanged.self, in: "listings"), Contract(SpotClaimed.self, in: "listings"),
        Contract(SpotRemoved.self, in: "listings"),
    ]

    static let rentals = [
        Contract(Thing.self, in: "rentals"), Contract(Page<Thing>.self, in: "rentals"),
        Contract(RentalTerms.self, in: "rentals"), Contract(AvailableDays.self, in: "rentals"),
        Contract(ThingDraft.self, in: "rentals"), Contract(ThingKindParameters.self, in: "rentals"),
        Contract(ThingReference.self, in: "rentals"), Contract(ThingQuery.self, in: "rentals"),
        Contract(CarModels.self, in: "rentals"), Contract(CarBrand.self, in: "rentals"),
        Contract(CalendarQuery.self, in: "rentals"), Contract(ThingCalendar.self, in: "rentals"),
        Contract(TakenPeriod.self, in: "rentals"), Contract(DateBlock.self, in: "rentals"),
        Contract(DateBlockReference.self, in: "rentals"), Contract(PeriodDraft.self, in: "rentals"),
        Contract(Rental.self, in: "rentals"), Contract(Page<Rental>.self, in: "rentals"),
        Contract(RentedThing.self, in: "rentals"), Contract(RentalEvidence.self, in: "rentals"),
        Contract(RentalDraft.self, in: "rentals"), Contract(RentalQuoteQuery.self, in: "rentals"),
        Contract(RentalQuote.self, in: "rentals"), Contract(RentalActReference.self, in: "rentals"),
        Contract(RentalActDraft.self, in: "rentals"), Contract(RentalContact.self, in: "rentals"),
        Contract(RentalReference.self, in: "rentals"), Contract(RentalQuery.self, in: "rentals"),
        Contract(Page<Commitment>.self, in: "rentals"), Contract(Page<WaitingItem>.self, in: "rentals"),
        Contract(ShelfQuery.self, in: "rentals"), Contract(Page<ShelfItem>.self, in: "rentals"),
        Contract(PublicThing.self, in: "rentals"), Contract(ThingPosted.self, in: "rentals"),
        Contract(ThingChanged.self, in: "rentals"), Contract(ThingWithdrawn.self, in: "rentals"),
        Contract(RentalNews.self, in: "rentals"), Contract(RentalRequested.self, in: "rentals"),
        Contract(RentalAnswered.self, in: "rentals"), Contract(RentalChanged.self, in: "rentals"),
        Contract(RentalReminder.self, in: "rentals"),
    ]

    static let chat = [
        Contract(RoomDraft.self, in: "chat"),
        Contract(RoomMarks.self, in: "chat"), Contract(Room.self, in: "chat"), Contract(Page<Room>.self, in: "chat"),
        Contract(Message.self, in: "chat"), Contract(MessageList.self, in: "chat"),
        Contract(MessageDraft.self, in: "chat"), Contract(RoomReference.self, in: "chat"),
        Contract(RoomQuery.self, in: "chat"), Contract(MessageQuery.self, in: "chat"),
        Contract(MessageMark.self, in: "chat"), Contract(RoomArchiving.self, in: "chat"),
        Contract(UnreadCount.self, in: "chat"), Contract(MessageSent.self, in: "chat"),
        Contract(MessageHidden.self, in: "chat"), Contract(MessageReference.self, in: "chat"),
        Contract(ReportedMessages.self, in: "chat"), Contract(MessagesRead.self, in: "chat"),
        Contract(Typing.self, in: "chat"),
        Contract(RoomChanged.self, in: "chat"), Contract(RoomSubjectQuery.self, in: "chat"),
        Contract(RoomSubjectFacts.self, in: "chat"), Contract(RoomSubjectChanged.self, in: "chat"),
    ]

    static let places = [
        Contract(Place.self, in: "places"), Contract(PlaceName.self, in: "places"),
        Contract(PlaceReference.self, in: "places"),
        Contract(PlaceQuery.self, in: "places"), Contract(PlaceSuggestions.self, in: "places"),
        Contract(ReversePlaceQuery.self, in: "places"), Contract(PlaceDescription.self, in: "places"),
        Contract(NearbyPlaceQuery.self, in: "places"), Contract(Page<Place>.self, in: "places"),
        Contract(PlaceRegion.self, in: "places"), Contract(PlaceDistanceQuery.self, in: "places"),
        Contract(PlaceDistances.self, in: "places"),
        Contract(PlaceDistance.self, in: "places"),
    ]

    static let events = [
        Contract(EventHeader.self, in: "events"), Contract(EventsSince.self, in: "events"),
        Contract(EventBatch.self, in: "events"), Contract(StoredEvent.self, in: "events"),
        Contract(DeadLetter.self, in: "events"), Contract(Page<DeadLetter>.self, in: "events"),
        Contract(DeadLetterQuery.self, in: "events"),
        Contract(DeadLetterReplay.self, in: "events"), Contract(DeadLetterSelection.self, in: "events"),
        Contract(DeadLetterDiscard.self, in: "events"),
    ]

    static let gateway = [
        Contract(Photo.self, in: "gateway"), Contract(About.self, in: "gateway"), Contract(Problem.self, in: "gateway"),
    ]
}
