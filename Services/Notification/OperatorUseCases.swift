import FoundationEssentials
import Messaging
import WireProtocol

/// Who may see mails: auth says it, at each call, since a token may say what is over by now.
struct OperatorAccess: Sendable {
    /// - Throws: `forbidden`, `unauthenticated`; `unavailable` while auth is away, and then nobody sees anything.
    var require: @Sendable (_ caller: Caller) async throws -> Void
    /// The same, with a line in the audit log, once for each request id.
    var note: @Sendable (_ act: OperatorAct, _ caller: Caller, _ id: UUID) async throws -> Void
}

/// Where delivered mails or texts lie.
protocol MailShelf: Sendable {
    /// - Returns: The first so many bytes of a file; nil where there is none.
    func take(_ name: String, atMost count: Int) async throws -> [UInt8]?
}

extension DropFolder: MailShelf {}

/// What operators can ask: the list from the table, what a mail says from the folder.
struct OperatorUseCases<Records: MailRecords>: Sendable {
    let records: Records
    let access: OperatorAccess
    /// Where delivered ones lie; a channel that hands them to a server has none.
    let folders: [MailChannel: any MailShelf]
    let now: @Sendable () -> Date

    /// To whom it is stands in the first lines.
    private static var head: Int { 4096 }
    private static var largest: Int { 256 * 1024 }

    func mails(_ query: KeptMailQuery, for caller: Caller) async throws -> Page<KeptMail> {
        try await access.require(caller)
        let limit = min(max(1, query.limit ?? 20), KeptMailQuery.largest)
        var after: KeptMailID?
        if let cursor = query.cursor {
            guard let id = KeptMailID(cursor) else { throw ServiceError(.malformed, "The cursor is none of ours.") }
            after = id
        }
        let folder = folders[query.channel]
        var found = try await records.mails(
            query.channel, delivered: folder != nil, after: after, limit: limit + 1, now: now())
        let more = found.count > limit
        found = Array(found.prefix(limit))
        // As many files as the page has lines, however many there are.
        for index in found.indices where found[index].state == .delivered {
            found[index].to = await folder?.file(of: found[index], atMost: Self.head)?.to
        }
        return Page(items: found, next: more ? found.last?.id.description : nil)
    }

    /// What is not noted is not shown.
    func mail(_ id: KeptMailID, _ context: RequestContext) async throws -> KeptMailContent {
        try await access.require(context.caller)
        guard var mail = try await records.mail(id, now: now()), mail.state == .delivered,
            let file = await folders[mail.channel]?.file(of: mail, atMost: Self.largest)
        else { throw ServiceError.notFound("mail") }
        try await access.note(OperatorAct(.readMail, of: id.uuid), context.caller, context.id)
        mail.to = file.to
        return KeptMailContent(mail: mail, subject: file.subject, text: file.text)
    }

    func retry(_ id: KeptMailID, _ context: RequestContext) async throws {
        try await access.require(context.caller)
        guard try await records.mail(id, now: now()) != nil else { throw ServiceError.notFound("mail") }
        try await access.note(OperatorAct(.retryMail, of: id.uuid), context.caller, context.id)
        try await records.retry(id, now: now(), context)
    }
}

extension MailShelf {
    /// Nil where there is no such file any more. The name is made of an id that was read as one.
    fileprivate func file(of mail: KeptMail, atMost count: Int) async -> MailFile? {
        let name = "\(mail.id).\(mail.channel == .mail ? "eml" : "txt")"
        return (try? await take(name, atMost: count)).flatMap { MailFile($0) }
    }
}
