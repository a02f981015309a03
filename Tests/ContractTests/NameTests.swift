import Foundation
import Testing
import WireProtocol

/// The names on the wire, and who may use them, are part of the contract: `names.json` holds them.
@Suite struct NameTests {
    private struct Names: Codable, Equatable {
        var methods: [String: MethodName]
        var events: [String]
        var codes: [String]
        var peers: [String]
    }
    private struct MethodName: Codable, Equatable {
        var kind: String
        var peers: [String]
        var parameters: String
        var body: String
        var reply: String
        /// Written where it is so: that somebody who is suspended may ask it is part of the contract too.
        var forSuspended: Bool?
    }

    private static func name<P, B, R>(_ method: Method<P, B, R>) -> (String, MethodName) {
        (
            method.name,
            MethodName(
                kind: method.kind.rawValue, peers: method.peers.map(\.rawValue).sorted(),
                parameters: "\(P.self)", body: "\(B.self)", reply: "\(R.self)",
                forSuspended: method.isForSuspended ? true : nil)
        )
    }

    private static let common = ListingsEvents.stream.methods
    private static let auth = [
        name(AuthMethods.signUp), name(AuthMethods.signIn), name(AuthMethods.refresh), name(AuthMethods.signOut),
        name(AuthMethods.sessions), name(AuthMethods.endSession), name(AuthMethods.endAllSessions),
        name(AuthMethods.me), name(AuthMethods.changeProfile), name(AuthMethods.person),
        name(AuthMethods.friends), name(AuthMethods.friend), name(AuthMethods.befriend), name(AuthMethods.unfriend),
        name(AuthMethods.mutualFriends), name(AuthMethods.blocks), name(AuthMethods.block), name(AuthMethods.unblock),
        name(AuthMethods.apart), name(AuthMethods.personSummary), name(AuthMethods.blockedPairs),
        name(AuthMethods.requestExport), name(AuthMethods.export), name(AuthMethods.exportPage),
        name(AuthMethods.eraseMe), name(AuthMethods.erasure), name(AuthMethods.photosToErase),
        name(AuthMethods.photosErased), name(AuthEvents.stream.methods.photosInUse), name(AuthMethods.username),
        name(AuthMethods.people),
        name(AuthMethods.signingKeys),
        name(AuthMethods.revokedSessions), name(AuthEvents.stream.methods.eventsSince),
    ]
    private static let recovery = [
        name(AuthMethods.requestPasswordReset), name(AuthMethods.passwordReset), name(AuthMethods.resetPassword),
        name(AuthMethods.requestEmailVerification), name(AuthMethods.verifyEmail),
        name(AuthMethods.requestPhoneVerification), name(AuthMethods.verifyPhone),
        name(AuthMethods.prove), name(AuthMethods.changePassword), name(AuthMethods.changeEmail),
        name(AuthMethods.confirmEmail),
    ]
    private static let identities = [
        name(AuthMethods.identityProviders), name(AuthMethods.startIdentity), name(AuthMethods.finishIdentity),
        name(AuthMethods.identityProposal), name(AuthMethods.identityPicture), name(AuthMethods.signUpWithIdentity),
        name(AuthMethods.identities), name(AuthMethods.linkIdentity), name(AuthMethods.unlinkIdentity),
    ]
    private static let passkeys = [
        name(AuthMethods.passkeys), name(AuthMethods.passkeyOptions), name(AuthMethods.addPasskey),
        name(AuthMethods.renamePasskey), name(AuthMethods.removePasskey), name(AuthMethods.passkeySignInOptions),
        name(AuthMethods.signInWithPasskey),
    ]
    private static let reviews = [
        name(AuthMethods.reviews), name(AuthMethods.review), name(AuthMethods.encounters),
        name(AuthMethods.writeReview), name(AuthMethods.replyToReview),
    ]
    private static let moderation = [
        name(AuthMethods.report), name(AuthMethods.cases), name(AuthMethods.caseFile), name(AuthMethods.act),
        name(AuthMethods.audit), name(AuthMethods.changeRole), name(AuthMethods.roleHolders),
        name(AuthMethods.operatorAccess), name(AuthMethods.noteOperatorAct),
        name(ListingsEvents.stream.methods.subject), name(AuthMethods.suspension), name(AuthMethods.setLanguage),
        name(AuthMethods.reportedMessages), name(AuthMethods.notices), name(AuthMethods.readNotice),
        name(AuthMethods.suspendedPeople),
    ]
    private static let notification = [
        name(NotificationMethods.sendMail), name(NotificationMethods.sendText), name(NotificationMethods.mails),
        name(NotificationMethods.mail), name(NotificationMethods.retryMail), name(NotificationMethods.deadMails),
        name(NotificationMethods.retryDeadMails),
    ]
    private static let devices = [
        name(NotificationMethods.pushSettings), name(NotificationMethods.devices),
        name(NotificationMethods.registerDevice), name(NotificationMethods.removeDevice),
        name(NotificationMethods.deadPushes), name(NotificationMethods.retryDeadPush),
        name(NotificationMethods.forgetDeadPush),
    ]
    private static let inbox = [
        name(NotificationMethods.inbox), name(NotificationMethods.inboxCount), name(NotificationMethods.markRead),
        name(NotificationMethods.markSeen), name(NotificationMethods.noteSeen), name(NotificationMethods.settings),
        name(NotificationMethods.changeSettings), name(NotificationMethods.unsubscription),
        name(NotificationMethods.unsubscribe), name(AuthMethods.contacts), name(AuthMethods.phones),
        name(AuthMethods.calendarFeed), name(AuthMethods.renewCalendarFeed), name(AuthMethods.endCalendarFeed),
        name(AuthMethods.calendarOwner), name(ListingsEvents.stream.methods.calendarEntries),
        name(NotificationEvents.stream.methods.personalData), name(NotificationEvents.stream.methods.eventsSince),
    ]
    private static let listings = [
        name(ListingsMethods.spots), name(ListingsMethods.spot), name(ListingsMethods.postSpot),
        name(ListingsMethods.changeSpot), name(ListingsMethods.removeSpot), name(ListingsMethods.claimSpot),
        name(ListingsMethods.releaseSpot), name(ListingsMethods.observeSpot),
        name(ListingsEvents.stream.methods.photosInUse), name(ListingsEvents.stream.methods.personalData),
        name(common.eventsSince), name(common.deadLetters), name(common.replayDeadLetters),
        name(common.discardDeadLetters), name(common.ping),
    ]
    private static let rentals = [
        name(ListingsMethods.things), name(ListingsMethods.thing), name(ListingsMethods.postThing),
        name(ListingsMethods.changeThing), name(ListingsMethods.amendThing), name(ListingsMethods.publishThing),
        name(ListingsMethods.withdrawThing),
        name(ListingsMethods.carModels), name(ListingsMethods.calendar), name(ListingsMethods.blockDates),
        name(ListingsMethods.unblockDates), name(ListingsMethods.quoteRental), name(ListingsMethods.askRental),
        name(ListingsMethods.actOnRental), name(ListingsMethods.rentalContact), name(ListingsMethods.rental),
        name(ListingsMethods.rentals), name(ListingsEvents.stream.methods.commitments),
        name(ListingsEvents.stream.methods.waiting), name(ListingsEvents.stream.methods.shelf),
        name(AuthEvents.stream.methods.waiting),
    ]
    private static let places = [
        name(PlacesMethods.search), name(PlacesMethods.place), name(PlacesMethods.reverse), name(PlacesMethods.nearby),
        name(PlacesMethods.distances), name(PlacesMethods.region),
    ]
    private static let chat = [
        name(ChatMethods.rooms), name(ChatMethods.room), name(ChatMethods.unread), name(ChatMethods.messages),
        name(ChatMethods.openRoom), name(ChatMethods.send), name(ChatMethods.markRead),
        name(ChatMethods.markDelivered), name(ChatMethods.archiveRoom), name(ChatMethods.typing),
        name(ChatMethods.message), name(ChatEvents.stream.methods.subject), name(ChatMethods.reported),
        name(ListingsEvents.stream.methods.roomSubject), name(ChatEvents.stream.methods.photosInUse),
        name(ChatMethods.photosToErase), name(ChatMethods.photosErased),
        name(ChatEvents.stream.methods.personalData), name(ChatEvents.stream.methods.eventsSince),
    ]
    private static let all =
        auth + recovery + identities + passkeys + moderation + reviews + listings + rentals + notification
        + inbox + devices + places + chat
    private static let events: [any Event.Type] = [
        PersonChanged.self, SessionsRevoked.self, SigningKeysChanged.self, SpotAdded.self, SpotChanged.self,
        SpotClaimed.self, SpotRemoved.self, FriendAsked.self, FriendshipBegan.self, FriendshipEnded.self,
        FriendQuestionEnded.self,
        EncounterCompleted.self, ReviewWritten.self, ReviewPublished.self,
        PeopleBlocked.self, PeopleUnblocked.self, PersonErased.self, PersonalDataErased.self,
        SubjectHidden.self, SubjectRestored.self,
        PersonSuspended.self, PersonReinstated.self, PosterSuspended.self, RolesChanged.self,
        MessageSent.self, MessagesRead.self, Typing.self, RoomChanged.self, MessageHidden.self, RoomSubjectChanged.self,
        ClaimChanged.self, ReviewReplied.self, NoticeGiven.self, NoticeRead.self, Noticed.self, NoticesRead.self,
        ThingPosted.self, ThingChanged.self, ThingWithdrawn.self, RentalRequested.self, RentalAnswered.self,
        RentalChanged.self, RentalReminder.self,
        NoticeRaised.self, NoticeSettled.self, NoticeRecounted.self,
    ]
    private static let codes: [ErrorCode] = [
        .malformed, .unauthenticated, .wrongCredentials, .forbidden, .notFound, .methodNotAllowed, .wrongState,
        .alreadyClaimed, .tooManyClaims, .tooManySpots, .overlaps, .termsChanged, .inHand, .tooManyThings,
        .tooManyRentals, .tooManyFriends,
        .tooManyBlocks, .alreadyReported,
        .alreadyDecided,
        .suspended, .notAvailable,
        .usernameTaken,
        .idempotencyMismatch,
        .tooLarge,
        .unsupportedMediaType, .invalid,
        .tooManyRequests, .unavailable, .outcomeUnknown, .internalError, .eventsGone,
        .identityAway, .identityDenied, .identityStale, .identityRefused, .identityTaken, .lastWayIn, .proofNeeded,
        .passkeyStale, .passkeyRefused, .passkeyTaken, .tooManyPasskeys,
    ]

    @Test func namesAreAsCommitted() throws {
        let golden = try JSONDecoder().decode(Names.self, from: Data(try Fixtures.bytes("names")))
        let now = Names(
            methods: Dictionary(uniqueKeysWithValues: Self.all),
            events: Self.events.map { $0.type }.sorted(), codes: Self.codes.map(\.rawValue).sorted(),
            peers: PeerRole.allCases.map(\.rawValue).sorted())
        #expect(now.events == golden.events)
        #expect(now.codes == golden.codes)
        #expect(now.peers == golden.peers)
        #expect(Set(now.methods.keys) == Set(golden.methods.keys))
        for (name, method) in now.methods { #expect(method == golden.methods[name], "\(name)") }
    }

    /// Whatever a method takes or gives has its golden document.
    @Test func everyBodyOfAMethodHasItsDocument() {
        let types = Set(Self.all.flatMap { [$0.1.parameters, $0.1.body, $0.1.reply] })
        #expect(types.subtracting(Contract.all.map(\.type)).isEmpty)
    }

    @Test func theServiceIsThePartBeforeTheDot() {
        #expect(AuthMethods.signUp.service == "auth")
        #expect(CommonMethods(service: "listings").ping.service == "listings")
    }
}
