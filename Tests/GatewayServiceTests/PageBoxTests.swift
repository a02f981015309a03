import Testing
import WireProtocol

@testable import GatewayService

/// Which part of the earth a page is asked for: it is that part that is shown, or none.
@Suite struct PageBoxTests {
    @Test(arguments: [
        ("1,2,3,4", BoundingBox(west: 1, south: 2, east: 3, north: 4)),
        (" 1, 2, 3, 4 ", BoundingBox(west: 1, south: 2, east: 3, north: 4)),
        ("170,-20,-170,-10", BoundingBox(west: 170, south: -20, east: -170, north: -10)),
        // As a map counts that was dragged across the date line, to the east and to the west.
        ("170,-20,190,-10", BoundingBox(west: 170, south: -20, east: -170, north: -10)),
        ("-190,-20,-170,-10", BoundingBox(west: 170, south: -20, east: -170, north: -10)),
        ("365,1,366,2", BoundingBox(west: 5, south: 1, east: 6, north: 2)),
        ("-250,-60,250,60", BoundingBox(west: -180, south: -60, east: 180, north: 60)),
        ("-180,-90,180,90", BoundingBox(west: -180, south: -90, east: 180, north: 90)),
    ]) func a_box_is_read_across_the_date_line_too(_ text: String, _ box: BoundingBox) {
        #expect(BoundingBox(written: text) == box)
        #expect(BoundingBox(written: BoundingBox(written: text)?.written) == box)
    }

    static let unreadable = [
        "", "1,2,3", "1,2,3,4,5", "1,2,3,", "a,2,3,4", "nan,2,3,4", "1,2,inf,4", "0x1,2,3,4", "1,5,3,4", "1,2,3,91",
        "190,0,170,1",
        "1e300,0,1e301,1",
    ]

    @Test(arguments: unreadable) func what_is_no_box_is_refused(_ text: String) {
        #expect(BoundingBox(written: text) == nil)
    }

    @Test func a_page_is_never_of_another_part_of_the_earth() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            for path in [
                "/parking?bbox=", "/parking?bbox=1,2,3", "/parking?bbox=1,2,3,inf", "/parking?bbox=190,0,170,1",
                "/parking?near=91,0", "/parking?near=0x10,5", "/parking?near=here", "/places?near=nan,0",
            ] {
                let page = try await visitor.get(path)
                #expect(page.status == 400, "\(path)")
                #expect(!page.text.contains("data-box="), "\(path)")
                let part = try await visitor.get(path, [("HX-Request", "true"), ("HX-Target", "results")])
                #expect(part.status == 400, "\(path)")
            }
            for path in ["/parking?bbox=175,-20,185,-10", "/parking?bbox=175,-20,-175,-10"] {
                let page = try await visitor.get(path)
                #expect(page.status == 200 && page.text.contains("data-box=\"175.0,-20.0,-175.0,-10.0\""), "\(path)")
            }
            #expect(try await visitor.get("/v1/spots?bbox=175,-20,-175,-10").status == 200)
            #expect(try await visitor.get("/v1/spots?bbox=175,-20,185,-10").status == 422)
        }
    }
}
