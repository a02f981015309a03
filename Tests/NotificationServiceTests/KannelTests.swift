import Foundation
import Supervisor
import TestKit
import Testing
import WebClient

@testable import NotificationService

/// The text channel against a gateway that we did not write: Kannel, with its own fake of a mobile network.
@Suite struct KannelTests {
    @Test func kannel_takes_a_text_as_it_was_written_and_refuses_who_may_not_send() async throws {
        try await Kannel.run { kannel in
            let text = "048213 ist dein Code für Hügel & Söhne. Er gilt 10 Minuten lang."
            func send(_ secret: String, to number: String) async throws {
                let settings = try SMSGatewaySettings(
                    Array(SMSGatewayExamples.kannel(port: kannel.port).utf8), secret: secret)
                try await SMSGateway(settings: settings, web: WebClient(name: "sms", atOnce: 2)).deliver(
                    TextMessage(id: UUID(), number: number, text: text, date: Date()))
            }
            try await send(Kannel.secret, to: "+6591234567")
            try await eventually("the text in the mobile network: \(kannel.network)") {
                kannel.network.contains("Kampong +6591234567 text \(text)\n")
            }
            let refused = await #expect(throws: MailFailure.self) { try await send("wrong", to: "+6591234567") }
            #expect(refused == MailFailure(isFinal: true, reason: "The SMS gateway answers 403."))
            #expect(kannel.network.split(separator: "\n").count == 1)
        }
    }
}

/// Kannel's two processes (bearerbox, smsbox), and what plays the mobile network for its fake of one: a connection that writes down
/// what it gets.
private struct Kannel {
    static let secret = "pass \"word\" & more"

    let directory: TemporaryDirectory
    /// Where texts are asked for.
    let port: Int
    private let ports: [Int]

    var network: String { directory.read("network") }

    static func run(_ body: (Kannel) async throws -> Void) async throws {
        let kannel = Kannel(directory: try TemporaryDirectory("kannel"), ports: (0..<4).map { _ in FreePort.next() })
        let folder = ProcessInfo.processInfo.environment["KAMPONG_KANNEL"] ?? "/usr/sbin"
        guard FileManager.default.isExecutableFile(atPath: "\(folder)/bearerbox") else {
            throw TestSetupError(
                "There is no Kannel in \(folder): deploy/test unpacks it, and names it by KAMPONG_KANNEL.")
        }
        try kannel.directory.write("kannel.conf", kannel.configuration)
        try kannel.directory.write("network.py", script)
        var children: [ChildProcess] = []
        func start(_ program: String, _ arguments: [String], until isUp: @escaping () -> Bool) async throws {
            let log = kannel.directory.file("\(children.count).log")
            children.append(
                try await ChildProcess.start(
                    program, arguments: arguments, environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], log: log))
            try await eventually(
                "\(program): \(kannel.directory.read("\(children.count - 1).log"))", within: .seconds(20)
            ) {
                isUp()
            }
        }
        let result: Result<Void, any Error>
        do {
            let file = kannel.directory.file("kannel.conf")
            try await start("\(folder)/bearerbox", ["-v", "4", file]) {
                Self.listens(kannel.ports[1]) && Self.listens(kannel.ports[2])
            }
            try await start("\(folder)/smsbox", ["-v", "4", file]) { Self.listens(kannel.port) }
            try await start(
                "/usr/bin/python3",
                [kannel.directory.file("network.py"), String(kannel.ports[2]), kannel.directory.path]
            ) {
                kannel.directory.read("ready") == "ready"
            }
            result = .success(try await body(kannel))
        } catch { result = .failure(error) }
        for child in children.reversed() { await child.stop(grace: .seconds(3)) }
        try result.get()
    }

    private init(directory: TemporaryDirectory, ports: [Int]) {
        self.directory = directory
        self.ports = ports
        port = ports[3]
    }

    /// The fake network's port is on every address, which Kannel gives no choice about; it lets in this machine alone.
    private var configuration: String {
        """
        group = core
        admin-port = \(ports[0])
        admin-interface = 127.0.0.1
        admin-password = none
        smsbox-port = \(ports[1])
        smsbox-interface = 127.0.0.1
        box-deny-ip = "*.*.*.*"
        box-allow-ip = "127.0.0.1"

        group = smsc
        smsc = fake
        host = 127.0.0.1
        port = \(ports[2])
        connect-allow-ip = 127.0.0.1

        group = smsbox
        bearerbox-host = 127.0.0.1
        sendsms-interface = 127.0.0.1
        sendsms-port = \(port)

        group = sendsms-user
        username = kampong
        password = "\(Self.secret.replacing("\"", with: "\\\""))"
        max-messages = 3
        concatenation = true

        group = sms-service
        keyword = default
        text = "none"
        max-messages = 0
        """
    }

    private static func listens(_ port: Int) -> Bool {
        let table = FileManager.default.contents(atPath: "/proc/net/tcp").map { String(decoding: $0, as: UTF8.self) }
        let hex = String(port, radix: 16, uppercase: true)
        let local = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        return (table ?? "").split(separator: "\n").contains { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[1].hasSuffix(local) && columns[3] == "0A"
        }
    }

    private static let script = """
        import socket, sys
        port, folder = sys.argv[1:]
        connection = socket.create_connection(("127.0.0.1", int(port)))
        open(f"{folder}/ready", "w").write("ready")
        with open(f"{folder}/network", "wb", buffering=0) as file:
            while data := connection.recv(65536):
                file.write(data)
        """
}
