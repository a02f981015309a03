import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Somebody who can bring something, looked for from now on: from the list of restaurants to what is kept, and its fields.
@Suite struct PageWantedDeliverersTests {
    private static let zone = "Asia/Singapore"
    private static let to = "60.1731,24.952 Exactum"
    private static let house = "60.1712,24.9501 Fabianinkatu 33, Testholm"

    private static func midnight() throws -> Date {
        try #require(Zone.named(zone)).start(of: WallTime(at: Date(), in: zone).day + 1)
    }

    private static func address(_ pairs: [(String, String)]) -> String {
        "/wanted/new?" + pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
    }

    private static func href(_ pairs: [(String, String)]) -> String {
        "href=\"\(address(pairs).replacing("&", with: "&amp;"))\""
    }

    @Test func restaurants_lead_there_with_where_it_is_wanted() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let place = try #require(DeliveryPlace.ursula.place)
            let tell = "Tell me when somebody is there"
            let anywhere = Self.href([("of", "deliverers"), ("until", "today")])
            let empty = try await maya.get("/deliveries").text
            #expect(empty.contains(anywhere) && empty.contains(tell))
            let here = try await maya.get("/restaurants/\(place)").text
            let there = [("of", "deliverers"), ("restaurant", place.description)]
            #expect(here.contains(Self.href(there + [("until", "today")])) && here.contains(tell))
            // Where it is wanted goes along; around there restaurants may be.
            let wanted = [("to", Self.to), ("until", "today")]
            let around = Self.href([("of", "deliverers"), ("near", Self.to), ("radius", "400")] + wanted)
            let encoded = LocalPath.encoded(Self.to)
            #expect(try await maya.get("/deliveries?to=\(encoded)").text.contains(around))
            #expect(try await maya.get("/restaurants/\(place)?to=\(encoded)").text.contains(Self.href(there + wanted)))
            // And where somebody is there already, in the parts that are made anew as well.
            orders.restaurants.mutate { $0 = [.sample()] }
            orders.deliverers.mutate { $0 = [.sample()] }
            for (path, target) in [("/deliveries", "restaurants"), ("/restaurants/\(place)", "deliverers")] {
                let part = try await maya.get(path, [("HX-Request", "true"), ("HX-Target", target)]).text
                #expect(part.components(of: "id=\"tell-me\"") == 1 && part.contains(tell), "\(path)")
            }
        }
    }

    @Test func it_is_said_made_and_listed() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let (place, midnight) = (try #require(DeliveryPlace.ursula.place), try Self.midnight())
            let there = [("of", "deliverers"), ("restaurant", place.description), ("to", Self.to)]
            let page = try await maya.get(Self.address(there + [("until", "today")]))
            #expect(page.status == 200 && page.text.contains("Somebody at Cafe &lt;b&gt;"))
            #expect(page.text.contains(" who goes near Exactum, today</strong>"))
            #expect(page.text.contains("About three a week") && page.text.contains("aria-current=\"true\">Today</a>"))
            #expect(page.text.contains(Self.href(there) + ">Until I say so</a>"))
            // As it is kept it says the moment, whenever the form is sent.
            #expect(page.text.kept["until"] == WireJSON.text(of: midnight))
            let made = try await maya.post("/wanted/new", page.text.kept)
            #expect(made["Location"]?.hasSuffix("?done=made") == true)
            let search = DelivererSearch(restaurant: place, to: DeliveryPlace.exactum.position, until: midnight)
            let kept = try #require(try door.services.done(MatchingMethods.postWanted).first).content.query
            #expect(kept == WantedQuery(deliverers: search))
            // From then on its places are called as Places calls them.
            let list = try await maya.get("/wanted").text
            #expect(list.contains(" who goes near Kluuvi, Testholm, today") && list.contains("icons.svg#restaurant"))
            let wanted = try #require(searches.all.value.first)
            try searches.change(wanted.id) { $0.expiresAt = midnight }
            let own = try await maya.get(wanted.path).text
            let back = LocalPath.encoded("60.1731,24.952 Kluuvi, Testholm")
            #expect(own.contains("href=\"/restaurants/\(place)?to=\(back)\""))
            // It ends with the day: there is nothing to renew.
            #expect(!own.contains("\(wanted.path)/renew"))
            let wide = ServiceError.invalid([FieldError("query", "too_wide", "No.")])
            door.services.refuse(MatchingMethods.estimateWanted, wide)
            let refused = try await maya.get(Self.address(there))
            #expect(refused.status == 422 && refused.text.contains("too many a day. Say where you want it brought."))
        }
    }

    @Test func around_a_place_it_can_be_nearer_or_farther() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            door.knowPlaces()
            let maya = try await door.join("Maya")
            // A point without words, as a device says where one is.
            let page = try await maya.get("/wanted/new?of=deliverers&near=60.1712,24.9501&radius=400&until=").text
            #expect(page.contains("Somebody at any restaurant within 400 m of Fabianinkatu 33, Testholm</strong>"))
            let near = [("of", "deliverers"), ("near", Self.house)]
            #expect(page.contains(Self.href(near + [("radius", "2000")]) + ">2 km</a>"))
            #expect(page.contains(Self.href(near + [("radius", "400"), ("change", "yes")])))
            #expect(page.contains("href=\"/deliveries?to=\">3 fit now</a>"))
            searches.estimate.mutate { $0 = WantedEstimate(perMonth: 3001, isTooWide: true, fitting: 100) }
            let wide = try await maya.get(Self.address(near + [("radius", "5000")])).text
            #expect(wide.contains("Choose a shorter distance.") && !wide.contains("action=\"/wanted/new\""))
            // What is no distance is none, and what is no time is said.
            for radius in ["49", "5001", "far", "-9223372036854775808"] {
                let odd = try await maya.get(Self.address(near + [("radius", radius)]))
                #expect(odd.status == 200 && odd.text.contains("within 400 m of"), "\(radius)")
            }
            let never = try await maya.get(Self.address(near + [("until", "tomorrow")]))
            #expect(never.status == 422 && never.text.contains("Choose one of these."))
        }
    }

    @Test func where_too_little_is_said_it_is_asked_for() async throws {
        try await PageDoor.run { door in
            _ = PageSearches(at: door)
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let (place, today) = (try #require(DeliveryPlace.ursula.place), WireJSON.text(of: try Self.midnight()))
            let first = try await maya.get("/wanted/new?of=deliverers&until=today")
            for text in [
                "Who can bring something", "name=\"source\" value=\"restaurants\" checked", "data-kind=\"restaurant\"",
                "<option value=\"\(today)\" selected>Today</option>", "<option value=\"400\" selected>400 m</option>",
                "data-href=\"/wanted/new?of=deliverers&amp;radius=400&amp;until=",
            ] { #expect(first.text.contains(text), "\(text)") }
            #expect(first.status == 200)
            func sent(_ source: String, _ fields: [(String, String)] = []) async throws -> RawResponse {
                let empty = ["restaurant", "restaurant.at", "near", "near.at", "to", "to.at", "until"].map { ($0, "") }
                let form = [("of", "deliverers"), ("source", source), ("radius", "700")] + empty + fields
                return try await maya.get(Self.address(form))
            }
            let nothing = try await sent("restaurants")
            #expect(nothing.status == 422 && nothing.text.contains("id=\"restaurant-error\">From which restaurant?"))
            let nowhere = try await sent("around")
            #expect(nowhere.status == 422 && nowhere.text.contains("id=\"near-error\">Around which place?"))
            let typed = try await sent("restaurants", [("restaurant", "Cafe")])
            #expect(typed.status == 422 && typed.text.contains("Several restaurants are called so."))
            #expect(typed.text.contains("name=\"restaurant.at\" value=\"60.172,24.951 Cafe &lt;b&gt;"))
            let label = "Cafe <b>\"Ursula\"</b>, Testholm"
            let cafe = [("restaurant", label), ("restaurant.at", "60.172,24.951 \(label)")]
            let chosen = try await sent("restaurants", cafe)
            #expect(chosen["Location"] == Self.address([("of", "deliverers"), ("restaurant", place.description)]))
            let houses = [("near", "Fabianinkatu 33, Testholm"), ("near.at", Self.house)]
            let around = [("of", "deliverers"), ("near", Self.house), ("radius", "700")]
            // What belongs to the other choice is left behind.
            #expect(try await sent("around", houses + cafe)["Location"] == Self.address(around))
            let unknown = try await sent("around", houses + [("to", "Nowhere at all")])
            #expect(
                unknown.status == 422 && unknown.text.contains("id=\"to-error\">No place of that name is known here."))
            let again = try await maya.get(Self.address(around + [("change", "yes")])).text
            for text in ["value=\"around\" checked", "value=\"700\" selected", "value=\"\(Self.house)\""] {
                #expect(again.contains(text), "\(text)")
            }
            // What nobody could send from this page.
            let pointless = try await maya.post("/wanted/new", ["of": "deliverers", "key": "one"])
            #expect(pointless.status == 422 && pointless.text.contains("Who can bring something"))
        }
    }

    @Test func it_is_changed_in_its_fields_and_what_is_wrong_stands_there() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let (place, later) = (try #require(DeliveryPlace.ursula.place), try Self.midnight() + 5 * 86_400 + 3600)
            let wanted = searches.add(
                WantedQuery(deliverers: DelivererSearch(restaurant: place, until: later)))
            let path = "\(wanted.path)/edit"
            let page = try await maya.get(path).text
            for text in [
                "value=\"60.172,24.951 Cafe &lt;b&gt;", ", 01:00</option>", "name=\"version\" value=\"1\"",
                "<option value=\"\(WireJSON.text(of: later))\" selected>Until ", ">Until I say so</option>",
            ] { #expect(page.contains(text), "\(text)") }
            let label = "Cafe <b>\"Ursula\"</b>, Testholm"
            let fields = [
                "key": "one", "version": "1", "source": "restaurants", "restaurant": label,
                "restaurant.at": "60.172,24.951 \(label)", "near": "", "near.at": "", "radius": "400",
                "to": "Exactum", "to.at": Self.to, "until": "",
            ]
            #expect(try await maya.post(path, fields)["Location"] == "\(wanted.path)?done=wanted.changed")
            let change = try #require(try door.services.done(MatchingMethods.changeWanted).first).content
            let search = DelivererSearch(restaurant: place, to: DeliveryPlace.exactum.position)
            #expect(change.query == WantedQuery(deliverers: search) && change.version == "1")
            let around = ["source": "around", "near": "Fabianinkatu 33, Testholm", "near.at": Self.house]
            for (more, field, code, id, sentence) in [
                ([:], "deliverers.restaurant", "unknown_place", "restaurant", "Choose one from the list, so that"),
                ([:], "deliverers.until", "in_past", "until", "That time is over. Choose another one."),
                ([:], "deliverers.to", "out_of_range", "to", "Nothing is brought there."),
                ([:], "query", "too_wide", "to", "That would be too many a day. Say where you want it brought."),
                (around, "query", "too_wide", "radius", "That would be too many a day. Choose a shorter distance."),
                (around, "deliverers.near", "out_of_range", "near", "Nothing is brought there."),
            ] as [([String: String], String, String, String, String)] {
                door.services.refuse(MatchingMethods.changeWanted, .invalid([FieldError(field, code, "No.")]))
                let form = fields.merging(more) { $1 }.merging(["key": "\(id)\(sentence.utf8.count)"]) { $1 }
                let refused = try await maya.post(path, form)
                #expect(refused.status == 422 && refused.text.contains("id=\"\(id)-error\">\(sentence)"), "\(field)")
                #expect(refused.text.components(of: "autofocus") == 1, "\(field)")
            }
        }
    }

    @Test func a_restaurant_whose_name_nobody_knows_now_stays() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let place = try #require(DeliveryPlace.ursula.place)
            let wanted = searches.add(WantedQuery(deliverers: DelivererSearch(restaurant: place)))
            let path = "\(wanted.path)/edit"
            let page = try await maya.get(path).text
            #expect(page.contains("name=\"restaurant\" type=\"text\" value=\"a restaurant\""))
            #expect(page.kept["restaurant.id"] == "\(place) a restaurant")
            let fields = page.kept.merging([
                "source": "restaurants", "restaurant": "a restaurant", "radius": "400", "to": "", "until": "",
            ]) { $1 }
            let saved = try await maya.post(path, fields)
            #expect(saved["Location"] == "\(wanted.path)?done=wanted.changed")
            let change = try #require(try door.services.done(MatchingMethods.changeWanted).first).content
            #expect(change.query?.deliverers?.restaurant == place)
            // What is typed in its place is another one.
            let typed = try await maya.post(path, fields.merging(["restaurant": "Cafe", "key": "two"]) { $1 })
            #expect(typed.status == 422 && typed.text.kept["restaurant.id"] == nil)
        }
    }
}
