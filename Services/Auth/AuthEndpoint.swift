import Messaging
import WireProtocol

/// Request → use case → reply.
struct AuthEndpoint: Sendable {
    let accounts: AccountUseCases
    let friends: FriendUseCases
    let blocks: BlockUseCases
    let sessions: SessionUseCases
    let keys: KeyUseCases
    let resets: PasswordResetUseCases
    let campuses: CampusUseCases
    let phones: PhoneUseCases
    let reviews: ReviewUseCases
    let erasures: ErasureUseCases
    let exports: DataExportUseCases
    let identities: IdentityUseCases
    let passkeys: PasskeyUseCases
    let reports: ReportUseCases
    let moderation: ModerationUseCases
    let roles: RoleUseCases
    let suspensions: SuspensionUseCases
    let notices: NoticeUseCases
    let calendars: CalendarFeedUseCases
    let ways: WaysInUseCases
    let tokens: TokenIssuer

    func answer(on router: inout RequestRouter) {
        answerAccounts(on: &router)
        answerFriends(on: &router)
        answerBlocks(on: &router)
        answerSessions(on: &router)
        answerGateways(on: &router)
        answerResets(on: &router)
        answerCampuses(on: &router)
        answerReviews(on: &router)
        answerErasures(on: &router)
        answerExports(on: &router)
        answerIdentities(on: &router)
        answerPasskeys(on: &router)
        answerModeration(on: &router)
        answerRoles(on: &router)
        answerCalendars(on: &router)
        answerWaysIn(on: &router)
    }

    private func answerAccounts(on router: inout RequestRouter) {
        router.on(AuthMethods.signUp) { parameters, body, context in
            let issued = try await accounts.signUp(
                body, device: parameters, context)
            return NewAccount(person: issued.person, session: try await tokens.tokens(for: issued))
        }
        router.on(AuthMethods.signIn) { parameters, body, context in
            try await signedIn(
                try await accounts.signIn(body, device: parameters, context))
        }
        router.onTagged(AuthMethods.me) { _, _, context in
            let account = try await accounts.me(context)
            return Tagged(account.own, tag: "\(account.version)")
        }
        router.onTagged(AuthMethods.person) { parameters, _, context in
            let account = try await accounts.person(parameters.id, for: context.caller)
            return Tagged(account.visibleToAll, tag: "\(account.version)")
        }
        router.on(AuthMethods.personSummary) { parameters, _, _ in try await accounts.summary(of: parameters.id) }
        router.on(AuthMethods.contacts) { query, _, _ in try await accounts.contacts(query) }
        router.on(AuthMethods.phones) { query, _, _ in try await accounts.phones(query) }
        router.on(AuthMethods.people) { parameters, _, _ in try await accounts.people(parameters) }
        router.on(AuthMethods.username) { parameters, _, context in
            try await accounts.availability(of: parameters.username, context)
        }
        router.on(AuthMethods.changeProfile) { _, body, context in try await accounts.changeProfile(body, context) }
    }

    private func answerFriends(on router: inout RequestRouter) {
        router.on(AuthMethods.friends) { query, _, context in try await friends.friends(query, for: context.caller) }
        router.on(AuthMethods.friend) { person, _, context in
            try await friends.friend(person.id, for: context.caller)
        }
        router.on(AuthMethods.areFriends) { query, _, _ in try await friends.areFriends(query) }
        router.on(AuthMethods.mutualFriends) { query, _, context in
            try await friends.mutualFriends(query, for: context.caller)
        }
        router.on(AuthMethods.befriend) { person, _, context in try await friends.befriend(person.id, context) }
        router.on(AuthMethods.unfriend) { ending, _, context in
            try await friends.unfriend(ending, context)
            return Nothing()
        }
    }

    private func answerBlocks(on router: inout RequestRouter) {
        router.on(AuthMethods.blocks) { query, _, context in try await blocks.blocks(query, for: context.caller) }
        router.on(AuthMethods.block) { person, _, context in try await blocks.block(person.id, context) }
        router.on(AuthMethods.unblock) { person, _, context in
            try await blocks.unblock(person.id, context)
            return Nothing()
        }
        router.on(AuthMethods.apart) { query, _, context in try await blocks.apart(query, for: context.caller) }
        router.on(AuthMethods.blockedPairs) { query, _, _ in try await blocks.pairs(query) }
    }

    private func answerSessions(on router: inout RequestRouter) {
        router.on(AuthMethods.refresh) { _, body, context in
            try await signedIn(try await sessions.refresh(body, context))
        }
        router.on(AuthMethods.sessions) { _, _, context in try await sessions.sessions(context) }
        router.on(AuthMethods.signOut) { _, _, context in
            try await sessions.signOut(context)
            return Nothing()
        }
        router.on(AuthMethods.endSession) { parameters, _, context in
            try await sessions.end(parameters.id, context)
            return Nothing()
        }
        router.on(AuthMethods.endAllSessions) { _, _, context in
            try await sessions.endAll(context)
            return Nothing()
        }
    }

    /// What a gateway needs to check access tokens by itself.
    private func answerGateways(on router: inout RequestRouter) {
        router.on(AuthMethods.signingKeys) { _, _, _ in try await keys.published() }
        router.on(AuthMethods.revokedSessions) { _, _, _ in try await sessions.revoked() }
    }

    private func answerResets(on router: inout RequestRouter) {
        router.on(AuthMethods.requestPasswordReset) { parameters, body, context in
            try await resets.request(body, language: parameters.language, context)
            return Nothing()
        }
        router.on(AuthMethods.passwordReset) { _, body, _ in try await resets.account(of: body.token) }
        router.on(AuthMethods.resetPassword) { _, body, context in
            try await resets.reset(body, context)
            return Nothing()
        }
    }

    private func answerCampuses(on router: inout RequestRouter) {
        router.on(AuthMethods.requestEmailVerification) { parameters, body, context in
            try await campuses.request(body, language: parameters.language, context)
            return Nothing()
        }
        router.on(AuthMethods.verifyEmail) { _, body, context in try await campuses.verify(body, context) }
        router.on(AuthMethods.requestPhoneVerification) { parameters, body, context in
            try await phones.request(body, language: parameters.language, context)
            return Nothing()
        }
        router.on(AuthMethods.verifyPhone) { _, body, context in try await phones.verify(body, context) }
    }

    private func answerReviews(on router: inout RequestRouter) {
        router.on(AuthMethods.reviews) { query, _, context in try await reviews.reviews(query, for: context.caller) }
        router.on(AuthMethods.review) { review, _, context in try await reviews.review(review.id, for: context.caller) }
        router.on(AuthEvents.stream.methods.waiting) { _, _, context in
            try await reviews.waiting(for: context.caller)
        }
        router.on(AuthMethods.encounters) { query, _, context in
            try await reviews.encounters(query, for: context.caller)
        }
        router.on(AuthMethods.writeReview) { person, draft, context in
            try await reviews.write(draft, about: person.id, context)
        }
        router.on(AuthMethods.replyToReview) { review, draft, context in
            try await reviews.reply(draft, to: review.id, context)
        }
    }

    private func answerErasures(on router: inout RequestRouter) {
        router.on(AuthMethods.eraseMe) { parameters, body, context in
            try await erasures.erase(body, language: parameters.language, context)
        }
        router.on(AuthMethods.erasure) { erasure, _, _ in try await erasures.erasure(erasure.id) }
        router.on(AuthMethods.photosToErase) { _, _, _ in try await erasures.photosToErase() }
        router.on(AuthMethods.photosErased) { _, photos, context in
            try await erasures.photosErased(photos, context)
            return Nothing()
        }
        router.on(AuthEvents.stream.methods.photosInUse) { _, asked, _ in try await erasures.photosInUse(asked) }
    }

    private func answerExports(on router: inout RequestRouter) {
        router.on(AuthMethods.requestExport) { _, _, context in try await exports.request(context) }
        router.on(AuthMethods.export) { _, _, context in try await exports.export(for: context.caller) }
        router.on(AuthMethods.exportPage) { page, _, context in try await exports.page(page, for: context.caller) }
    }

    private func answerIdentities(on router: inout RequestRouter) {
        router.on(AuthMethods.identityProviders) { _, _, _ in identities.providers }
        router.on(AuthMethods.startIdentity) { _, body, context in try await identities.start(body, context) }
        router.on(AuthMethods.finishIdentity) { _, body, context in
            let finished = try await identities.finish(body, context)
            var outcome = IdentityOutcome(ticket: finished.ticket, link: finished.link, next: finished.next)
            if let issued = finished.issued { outcome.signedIn = try await signedIn(issued) }
            return outcome
        }
        router.on(AuthMethods.identityProposal) { _, body, context in
            try await identities.proposal(of: body.ticket, for: context.caller)
        }
        router.on(AuthMethods.identityPicture) { _, body, context in
            try await identities.picture(of: body.ticket, context)
        }
        router.on(AuthMethods.signUpWithIdentity) { parameters, body, context in
            let issued = try await identities.signUp(body, device: parameters, context)
            return NewAccount(person: issued.person, session: try await tokens.tokens(for: issued))
        }
        router.on(AuthMethods.identities) { _, _, context in try await identities.linked(by: context.caller) }
        router.on(AuthMethods.linkIdentity) { _, body, context in try await identities.link(body.ticket, context) }
        router.on(AuthMethods.unlinkIdentity) { provider, _, context in
            try await identities.unlink(provider.id, context)
            return Nothing()
        }
    }

    private func answerPasskeys(on router: inout RequestRouter) {
        router.on(AuthMethods.passkeys) { _, _, context in try await passkeys.passkeys(for: context.caller) }
        router.on(AuthMethods.passkeyOptions) { _, body, context in try await passkeys.options(body, context) }
        router.on(AuthMethods.addPasskey) { _, body, context in try await passkeys.add(body, context) }
        router.on(AuthMethods.renamePasskey) { passkey, body, context in
            try await passkeys.rename(passkey.id, body, context)
        }
        router.on(AuthMethods.removePasskey) { passkey, _, context in
            try await passkeys.remove(passkey.id, context)
            return Nothing()
        }
        router.on(AuthMethods.passkeySignInOptions) { _, _, _ in try passkeys.signInOptions() }
        router.on(AuthMethods.signInWithPasskey) { parameters, body, context in
            try await signedIn(try await passkeys.signIn(body, device: parameters, context))
        }
    }

    private func answerModeration(on router: inout RequestRouter) {
        router.on(AuthMethods.report) { _, draft, context in try await reports.report(draft, context) }
        router.on(AuthMethods.cases) { query, _, context in try await moderation.cases(query, for: context.caller) }
        router.on(AuthMethods.caseFile) { reference, _, context in
            try await moderation.file(reference.id, for: context.caller)
        }
        router.on(AuthMethods.reportedMessages) { reference, _, context in
            try await moderation.messages(reference.id, for: context.caller)
        }
        router.on(AuthMethods.act) { reference, draft, context in
            try await moderation.act(draft, on: reference.id, context)
        }
        router.on(AuthMethods.audit) { query, _, context in try await moderation.audit(query, for: context.caller) }
        router.on(AuthMethods.suspendedPeople) { query, _, _ in try await suspensions.suspended(query) }
        router.on(AuthMethods.suspension) { _, _, context in try await suspensions.own(context.caller) }
        router.on(AuthMethods.notices) { _, _, context in try await notices.unread(for: context.caller) }
        router.on(AuthMethods.setLanguage) { parameters, _, context in
            try await notices.set(language: parameters.language, context)
            return Nothing()
        }
        router.on(AuthMethods.readNotice) { notice, _, context in
            try await notices.read(notice.id, context)
            return Nothing()
        }
    }

    private func answerRoles(on router: inout RequestRouter) {
        router.on(AuthMethods.changeRole) { _, change, context in try await roles.change(change, context) }
        router.on(AuthMethods.roleHolders) { query, _, _ in try await roles.holders(of: query.role) }
        router.on(AuthMethods.operatorAccess) { _, _, context in
            try await roles.requireOperator(context.caller)
            return Nothing()
        }
        router.on(AuthMethods.noteOperatorAct) { _, act, context in
            try await roles.note(act, context)
            return Nothing()
        }
    }

    private func answerCalendars(on router: inout RequestRouter) {
        router.on(AuthMethods.calendarFeed) { _, _, context in try await calendars.feed(for: context.caller) }
        router.on(AuthMethods.renewCalendarFeed) { _, _, context in try await calendars.renew(context) }
        router.on(AuthMethods.endCalendarFeed) { _, _, context in
            try await calendars.end(context)
            return Nothing()
        }
        router.on(AuthMethods.calendarOwner) { token, _, _ in try await calendars.owner(of: token.token) }
    }

    private func answerWaysIn(on router: inout RequestRouter) {
        router.on(AuthMethods.prove) { _, body, context in
            try await ways.prove(body, context)
            return Nothing()
        }
        router.on(AuthMethods.changePassword) { _, body, context in
            try await ways.changePassword(body, context)
            return Nothing()
        }
        router.on(AuthMethods.changeEmail) { parameters, body, context in
            try await ways.changeEmail(body, language: parameters.language, context)
            return Nothing()
        }
        router.on(AuthMethods.confirmEmail) { _, body, context in try await ways.confirmEmail(body, context) }
    }

    private func signedIn(_ issued: IssuedSession) async throws -> SignedIn {
        SignedIn(tokens: try await tokens.tokens(for: issued), person: issued.person)
    }
}
