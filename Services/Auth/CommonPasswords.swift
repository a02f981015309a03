/// The passwords that guessers try first, of 8 characters and more, in lower case.
struct CommonPasswords: Hashable, Sendable {
    /// What is refused where the operator names no list.
    static let builtIn = CommonPasswords(all: Set(list.split(whereSeparator: \.isWhitespace).map(String.init)))

    private let all: Set<String>

    private init(all: Set<String>) { self.all = all }

    /// Those, and the eleven thousand of the package zxcvbn that are long enough: its lists are a program's text, with a line
    /// `"passwords": "123456,password,…".split(",")`.
    /// - Returns: Nil where there is no such line.
    init?(zxcvbn source: String) {
        guard let start = source.firstRange(of: "\"passwords\": \"")?.upperBound else { return nil }
        let words = source[start...].prefix { $0 != "\"" }.split(separator: ",")
        let long = words.lazy.filter { $0.utf8.count >= Password.lengths.lowerBound }.map { $0.lowercased() }
        guard !long.isEmpty else { return nil }
        all = Self.builtIn.all.union(long)
    }

    /// Also what is one character again and again, a run of the keyboard's digits, or a short piece repeated.
    func contains(_ folded: String) -> Bool {
        if all.contains(folded) { return true }
        let characters = Array(folded)
        return (1...3).contains { period in
            characters.indices.allSatisfy { characters[$0] == characters[$0 % period] }
        }
    }

    private static let list = """
        01234567 012345678 0123456789 11223344 1122334455 12121212 12341234 1234567 12345678 123456789 1234567890
        12345678910 12345679 123123123 1234qwer 123456aa 123456ab 123456abc 12344321 1234554321 147258369 159357123
        159753123 1a2b3c4d 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 20202020 87654321 987654321
        9876543210 98765432 99887766 a1234567 a12345678 a123456789 aa123456 aa12345678 abc12345 abc123456 abcd1234
        abcdefgh abcdefg1 abcdefghi access14 adminadmin admin123 admin1234 administrator alexander alexandra andromeda
        asdasdasd asdf1234 asdfasdf asdfghjk asdfghjkl asdfghjkl; baseball baseball1 basketball bismillah blink182
        butterfly caroline changeme changeme123 charlie1 chocolate christian christine computer computer1 corvette
        danielle darkness december default1 dolphins dragon123 einstein elephant elizabeth eminem123 facebook
        familyguy ferrari1 football football1 freedom1 friends1 gateway1 godzilla google123 hello123 hello1234
        helloworld hellokitty iloveyou iloveyou1 iloveyou2 iloveyou123 incorrect internet isabella jennifer jessica1
        jonathan jordan23 juventus kampong1 kampong123 kristina lasvegas letmein1 letmein123 letmeinnow liverpool
        liverpool1 lovelove loveyou1 manchester marlboro maverick mercedes metallica michael1 michelle midnight
        minecraft monkey123 monster1 motorola mustang1 mypassword myspace1 napoleon nicholas nintendo november
        november1 p@ssw0rd p@ssword p@ssword1 pa$$word pa55word passw0rd passw0rd1 password password! password0
        password01 password1 password1! password11 password12 password123 password1234 password12345 password2
        password3 password99 passwort patricia playboy1 playstation pokemon1 princess princess1 q1w2e3r4 q1w2e3r4t5
        qazwsx123 qazwsxedc qweasdzxc qwer1234 qwerasdf qwerqwer qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456
        qwerty1! qwertyui qwertyuiop qwertyuiop123 qwertz123 rockstar samantha samsung1 sandwich scorpion secret123
        september serenity shadow12 showtime singapore singapore1 slipknot snickers spiderman spiderman1 starcraft
        starwars starwars1 steelers summer123 sunshine sunshine1 superman superman1 superstar svetlana swordfish
        target123 teddybear test1234 test12345 testtest thomas123 tottenham trustno1 undertaker unknown1 valentina
        vanessa1 veronica victoria vladimir welcome1 welcome123 welcome2 westside whatever whatever1 william1
        wolverine xboxlive yankees1 yourmom1 zaq12wsx zaq1zaq1 zxcvbnm1 zxcvbnm123 zxcvbnm, zxcvbnma zxcv1234
        """
}
