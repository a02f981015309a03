import Hummingbird
import WireProtocol

/// The pages on which somebody asks for seats in a ride.
enum AskPages {
    static func register(on routes: PageRoutes) {
        AskPage.register(on: routes)
        AskedDaysPage.register(on: routes)
    }
}
