import Foundation
import Supervisor
import TestKit

/// A mail server that we did not write: aiosmtpd, in a process of its own on 127.0.0.1, with a certificate of its own.
///
/// It refuses `nobody@…` for good and `later@…` for now, and keeps what it takes as Python's own mail parser reads it.
struct SMTPServer: Sendable {
    /// What it took.
    struct Received: Decodable {
        var from: String
        var to: [String]
        var tls: Bool
        var user: String?
        var headers: [String: String]
        var text: String
        var html: String
        var defects: [String]
        var raw: String
    }

    static let user = "kampong"
    static let password = "pass word: 'ü'"

    let directory: TemporaryDirectory
    let port: Int

    var certificate: String { directory.file("certificate.pem") }

    enum Mode: String {
        case plain, starttls, tls
    }

    /// Runs `body` beside a server.
    static func run(_ mode: Mode, _ body: (SMTPServer) async throws -> Void) async throws {
        let server = SMTPServer(directory: try TemporaryDirectory("smtp"), port: FreePort.next())
        try await server.makeCertificate()
        try server.directory.write("server.py", script)
        let child = try await ChildProcess.start(
            "/usr/bin/python3",
            arguments: [
                server.directory.file("server.py"), mode.rawValue, String(server.port), server.directory.path, user,
                password,
            ], environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], log: server.directory.file("log"))
        do {
            try await eventually("the mail server: \(server.directory.read("log"))", within: .seconds(20)) {
                server.directory.read("ready") == "ready"
            }
            try await body(server)
        } catch {
            await child.stop(grace: .seconds(1))
            throw error
        }
        await child.stop(grace: .seconds(1))
    }

    func received() throws -> [Received] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".json") }.sorted()
            .map { try JSONDecoder().decode(Received.self, from: Data(directory.read($0).utf8)) }
    }

    private func makeCertificate() async throws {
        let child = try await ChildProcess.start(
            "/usr/bin/openssl",
            arguments: [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost", "-keyout", directory.file("key.pem"), "-out", certificate,
            ], environment: ["PATH": "/usr/bin:/bin"], log: directory.file("openssl.log"))
        let exit = await child.exit()
        guard exit == .status(0) else { throw TestSetupError(directory.read("openssl.log")) }
    }

    private static let script = """
        import email, email.policy, json, ssl, sys, threading
        from aiosmtpd.controller import Controller
        from aiosmtpd.smtp import AuthResult

        mode, port, folder, user, password = sys.argv[1:]

        class Handler:
            count = 0
            async def handle_RCPT(self, server, session, envelope, address, options):
                if address.startswith("nobody@"):
                    return "550 5.1.1 There is no such mailbox"
                if address.startswith("later@"):
                    return "451 4.7.1 Try again later"
                envelope.rcpt_tos.append(address)
                return "250 OK"

            async def handle_DATA(self, server, session, envelope):
                message = email.message_from_bytes(envelope.content, policy=email.policy.default)
                parts = {part.get_content_type(): part for part in message.walk()}
                found = {
                    "from": envelope.mail_from, "to": envelope.rcpt_tos,
                    "tls": session.ssl is not None or mode == "tls",
                    "user": session.auth_data.login.decode() if session.authenticated else None,
                    "headers": {name: str(value) for name, value in message.items()},
                    "text": parts["text/plain"].get_content(), "html": parts["text/html"].get_content(),
                    "defects": [str(d) for part in message.walk() for d in part.defects],
                    "raw": envelope.content.decode("utf-8"),
                }
                Handler.count += 1
                with open(f"{folder}/{Handler.count:03}.json", "w") as file:
                    json.dump(found, file)
                return "250 Taken"

        def authenticate(server, session, envelope, mechanism, data):
            right = data.login == user.encode() and data.password == password.encode()
            return AuthResult(success=right, handled=right, auth_data=data)

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
        settings = {"hostname": "127.0.0.1", "port": int(port), "enable_SMTPUTF8": True}
        if mode != "plain":
            settings |= {"authenticator": authenticate, "auth_required": True}
        if mode == "starttls":
            settings |= {"tls_context": context, "require_starttls": True}
        if mode == "tls":
            # Authentication is for connections that are encrypted, which this one is from its first byte.
            settings |= {"ssl_context": context, "auth_require_tls": False}
        Controller(Handler(), **settings).start()
        open(f"{folder}/ready", "w").write("ready")
        threading.Event().wait()
        """
}
