import HTTPTypes
import WireProtocol

extension APIRoute {
    /// The whole of `/v1`.
    package static let all: [APIRoute] =
        accounts + recovery + identities + passkeys + people + erasures + exports + blocks + moderation + reviews
        + campuses + ofVerticals + wanted + seeking + places + chat + notifications + waysIn + own

    private static let accounts: [APIRoute] = [
        .service(
            .post, "/v1/accounts", "signUp", AuthMethods.signUp, session: .none, limits: .signIn, success: .created
        ) { _, call in WebSessions.device(of: call.request, in: call.context) },
        .service(.post, "/v1/sessions", "signIn", AuthMethods.signIn, session: .none, limits: .signIn) { _, call in
            WebSessions.device(of: call.request, in: call.context)
        },
        .service(
            .post, "/v1/sessions/refresh", "refreshSession", AuthMethods.refresh, session: .none, limits: .signIn),
        .service(.get, "/v1/sessions", "listSessions", AuthMethods.sessions),
        .service(.delete, "/v1/sessions", "endAllSessions", AuthMethods.endAllSessions),
        .service(.delete, "/v1/sessions/current", "signOut", AuthMethods.signOut),
        .service(.delete, "/v1/sessions/{id}", "endSession", AuthMethods.endSession) { read, _ in
            SessionReference(id: read.id())
        },
    ]

    private static let recovery: [APIRoute] = [
        .service(
            .post, "/v1/password-resets", "requestPasswordReset", AuthMethods.requestPasswordReset, session: .none,
            limits: .signIn, success: .accepted
        ) { _, call in LanguageParameters(language: call.context.languages.first) },
        .service(
            .post, "/v1/password-resets/confirm", "resetPassword", AuthMethods.resetPassword, session: .none,
            limits: .signIn),
    ]

    private static let identities: [APIRoute] = [
        .service(
            .get, "/v1/identity-providers", "listIdentityProviders", AuthMethods.identityProviders, session: .none),
        .gateway(
            .get, "/v1/identity-providers/{id}/authorize", "authorizeIdentity", .authorize, session: .optional,
            limits: .signIn, success: .seeOther),
        .gateway(
            .get, "/v1/identity-providers/{id}/callback", "comeBackWithIdentity", .comeBack, session: .optional,
            limits: .signIn, success: .seeOther),
        .service(
            .post, "/v1/identity-providers/accounts", "signUpWithIdentity", AuthMethods.signUpWithIdentity,
            session: .none, limits: .signIn, success: .created
        ) { _, call in WebSessions.device(of: call.request, in: call.context) },
        .service(.get, "/v1/me/identities", "listIdentities", AuthMethods.identities),
        .service(.post, "/v1/me/identities", "linkIdentity", AuthMethods.linkIdentity),
        .service(.delete, "/v1/me/identities/{id}", "unlinkIdentity", AuthMethods.unlinkIdentity) { read, _ in
            IdentityProviderReference(id: read.segment("id"))
        },
    ]

    private static let passkeys: [APIRoute] = [
        .service(.get, "/v1/me/passkeys", "listPasskeys", AuthMethods.passkeys),
        .service(
            .post, "/v1/me/passkeys/options", "beginPasskey", AuthMethods.passkeyOptions, limits: .signIn),
        .service(.post, "/v1/me/passkeys", "addPasskey", AuthMethods.addPasskey, limits: .signIn, success: .created),
        .service(.put, "/v1/me/passkeys/{id}", "renamePasskey", AuthMethods.renamePasskey) { read, _ in
            PasskeyReference(id: read.id())
        },
        .service(.delete, "/v1/me/passkeys/{id}", "removePasskey", AuthMethods.removePasskey) { read, _ in
            PasskeyReference(id: read.id())
        },
        .service(
            .post, "/v1/sessions/passkey/options", "beginPasskeySignIn", AuthMethods.passkeySignInOptions,
            session: .none, limits: .signIn),
        .service(
            .post, "/v1/sessions/passkey", "signInWithPasskey", AuthMethods.signInWithPasskey, session: .none,
            limits: .signIn
        ) { _, call in WebSessions.device(of: call.request, in: call.context) },
    ]

    private static let people: [APIRoute] = [
        .service(
            .get, "/v1/usernames/{username}", "getUsername", AuthMethods.username, session: .optional, limits: .username
        ) { read, _ in UsernameQuestion(username: read.segment("username")) },
        .service(.get, "/v1/me", "getMe", AuthMethods.me),
        .service(.patch, "/v1/me", "changeMe", AuthMethods.changeProfile),
        .service(.get, "/v1/people/{id}", "getPerson", AuthMethods.person, session: .optional) { read, _ in
            PersonReference(id: read.id())
        },
        .service(.get, "/v1/people/{id}/mutual-friends", "listMutualFriends", AuthMethods.mutualFriends) { read, _ in
            MutualFriendsQuery(
                id: read.id(), limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.get, "/v1/friends", "listFriends", AuthMethods.friends) { read, _ in
            FriendQuery(
                state: read.choice("state", of: [FriendState.friends, .waiting, .asked]),
                limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.get, "/v1/friends/{id}", "getFriend", AuthMethods.friend) { read, _ in
            PersonReference(id: read.id())
        },
        .service(.put, "/v1/friends/{id}", "befriend", AuthMethods.befriend) { read, _ in
            PersonReference(id: read.id())
        },
        .service(.delete, "/v1/friends/{id}", "unfriend", AuthMethods.unfriend) { read, _ in
            FriendEnding(
                id: read.id(), state: read.choice("state", of: [FriendState.friends, .waiting, .asked]))
        },
    ]

    private static let erasures: [APIRoute] = [
        .service(
            .delete, "/v1/me", "eraseMe", AuthMethods.eraseMe, limits: .signIn, success: .accepted
        ) { _, call in LanguageParameters(language: call.context.languages.first) },
        // For whoever has its id: nobody can sign in for it.
        .service(.get, "/v1/erasures/{id}", "getErasure", AuthMethods.erasure, session: .none) { read, _ in
            ErasureReference(id: read.id())
        },
    ]

    private static let exports: [APIRoute] = [
        .service(.post, "/v1/me/export", "requestExport", AuthMethods.requestExport, success: .accepted),
        .service(.get, "/v1/me/export", "getExport", AuthMethods.export),
        .gateway(
            .get, "/v1/me/export/archive", "downloadExport", .archive, session: .required, limits: .photo,
            isForSuspended: true),
    ]

    private static let reviews: [APIRoute] = [
        .service(.get, "/v1/people/{id}/reviews", "listReviews", AuthMethods.reviews, session: .optional) { read, _ in
            ReviewQuery(id: read.id(), limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(
            .post, "/v1/people/{id}/reviews", "writeReview", AuthMethods.writeReview, success: .created
        ) { read, _ in PersonReference(id: read.id()) },
        .service(.get, "/v1/reviews/{id}", "getReview", AuthMethods.review, session: .optional) { read, _ in
            ReviewReference(id: read.id())
        },
        .service(.put, "/v1/reviews/{id}/reply", "replyToReview", AuthMethods.replyToReview) { read, _ in
            ReviewReference(id: read.id())
        },
        .service(.get, "/v1/encounters", "listEncounters", AuthMethods.encounters) { read, _ in
            EncounterQuery(
                with: read.reference("with"), limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
    ]

    private static let blocks: [APIRoute] = [
        .service(.get, "/v1/blocks", "listBlocks", AuthMethods.blocks) { read, _ in
            BlockQuery(limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.put, "/v1/blocks/{id}", "block", AuthMethods.block) { read, _ in PersonReference(id: read.id()) },
        .service(.delete, "/v1/blocks/{id}", "unblock", AuthMethods.unblock) { read, _ in
            PersonReference(id: read.id())
        },
    ]

    private static let moderation: [APIRoute] = [
        .service(.post, "/v1/reports", "report", AuthMethods.report, success: .created),
        .service(.get, "/v1/me/suspension", "getSuspension", AuthMethods.suspension),
        .service(.get, "/v1/me/notices", "listNotices", AuthMethods.notices),
        .service(.put, "/v1/me/notices/{id}/read", "readNotice", AuthMethods.readNotice) { read, _ in
            NoticeReference(id: read.id())
        },
        .service(.get, "/v1/moderation/cases", "listCases", AuthMethods.cases) { read, _ in
            CaseQuery(
                state: read.choice("state", of: CaseState.allCases), limit: read.integer("limit", in: 1...100),
                cursor: read.text("cursor"))
        },
        .service(.get, "/v1/moderation/cases/{id}", "getCase", AuthMethods.caseFile) { read, _ in
            CaseReference(id: read.id())
        },
        .service(
            .get, "/v1/moderation/cases/{id}/messages", "listReportedMessages", AuthMethods.reportedMessages
        ) { read, _ in CaseReference(id: read.id()) },
        .service(.post, "/v1/moderation/cases/{id}/acts", "actOnCase", AuthMethods.act) { read, _ in
            CaseReference(id: read.id())
        },
        .service(.get, "/v1/moderation/audit", "listAudit", AuthMethods.audit) { read, _ in
            AuditQuery(
                person: read.reference("person"), limit: read.integer("limit", in: 1...100),
                cursor: read.text("cursor"))
        },
    ]

    private static let campuses: [APIRoute] = [
        .service(
            .post, "/v1/me/email-verifications", "requestEmailVerification", AuthMethods.requestEmailVerification,
            limits: .signIn, success: .accepted
        ) { _, call in LanguageParameters(language: call.context.languages.first) },
        .service(
            .post, "/v1/me/email-verifications/confirm", "verifyEmail", AuthMethods.verifyEmail, limits: .signIn),
        .service(
            .post, "/v1/me/phone-verifications", "requestPhoneVerification", AuthMethods.requestPhoneVerification,
            limits: .signIn, success: .accepted
        ) { _, call in LanguageParameters(language: call.context.languages.first) },
        .service(
            .post, "/v1/me/phone-verifications/confirm", "verifyPhone", AuthMethods.verifyPhone, limits: .signIn),
    ]

    static let spots: [APIRoute] = [
        .service(.get, "/v1/spots", "listSpots", ListingsMethods.spots, session: .optional, read: spotQuery),
        .service(.post, "/v1/spots", "postSpot", ListingsMethods.postSpot, success: .created),
        .service(.get, "/v1/spots/{id}", "getSpot", ListingsMethods.spot, session: .optional, read: spotReference),
        .service(.put, "/v1/spots/{id}", "changeSpot", ListingsMethods.changeSpot, read: spotReference),
        .service(.delete, "/v1/spots/{id}", "removeSpot", ListingsMethods.removeSpot, read: spotReference),
        .service(.post, "/v1/spots/{id}/claim", "claimSpot", ListingsMethods.claimSpot) { read, _ in
            SpotClaiming(id: read.id(), expectedPrice: read.integer("expectedPrice", in: 0...1_000_000))
        },
        .service(.delete, "/v1/spots/{id}/claim", "releaseSpot", ListingsMethods.releaseSpot, read: spotReference),
        .service(
            .post, "/v1/spots/{id}/observations", "observeSpot", ListingsMethods.observeSpot, read: spotReference),
    ]

    private static let chat: [APIRoute] = [
        .service(.get, "/v1/rooms", "listRooms", ChatMethods.rooms) { read, _ in
            RoomQuery(
                shelf: read.choice("shelf", of: RoomShelf.allCases), q: read.text("q"),
                limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.post, "/v1/rooms", "openRoom", ChatMethods.openRoom),
        .service(.get, "/v1/rooms/unread", "countUnreadRooms", ChatMethods.unread),
        .service(.get, "/v1/rooms/{id}", "getRoom", ChatMethods.room, read: roomReference),
        .service(.get, "/v1/rooms/{id}/messages", "listMessages", ChatMethods.messages) { read, _ in
            MessageQuery(
                id: read.id(), before: read.integer("before", in: 1...messageNumbers),
                after: read.integer("after", in: 0...messageNumbers), limit: read.integer("limit", in: 1...100))
        },
        .service(
            .post, "/v1/rooms/{id}/messages", "sendMessage", ChatMethods.send, success: .created, read: roomReference),
        .service(.put, "/v1/rooms/{id}/read", "markRead", ChatMethods.markRead, read: roomReference),
        .service(.put, "/v1/rooms/{id}/delivered", "markDelivered", ChatMethods.markDelivered, read: roomReference),
        .service(.put, "/v1/rooms/{id}/archived", "archiveRoom", ChatMethods.archiveRoom, read: roomReference),
        .service(.post, "/v1/rooms/{id}/typing", "showTyping", ChatMethods.typing, read: roomReference),
    ]

    /// No message has a greater number than JSON carries exactly.
    private static let messageNumbers = 9_007_199_254_740_991

    @Sendable private static func roomReference(_ read: inout ParameterReader, _: APICall) -> RoomReference {
        RoomReference(id: read.id())
    }

    private static let own: [APIRoute] = [
        .gateway(
            .post, "/v1/photos", "uploadPhoto", .photo, session: .required, limits: .photo, body: .photo,
            success: .created),
        .gateway(.get, StreamEndpoint.path, "streamEvents", .stream, session: .optional, limits: .read),
        .gateway(.get, "/v1/about", "getAbout", .about, session: .none, limits: .read),
        .gateway(.get, "/v1/openapi.json", "getDocument", .document, session: .none, limits: .read),
    ]

    @Sendable private static func spotReference(_ read: inout ParameterReader, _: APICall) -> SpotReference {
        SpotReference(id: read.id())
    }

    @Sendable private static func spotQuery(_ read: inout ParameterReader, _: APICall) -> SpotQuery {
        read.exactlyOne(of: ["bbox", "near", "of", "by"])
        return SpotQuery(
            bbox: read.box("bbox"), near: read.position("near"), radius: read.integer("radius", in: 1...50_000),
            of: read.choice("of", of: [SpotOwnership.posted, .claimed]), by: read.reference("by"),
            limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
    }
}
