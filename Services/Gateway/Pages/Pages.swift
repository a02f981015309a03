package import Hummingbird
package import WireProtocol

/// The web pages.
package enum Pages {
    /// Adds every page's routes. Called once, after the gateway's middleware is in place.
    package static func register(on router: Router<GatewayContext>, services: PageServices) {
        let routes = PageRoutes(site: Site.of(services), router: router)
        WelcomePage.register(on: routes)
        JoinPage.register(on: routes)
        JoinWithPage.register(on: routes)
        JoinWithAccountPage.register(on: routes)
        UsernameCheck.register(on: routes)
        SignInPage.register(on: routes)
        PasskeyDoorPage.register(on: routes)
        ResumePage.register(on: routes)
        ForgotPasswordPage.register(on: routes)
        NewPasswordPage.register(on: routes)
        HomePage.register(on: routes)
        for vertical in services.verticals { vertical.register(on: routes) }
        WantedPages.register(on: routes)
        PlaceNaming.register(on: routes)
        PlaceOptions.register(on: routes)
        WayView.register(on: routes)
        NearbyPage.register(on: routes)
        PlacePage.register(on: routes)
        MessagesPage.register(on: routes)
        RoomPage.register(on: routes)
        WritePage.register(on: routes)
        OfflinePage.register(on: routes)
        MePage.register(on: routes)
        NoticesPanel.register(on: routes)
        InboxPage.register(on: routes)
        NoticeSettingsPage.register(on: routes)
        UnsubscribePage.register(on: routes)
        CalendarPage.register(on: routes)
        CalendarFeedFile.register(on: routes)
        EditProfilePage.register(on: routes)
        CampusPage.register(on: routes)
        CodePage.register(on: routes)
        EmailPage.register(on: routes)
        PasswordPage.register(on: routes)
        ProofPage.register(on: routes)
        PhonePage.register(on: routes)
        IdentitiesPage.register(on: routes)
        LinkIdentityPage.register(on: routes)
        PasskeysPage.register(on: routes)
        AddPasskeyPage.register(on: routes)
        PasskeyNamePage.register(on: routes)
        SessionsPage.register(on: routes)
        EndAllPage.register(on: routes)
        PersonPage.register(on: routes)
        FriendsPage.register(on: routes)
        UnfriendPage.register(on: routes)
        MutualFriendsPage.register(on: routes)
        ReviewsPage.register(on: routes)
        ReviewPage.register(on: routes)
        ReplyPage.register(on: routes)
        EncountersPage.register(on: routes)
        ReportPage.register(on: routes)
        CasesPage.register(on: routes)
        AuditPage.register(on: routes)
        CasePage.register(on: routes)
        ReportedMessagesPage.register(on: routes)
        ActPage.register(on: routes)
        MailsPage.register(on: routes)
        MailPage.register(on: routes)
        PushesPage.register(on: routes)
        BlockPage.register(on: routes)
        BlocksPage.register(on: routes)
        ExportPage.register(on: routes)
        ErasePage.register(on: routes)
        ErasurePage.register(on: routes)
        SuspendedPage.register(on: routes)
        Languages.register(on: routes)
    }

    /// A page that says what went wrong, for browsers that asked for HTML outside `/v1`; nil leaves it to problem+json.
    package static func problem(
        _ problem: Problem, for request: Request, in context: GatewayContext, services: PageServices
    ) async -> Response? {
        let visit = Visit(site: Site.of(services), request: request, context: context)
        return await visit.answer(ServiceError(problem.code, problem.detail, errors: problem.errors))
    }
}

/// Where pages say which addresses they answer.
struct PageRoutes {
    let site: Site
    let router: Router<GatewayContext>

    typealias Handler = @Sendable (Visit) async throws -> Response

    /// - Parameter forSuspended: whether it is there for people who are suspended too. All others lead them to `/suspended`.
    func get(_ path: RouterPath, forSuspended: Bool = false, _ handler: @escaping Handler) {
        on(path, .get, forSuspended, handler)
    }
    func post(_ path: RouterPath, forSuspended: Bool = false, _ handler: @escaping Handler) {
        on(path, .post, forSuspended, handler)
    }

    /// A refusal of a service becomes a page in the frame, here, where it is known what was visited.
    private func on(
        _ path: RouterPath, _ method: HTTPRequest.Method, _ forSuspended: Bool, _ handler: @escaping Handler
    ) {
        router.on(path, method: method) { [site] request, context in
            let visit = Visit(site: site, request: request, context: context)
            guard forSuspended || !context.caller.isSuspended else { return visit.leave(for: SuspendedPage.path) }
            do {
                _ = try visit.asked.get()
                var response = try await handler(visit)
                visit.forgetResumed(on: &response)
                return response
            } catch let error as ServiceError {
                if error.code == .unauthenticated, let door = await ResumePage.door(visit) { return door }
                return await visit.answer(error)
            }
        }
    }
}
