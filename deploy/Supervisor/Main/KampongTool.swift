import ArgumentParser

/// The operator's tool. Each command is a file of its own here.
@main
struct KampongTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kampong", abstract: "Looks after a Kampong: keys, processes, and what got stuck.",
        subcommands: [
            Keys.self, Supervise.self, Ping.self, DeadLetters.self, Mails.self, Roles<ModeratorRole>.self,
            Roles<OperatorRole>.self, Epoch.self,
        ])
}
