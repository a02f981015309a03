import HTTPTypes
import Hummingbird
import NIOCore
import WireProtocol

/// What a browser needs to hold out without a network: the service worker, the page that it shows then, and how it sends later what was written.
struct OfflinePage {
    static func register(on routes: PageRoutes) {
        // Of nobody and for everybody: it is kept on the device.
        routes.get("/offline", forSuspended: true) { visit in
            let frame = PageFrame(title: visit.words["offline.title"], bare: true, scripts: ["chat/offline"])
            return try await visit.page("messages/offline", OfflinePage(), frame)
        }
        // Who is signed in, and the token with which they change something: asked by scripts that no page gave one to.
        routes.get("/me/pass") { visit in
            if let trouble = visit.context.sessionTrouble, trouble.code != .unauthenticated { throw trouble }
            guard let person = visit.context.caller.person else { return Response(status: .unauthorized) }
            let pass = Pass(person: person, csrf: visit.context.webSession?.csrfToken ?? "")
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(pass))))
        }
        routes.get("/sw.js", forSuspended: true) { visit in
            // Its address stays; what it imports has the digest of all assets in its own.
            let text = "import \"\(visit.site.services.assets.url("js/worker/main.js"))\";\n"
            return Response(
                status: .ok, headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
    }

    private struct Pass: Encodable {
        var person: PersonID
        var csrf: String
    }
}
