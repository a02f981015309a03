import Foundation
import Supervisor
import TestKit
import WireProtocol

@testable import NotificationService

/// The server of a browser, in a process of its own on 127.0.0.1. It reads what it gets with libraries that we did not write: http-ece
/// decrypts it, py-vapid looks at the signature.
///
/// What it answers, the first part of a path says: `ok`, `missing`, `gone`, `refused`, `redirect`, `large` (413), `long` (413 once), `busy`
/// (429 once, to be asked again in 120 seconds), `silent` (nothing for long).
struct PushServer: Sendable {
    /// What it took.
    struct Received: Decodable, Equatable {
        var path: String
        var headers: [String: String]
        /// What the browser would get.
        var text: String
        var signed: Bool
    }

    let directory: TemporaryDirectory
    let port: Int

    var url: String { "http://127.0.0.1:\(port)" }
    var reach: PushReach { PushReach(privateHosts: ["127.0.0.1:\(port)"]) }

    /// Runs `body` beside a server.
    static func run(_ body: (PushServer) async throws -> Void) async throws {
        let server = PushServer(directory: try TemporaryDirectory("push"), port: FreePort.next())
        try server.directory.write("server.py", script)
        guard let python = ProcessInfo.processInfo.environment["KAMPONG_TEST_PYTHON"] else {
            throw TestSetupError(
                "KAMPONG_TEST_PYTHON names no Python with what requirements.txt has: deploy/test makes one.")
        }
        let child = try await ChildProcess.start(
            python, arguments: [server.directory.file("server.py"), String(server.port), server.directory.path],
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], log: server.directory.file("log"))
        do {
            try await eventually("the push server: \(server.directory.read("log"))", within: .seconds(20)) {
                server.directory.read("ready").hasSuffix("}")
            }
            try await body(server)
        } catch {
            await child.stop(grace: .seconds(1))
            throw error
        }
        await child.stop(grace: .seconds(1))
    }

    /// What the browser registers.
    func draft(_ path: String) throws -> PushDeviceDraft {
        PushDeviceDraft(
            endpoint: "\(url)/\(path)",
            keys: try JSONDecoder().decode(PushDeviceDraft.Keys.self, from: Data(directory.read("ready").utf8)))
    }

    func received() throws -> [Received] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".json") }.sorted()
            .map { try JSONDecoder().decode(Received.self, from: Data(directory.read($0).utf8)) }
    }

    private static let script = """
        import base64, http.server, json, os, sys, threading, time
        import http_ece
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from py_vapid import Vapid02

        port, folder = int(sys.argv[1]), sys.argv[2]
        key, secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        point = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        text = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()
        lock, asked, count = threading.Lock(), set(), 0

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                global count
                body = self.rfile.read(int(self.headers["Content-Length"]))
                kind = self.path.split("/")[1]
                with lock:
                    first = self.path not in asked
                    asked.add(self.path)
                if kind == "silent":
                    time.sleep(30)
                status = {"missing": 404, "gone": 410, "refused": 403, "redirect": 307, "large": 413}.get(kind, 201)
                if first and kind in ("long", "busy"):
                    status = 413 if kind == "long" else 429
                if status == 201:
                    plain = http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm")
                    authorization = self.headers["Authorization"]
                    found = {
                        "path": self.path, "text": plain.rstrip(b"\\0").decode(),
                        "headers": {name.lower(): value for name, value in self.headers.items()},
                        "signed": bool(Vapid02.verify(authorization.replace(", ", ","))),
                    }
                    with lock:
                        count += 1
                        with open(f"{folder}/{count:03}.json", "w") as file:
                            json.dump(found, file)
                self.send_response(status)
                if status == 429:
                    self.send_header("Retry-After", "120")
                if status == 307:
                    self.send_header("Location", "/ok/from-elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *words):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        with open(f"{folder}/ready", "w") as file:
            json.dump({"p256dh": text(point), "auth": text(secret)}, file)
        server.serve_forever()
        """
}
