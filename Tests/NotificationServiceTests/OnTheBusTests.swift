import Foundation
import Logging
import Messaging
import Postgres
import Reactor
import ServiceKit
import ServiceLifecycle
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import NotificationService

/// The service as it is wired, with its own templates, asked over real sockets by peers with keys.
@Suite struct OnTheBusTests {
    @Test func auth_may_send_and_nobody_else_and_the_mail_lies_in_the_folder() async throws {
        try await TestDatabase.with { database in
            let directory = try TemporaryDirectory("notification")
            let (requests, events) = (FreePort.next(), FreePort.next())
            for role in PeerRole.services {
                try BusKeys.create(role: role, in: directory.path)
            }
            let mails = directory.file("mails")
            try FileManager.default.createDirectory(atPath: mails, withIntermediateDirectories: true)
            // The schema has a fixed name; what an earlier run left behind goes.
            _ = try await database.pool.query("DROP SCHEMA IF EXISTS notification CASCADE")
            _ = try await database.pool.query("CREATE SCHEMA notification")

            func host(_ role: PeerRole) async throws -> ServiceHost {
                let (config, _) = try await Settings.load(
                    arguments: [],
                    environment: [
                        "KAMPONG_DATABASE_URL": database.url, "KAMPONG_LOG_LEVEL": "critical",
                        "KAMPONG_PUBLIC_URL": "https://share.example.org", "KAMPONG_MAIL_FOLDER": mails,
                        "KAMPONG_TEXT_FOLDER": mails,
                        "KAMPONG_BUS_SECRETKEY": directory.file("secret/\(role.rawValue).key"),
                        "KAMPONG_BUS_PUBLICKEYS": directory.file("public"),
                        "KAMPONG_BUS_REQUESTS": "tcp://127.0.0.1:\(requests)",
                        "KAMPONG_BUS_EVENTS": "tcp://127.0.0.1:\(events)",
                        "KAMPONG_PEERS_NOTIFICATION_REQUESTS": "tcp://127.0.0.1:\(requests)",
                    ].merging(PeerRole.absent(at: FreePort.next)) { own, _ in own })
                let telemetry = try Telemetry.start(service: role.rawValue, config: config)
                return try ServiceHost(name: role.rawValue, role: role, config: config, telemetry: telemetry)
            }

            let service = try await host(.notification)
            try await NotificationWiring.migrate(
                MigrationHost(config: service.config, reactor: service.reactor, logger: service.logger))
            try await running(try await NotificationWiring.services(service)) {
                let id = UUID.version7()
                var order = MailMessageTests.order("de")
                order.expiresAt = Date() + 600
                let number = "+6591234567"
                let text = TextOrder(
                    to: number, language: "de", phoneCode: PhoneCodeText(code: "048213", minutes: 10),
                    expiresAt: Date() + 600)
                let textID = UUID.version7()
                for (role, mayCall) in [(PeerRole.gateway, false), (.auth, true)] {
                    let peer = try await host(role)
                    let client = try peer.requestClient(to: [.notification])
                    try await running([client]) {
                        do {
                            _ = try await client.call(NotificationMethods.sendMail, Nothing(), order, id: id)
                            _ = try await client.call(NotificationMethods.sendText, Nothing(), text, id: textID)
                            #expect(mayCall)
                        } catch let error as ServiceError {
                            #expect(!mayCall && error.code == .forbidden, "\(role): \(error)")
                        }
                    }
                    peer.close()
                }
                let file = "\(mails)/\(id.uuidString.lowercased()).eml"
                try await eventually("the mail") { FileManager.default.fileExists(atPath: file) }
                let mail = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
                #expect(mail.contains("To: <maya@example.org>") && mail.contains("Content-Language: de"))
                let textFile = "\(mails)/\(textID.uuidString.lowercased()).txt"
                try await eventually("the text") { FileManager.default.fileExists(atPath: textFile) }
                let words = String(decoding: FileManager.default.contents(atPath: textFile) ?? Data(), as: UTF8.self)
                #expect(words.hasPrefix("To: \(number)\r\n") && words.contains("\r\n\r\n048213 ist dein Code"))
            }
            service.close()
            _ = try await database.pool.query("DROP SCHEMA notification CASCADE")
        }
    }
}
