import WireProtocol

/// A method, without its types.
struct ListedMethod: Sendable {
    let name: String
    /// All that is promised of it: its kind, who may ask, what goes there and back.
    let promise: String
    /// What its types are on the wire.
    let contracts: [Contract]

    init<P, B, R>(_ method: Method<P, B, R>) {
        name = method.name
        let peers = method.peers.map(\.rawValue).sorted().joined(separator: ", ")
        // That somebody who is suspended may ask it is part of the contract too.
        let suspended = method.isForSuspended ? ", suspended too" : ""
        promise = "\(method.kind.rawValue) of \(peers)\(suspended): \(P.self), \(B.self) -> \(R.self)"
        contracts = [Contract(P.self), Contract(B.self), Contract(R.self)]
    }
}

/// What services can be asked and publish, and how they refuse. The golden names and documents are made of it.
enum WireNames {
    static let methods: [ListedMethod] =
        auth + recovery + identities + passkeys + moderation + reviews + listings + rentals + rides + matching
        + wanted + searched + notification + inbox + devices + places + chat

    static let events: [any Event.Type] = [
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
        RentalChanged.self, RentalReminder.self, RidePosted.self, RideChanged.self, RideRemoved.self,
        SeatRequested.self, SeatAnswered.self, SeatChanged.self, SeatReminder.self,
        NewMatch.self, MatchUpdate.self, MatchMoved.self, MatchReminder.self, OrderLapsed.self,
        RestaurantsChanged.self, AvailabilityChanged.self,
        SearchableChanged.self, WantedFound.self, WantedReminder.self,
        NoticeRaised.self, NoticeSettled.self, NoticeRecounted.self,
    ]
    static let codes: [ErrorCode] = [
        .malformed, .unauthenticated, .wrongCredentials, .forbidden, .notFound, .methodNotAllowed, .wrongState,
        .alreadyClaimed, .tooManyClaims, .tooManySpots, .overlaps, .termsChanged, .inHand, .tooManyThings,
        .tooManyRentals, .soldOut, .duplicate, .inUse, .seatsTaken, .tooManyRides, .tooManyRequestsOpen,
        .handsFull, .notThere, .tooManyOrders, .offerGone, .tooManyWanted,
        .tooManyInvitations,
        .tooManyFriends,
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

    private static func one<P, B, R>(_ method: Method<P, B, R>) -> ListedMethod { ListedMethod(method) }

    private static let common = ListingsEvents.stream.methods
    private static let auth = [
        one(AuthMethods.signUp), one(AuthMethods.signIn), one(AuthMethods.refresh), one(AuthMethods.signOut),
        one(AuthMethods.sessions), one(AuthMethods.endSession), one(AuthMethods.endAllSessions),
        one(AuthMethods.me), one(AuthMethods.changeProfile), one(AuthMethods.person),
        one(AuthMethods.friends), one(AuthMethods.friend), one(AuthMethods.befriend), one(AuthMethods.unfriend),
        one(AuthMethods.mutualFriends), one(AuthMethods.areFriends), one(AuthMethods.blocks), one(AuthMethods.block),
        one(AuthMethods.unblock),
        one(AuthMethods.apart), one(AuthMethods.personSummary), one(AuthMethods.blockedPairs),
        one(AuthMethods.requestExport), one(AuthMethods.export), one(AuthMethods.exportPage),
        one(AuthMethods.eraseMe), one(AuthMethods.erasure), one(AuthMethods.photosToErase),
        one(AuthMethods.photosErased), one(AuthEvents.stream.methods.photosInUse), one(AuthMethods.username),
        one(AuthMethods.people),
        one(AuthMethods.signingKeys),
        one(AuthMethods.revokedSessions), one(AuthEvents.stream.methods.eventsSince),
    ]
    private static let recovery = [
        one(AuthMethods.requestPasswordReset), one(AuthMethods.passwordReset), one(AuthMethods.resetPassword),
        one(AuthMethods.requestEmailVerification), one(AuthMethods.verifyEmail),
        one(AuthMethods.requestPhoneVerification), one(AuthMethods.verifyPhone),
        one(AuthMethods.prove), one(AuthMethods.changePassword), one(AuthMethods.changeEmail),
        one(AuthMethods.confirmEmail),
    ]
    private static let identities = [
        one(AuthMethods.identityProviders), one(AuthMethods.startIdentity), one(AuthMethods.finishIdentity),
        one(AuthMethods.identityProposal), one(AuthMethods.identityPicture), one(AuthMethods.signUpWithIdentity),
        one(AuthMethods.identities), one(AuthMethods.linkIdentity), one(AuthMethods.unlinkIdentity),
    ]
    private static let passkeys = [
        one(AuthMethods.passkeys), one(AuthMethods.passkeyOptions), one(AuthMethods.addPasskey),
        one(AuthMethods.renamePasskey), one(AuthMethods.removePasskey), one(AuthMethods.passkeySignInOptions),
        one(AuthMethods.signInWithPasskey),
    ]
    private static let reviews = [
        one(AuthMethods.reviews), one(AuthMethods.review), one(AuthMethods.encounters),
        one(AuthMethods.writeReview), one(AuthMethods.replyToReview),
    ]
    private static let moderation = [
        one(AuthMethods.report), one(AuthMethods.cases), one(AuthMethods.caseFile), one(AuthMethods.act),
        one(AuthMethods.audit), one(AuthMethods.changeRole), one(AuthMethods.roleHolders),
        one(AuthMethods.operatorAccess), one(AuthMethods.noteOperatorAct),
        one(common.subject), one(AuthMethods.suspension), one(AuthMethods.setLanguage),
        one(AuthMethods.reportedMessages), one(AuthMethods.notices), one(AuthMethods.readNotice),
        one(AuthMethods.suspendedPeople),
    ]
    private static let notification = [
        one(NotificationMethods.sendMail), one(NotificationMethods.sendText), one(NotificationMethods.mails),
        one(NotificationMethods.mail), one(NotificationMethods.retryMail), one(NotificationMethods.deadMails),
        one(NotificationMethods.retryDeadMails),
    ]
    private static let devices = [
        one(NotificationMethods.pushSettings), one(NotificationMethods.devices),
        one(NotificationMethods.registerDevice), one(NotificationMethods.removeDevice),
        one(NotificationMethods.deadPushes), one(NotificationMethods.retryDeadPush),
        one(NotificationMethods.forgetDeadPush),
    ]
    private static let inbox = [
        one(NotificationMethods.inbox), one(NotificationMethods.inboxCount), one(NotificationMethods.markRead),
        one(NotificationMethods.markSeen), one(NotificationMethods.noteSeen), one(NotificationMethods.unseen),
        one(NotificationMethods.settings),
        one(NotificationMethods.changeSettings), one(NotificationMethods.unsubscription),
        one(NotificationMethods.unsubscribe), one(AuthMethods.contacts), one(AuthMethods.phones),
        one(AuthMethods.calendarFeed), one(AuthMethods.renewCalendarFeed), one(AuthMethods.endCalendarFeed),
        one(AuthMethods.calendarOwner), one(common.calendarEntries),
        one(NotificationEvents.stream.methods.personalData), one(NotificationEvents.stream.methods.eventsSince),
    ]
    private static let listings = [
        one(ListingsMethods.spots), one(ListingsMethods.spot), one(ListingsMethods.postSpot),
        one(ListingsMethods.changeSpot), one(ListingsMethods.removeSpot), one(ListingsMethods.claimSpot),
        one(ListingsMethods.releaseSpot), one(ListingsMethods.observeSpot),
        one(ListingsEvents.stream.methods.photosInUse), one(ListingsEvents.stream.methods.personalData),
        one(common.eventsSince), one(common.deadLetters), one(common.replayDeadLetters),
        one(common.discardDeadLetters), one(common.ping),
    ]
    private static let rentals = [
        one(ListingsMethods.things), one(ListingsMethods.thing), one(ListingsMethods.postThing),
        one(ListingsMethods.changeThing), one(ListingsMethods.amendThing), one(ListingsMethods.publishThing),
        one(ListingsMethods.withdrawThing),
        one(ListingsMethods.carModels), one(ListingsMethods.calendar), one(ListingsMethods.blockDates),
        one(ListingsMethods.unblockDates), one(ListingsMethods.quoteRental), one(ListingsMethods.askRental),
        one(ListingsMethods.actOnRental), one(ListingsMethods.rentalContact), one(ListingsMethods.rental),
        one(ListingsMethods.rentals), one(common.commitments), one(common.waiting), one(common.shelf),
        one(AuthEvents.stream.methods.waiting),
    ]
    private static let rides = [
        one(RidesMethods.regions), one(RidesMethods.rides), one(RidesMethods.search), one(RidesMethods.quoteRide),
        one(RidesMethods.ride), one(RidesMethods.myRides), one(RidesMethods.postRide), one(RidesMethods.changeRide),
        one(RidesMethods.removeRide), one(RidesMethods.departRide), one(RidesMethods.arriveRide),
        one(RidesMethods.saveRide), one(RidesMethods.unsaveRide), one(RidesMethods.quoteSeries),
        one(RidesMethods.mySeries), one(RidesMethods.series), one(RidesMethods.postSeries),
        one(RidesMethods.changeSeries), one(RidesMethods.endSeries), one(RidesMethods.quoteSeat),
        one(RidesMethods.requestSeat), one(RidesMethods.requests), one(RidesMethods.request),
        one(RidesMethods.actOnRequest), one(RidesMethods.contact),
        one(RidesEvents.stream.methods.subject), one(RidesEvents.stream.methods.roomSubject),
        one(RidesEvents.stream.methods.calendarEntries), one(RidesEvents.stream.methods.commitments),
        one(RidesEvents.stream.methods.waiting), one(RidesEvents.stream.methods.shelf),
        one(RidesEvents.stream.methods.personalData), one(RidesEvents.stream.methods.eventsSince),
    ]
    private static let matching = [
        one(MatchingMethods.availability), one(MatchingMethods.offerDelivery), one(MatchingMethods.resumeDelivery),
        one(MatchingMethods.endDelivery), one(MatchingMethods.restaurants), one(MatchingMethods.deliverers),
        one(MatchingMethods.deliverer),
        one(MatchingMethods.placeOrder), one(MatchingMethods.changeOrder), one(MatchingMethods.cancelOrder),
        one(MatchingMethods.askNext), one(MatchingMethods.order), one(MatchingMethods.orders),
        one(MatchingMethods.match), one(MatchingMethods.matches), one(MatchingMethods.actOnMatch),
        one(MatchingMethods.movePosition), one(MatchingMethods.hidePosition), one(MatchingMethods.position),
        one(MatchingMethods.contact),
        one(MatchingEvents.stream.methods.subject), one(MatchingEvents.stream.methods.roomSubject),
        one(MatchingEvents.stream.methods.photosInUse), one(MatchingEvents.stream.methods.commitments),
        one(MatchingEvents.stream.methods.waiting), one(MatchingEvents.stream.methods.personalData),
        one(MatchingEvents.stream.methods.eventsSince),
    ]
    private static let wanted = [
        one(MatchingMethods.postWanted), one(MatchingMethods.changeWanted), one(MatchingMethods.renewWanted),
        one(MatchingMethods.removeWanted), one(MatchingMethods.wanted), one(MatchingMethods.allWanted),
        one(MatchingMethods.wantedFinds), one(MatchingMethods.wantedFinders), one(MatchingMethods.estimateWanted),
        one(MatchingMethods.seekers), one(MatchingMethods.rideSeekers), one(MatchingMethods.inviteSeeker),
        one(RidesMethods.seeking), one(RidesMethods.seekerFits),
    ]
    private static let searchedServices = Capability.searched.services.filter { $0 != .matching }
    /// What searches ask of each other service that has what they look for: matching keeps them, and asks itself nothing.
    private static let searched: [ListedMethod] = searchedServices.map(\.methods).flatMap { methods in
        [
            one(methods.readSearch), one(methods.searchables), one(methods.judgeSearches), one(methods.look),
            one(methods.foundItems),
        ]
    }
    private static let places = [
        one(PlacesMethods.search), one(PlacesMethods.place), one(PlacesMethods.reverse), one(PlacesMethods.nearby),
        one(PlacesMethods.route), one(PlacesMethods.distances), one(PlacesMethods.region),
    ]
    private static let chat = [
        one(ChatMethods.rooms), one(ChatMethods.room), one(ChatMethods.unread), one(ChatMethods.messages),
        one(ChatMethods.openRoom), one(ChatMethods.send), one(ChatMethods.markRead),
        one(ChatMethods.markDelivered), one(ChatMethods.archiveRoom), one(ChatMethods.typing),
        one(ChatMethods.message), one(ChatEvents.stream.methods.subject), one(ChatMethods.reported),
        one(common.roomSubject), one(ChatEvents.stream.methods.photosInUse),
        one(ChatMethods.photosToErase), one(ChatMethods.photosErased),
        one(ChatEvents.stream.methods.personalData), one(ChatEvents.stream.methods.eventsSince),
    ]
}
