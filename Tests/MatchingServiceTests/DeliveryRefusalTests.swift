import Testing
import WireProtocol

@testable import MatchingService

@Suite("How refusals of deliveries are said")
struct DeliveryRefusalTests {
    @Test(arguments: [
        (DeliveryError.orderNotFound, ErrorCode.notFound), (.matchNotFound, .notFound),
        (.delivererNotFound, .notFound), (.invalid([]), .invalid), (.wrongState([]), .wrongState),
        (.orderOver([]), .wrongState), (.notOffering([]), .wrongState),
        (.restaurantStays, .wrongState), (.offerGone(.expired), .offerGone), (.termsChanged([]), .termsChanged),
        (.tooManyOrders(limit: 3), .tooManyOrders), (.handsFull, .handsFull), (.notThere, .notThere),
        (.yourOwn, .forbidden),
    ])
    func each_has_its_code(_ error: DeliveryError, _ code: ErrorCode) {
        #expect(error.serviceError.code == code && !error.serviceError.detail.isEmpty)
    }

    @Test func what_is_possible_instead_is_named() {
        #expect(DeliveryError.wrongState([.pickUp, .giveUp]).serviceError.errors.map(\.code) == ["pickUp", "giveUp"])
        #expect(DeliveryError.orderOver([.ask]).serviceError.errors.map(\.field) == ["act"])
        #expect(DeliveryError.notOffering([.resume]).serviceError.errors.map(\.code) == ["resume"])
        #expect(
            OfferEnd.allCases.map { DeliveryError.offerGone($0).serviceError.errors.map(\.code) }
                == [["taken_back"], ["expired"], ["declined"], ["ended"]])
    }
}
