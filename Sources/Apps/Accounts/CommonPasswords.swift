/// Passwords of eight characters and more that stand at the head of every list of stolen ones, with those that Finnish
/// and Chinese speakers choose.
enum CommonPasswords {
  static let all: Set<String> = Set(
    """
    12345678 123456789 1234567890 12345678910 0123456789 01234567 87654321 987654321 0987654321 123123123 12341234
    12344321 11223344 1122334455 123321123 147258369 147852369 159357456 11111111 00000000 88888888 66666666 99999999
    20202020 69696969 password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword pa55word
    mypassword password! qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertz123 azertyuiop
    1qaz2wsx 1qaz2wsx3edc zaq12wsx qazwsxedc qazwsx123 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 asdfghjkl
    asdfasdf asdf1234 asdfghjk zxcvbnm123 zxcvbnm1 abcdefgh abcdefghi abcd1234 abcde12345 abc12345 abc123456 abc123456789
    a1234567 a12345678 a123456789 aa123456 aa12345678 1234abcd 1234qwer 12345qwert 123456789a 123456789q q12345678
    iloveyou iloveyou1 iloveyou2 princess princess1 sunshine sunshine1 football football1 baseball baseball1 basketball
    superman superman1 trustno1 starwars computer internet whatever michelle jennifer jessica1 charlie1 michael1 jordan23
    letmein1 letmein123 welcome1 welcome123 welcome1234 changeme changeme1 changeme123 administrator admin123 admin1234
    admin12345 admin123456 adminadmin root1234 test1234 testtest testing123 guest123 user1234 default1 secret123
    master123 dragon123 monkey123 shadow123 liverpool liverpool1 chelsea1 manchester arsenal1 samsung1 pokemon1 minecraft
    midnight danielle butterfly chocolate blink182 mercedes corvette mustang1 ferrari1 hello123 hello1234 helloworld
    google123 facebook facebook1 whatsapp switchboard switchboard1 december november september summer2024 summer2025
    summer2026 winter2024 winter2025 winter2026 spring2026 autumn2026 salasana salasana1 salasana12 salasana123
    salasana1234 kissakoira koirakissa kissa123 koira123 perkele1 perkele123 suomi123 suomi1234 helsinki helsinki1
    jaakiekko mansikka mansikka1 aurinko1 rakkaus1 minecraft1 keittio1 porkkana woaini1314 woaini520 woaini521 5201314520
    1314520520 520520520 wangyang zhangwei aini1314 qq123456 qq123456789 woaiwojia zxc123456 asd123456 qwe123456
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
