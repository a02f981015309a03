import Foundation
import Supervisor
import TestKit
import WireProtocol

@testable import NotificationService

/// Apple's and Google's servers, in a process of their own on 127.0.0.1. They look at our tokens with libraries that we did not write:
/// `cryptography` at signatures, h2 speaks HTTP/2 (Apple's alone, and nothing else) behind a certificate of its own.
///
/// Which answer they give, a device's token says by its beginning: see the script.
struct AppServers: Sendable {
    /// What one of them took.
    struct Received: Decodable {
        var server: String
        var path: String
        var headers: [String: String]
        var body: String
        /// The claims of the token that said who we are, once its signature was right.
        var claims: [String: Claim]
        var version: String

        /// A text or a number.
        enum Claim: Decodable, Equatable {
            case text(String)
            case number(Int)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int.self) {
                    self = .number(number)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }
        }
    }

    let directory: TemporaryDirectory
    let apple: Int
    let google: Int

    var certificate: String { directory.file("certificate.pem") }
    /// As operators get them: Apple's key, Google's account.
    var appleKey: String { directory.read("apple.p8") }
    var googleAccount: [UInt8] { Array(directory.read("google.json").utf8) }

    /// Runs `body` beside them.
    static func run(_ body: (AppServers) async throws -> Void) async throws {
        let servers = AppServers(
            directory: try TemporaryDirectory("apps"), apple: FreePort.next(), google: FreePort.next())
        try servers.directory.write("servers.py", script)
        guard let python = ProcessInfo.processInfo.environment["KAMPONG_TEST_PYTHON"] else {
            throw TestSetupError(
                "KAMPONG_TEST_PYTHON names no Python with what requirements.txt has: deploy/test makes one.")
        }
        let child = try await ChildProcess.start(
            python,
            arguments: [
                servers.directory.file("servers.py"), servers.directory.path, String(servers.apple),
                String(servers.google),
            ], environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], log: servers.directory.file("log"))
        do {
            try await eventually("the apps' servers: \(servers.directory.read("log"))", within: .seconds(20)) {
                servers.directory.read("ready") == "ready"
            }
            try await body(servers)
        } catch {
            await child.stop(grace: .seconds(1))
            throw error
        }
        await child.stop(grace: .seconds(1))
    }

    func received() throws -> [Received] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasPrefix("0") && $0.hasSuffix(".json") }.sorted()
            .map { try JSONDecoder().decode(Received.self, from: Data(directory.read($0).utf8)) }
    }

    private static let script = """
        import base64, datetime, http.server, json, socket, ssl, sys, threading, urllib.parse
        import h2.config, h2.connection, h2.events
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
        from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

        folder, apple, google = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
        lock, count, given = threading.Lock(), 0, 0

        def pem(key):
            return key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()

        def write(name, text):
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)

        apple_key, google_key = ec.generate_private_key(ec.SECP256R1()), rsa.generate_private_key(65537, 2048)
        write("apple.p8", pem(apple_key))
        write("google.json", json.dumps({
            "type": "service_account", "project_id": "village-1", "private_key_id": "k1", "private_key": pem(google_key),
            "client_email": "push@village-1.iam.gserviceaccount.com", "token_uri": f"http://127.0.0.1:{google}/token"}))

        # A certificate of its own for Apple's.
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        now = datetime.datetime.now(datetime.timezone.utc)
        own = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(own.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=2))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), True).sign(own, hashes.SHA256()))
        write("certificate.pem", certificate.public_bytes(serialization.Encoding.PEM).decode())
        write("key.pem", pem(own))

        def raw(text):
            return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

        # The claims of a token, once its signature is right.
        def claims(token, key):
            head, body, signature = token.split(".")
            signed, bits = f"{head}.{body}".encode(), raw(signature)
            if json.loads(raw(head))["alg"] == "ES256":
                numbers = [int.from_bytes(bits[:32], "big"), int.from_bytes(bits[32:], "big")]
                key.public_key().verify(encode_dss_signature(*numbers), signed, ec.ECDSA(hashes.SHA256()))
            else:
                key.public_key().verify(bits, signed, padding.PKCS1v15(), hashes.SHA256())
            return json.loads(raw(body)) | {"kid": json.loads(raw(head)).get("kid", "")}

        def keep(**found):
            global count
            with lock:
                count += 1
                write(f"{count:03}.json", json.dumps(found))

        # What Apple answers to a token that begins with these digits.
        def apples(path, headers, body):
            token = path.split("/")[-1]
            keep(server="apple", path=path, headers=headers, body=body, version="2",
                 claims=claims(headers["authorization"].removeprefix("bearer "), apple_key))
            return {
                "a1": (410, "Unregistered"), "a2": (400, "BadDeviceToken"), "a3": (429, "TooManyRequests"),
                "a4": (413, "PayloadTooLarge"), "a5": (403, "InvalidProviderToken"), "a6": (503, "Shutdown"),
            }.get(token[:2], (200, ""))

        def speak(connection):
            h2c = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
            h2c.initiate_connection()
            connection.sendall(h2c.data_to_send())
            asked = {}
            while data := connection.recv(65536):
                for event in h2c.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        asked[event.stream_id] = [dict(event.headers), b""]
                    elif isinstance(event, h2.events.DataReceived):
                        asked[event.stream_id][1] += event.data
                        h2c.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    elif isinstance(event, h2.events.StreamEnded):
                        headers, body = asked.pop(event.stream_id)
                        status, reason = apples(headers[":path"], headers, body.decode())
                        answer = json.dumps({"reason": reason}).encode() if reason else b""
                        h2c.send_headers(event.stream_id, [
                            (":status", str(status)), ("content-length", str(len(answer))),
                            *([("retry-after", "90")] if status == 429 else [])])
                        h2c.send_data(event.stream_id, answer, end_stream=True)
                connection.sendall(h2c.data_to_send())

        def listen():
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
            context.set_alpn_protocols(["h2"])
            door = socket.create_server(("127.0.0.1", apple))
            write("ready", "ready")
            def serve(plain):
                try:
                    with context.wrap_socket(plain, server_side=True) as connection:
                        speak(connection)
                except OSError:
                    pass
            while True:
                threading.Thread(target=serve, args=(door.accept()[0],), daemon=True).start()

        class Google(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                global given
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, answer, wait = 200, {}, None
                if self.path == "/token":
                    form = dict(urllib.parse.parse_qsl(body))
                    keep(server="tokens", path=self.path, headers=headers, body=form["grant_type"], version="1",
                         claims=claims(form["assertion"], google_key))
                    given += 1
                    answer = {"access_token": f"opens-{given}", "expires_in": 3599, "token_type": "Bearer"}
                else:
                    keep(server="google", path=self.path, headers=headers, body=body, version="1", claims={})
                    kind = json.loads(body)["message"]["token"].split("-")[0]
                    status, code, wait = {
                        "unregistered": (404, "UNREGISTERED", None), "invalid": (400, "INVALID_ARGUMENT", None),
                        "busy": (429, "QUOTA_EXCEEDED", "75"), "away": (503, "UNAVAILABLE", None),
                        "expired": (401 if headers["authorization"] == "Bearer opens-1" else 200, "UNAUTHENTICATED", None),
                    }.get(kind, (200, "", None))
                    answer = {"name": "projects/village-1/messages/1"} if status == 200 else {
                        "error": {"code": status, "status": "X", "details": [
                            {"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}]}}
                words = json.dumps(answer).encode()
                self.send_response(status)
                if wait:
                    self.send_header("Retry-After", wait)
                self.send_header("Content-Length", str(len(words)))
                self.end_headers()
                self.wfile.write(words)

            def log_message(self, *words):
                pass

        threading.Thread(target=listen, daemon=True).start()
        http.server.ThreadingHTTPServer(("127.0.0.1", google), Google).serve_forever()
        """
}
