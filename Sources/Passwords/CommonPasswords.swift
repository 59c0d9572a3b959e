/// The words that most people's passwords are made of, gathered by hand: names, teams, animals, keyboards, endearments,
/// in several languages. `PasswordWeakness` looks a password up without its digits, signs and disguises. Each word then
/// stands for hundreds of passwords.
enum CommonPasswords {
    static let words: Set<String> = Set(
        """
        aaa abcabc abcd abcdef abcdefg abcdefgh access accessdenied acdc admin adminadmin administrator ahmed
        airforce aishiteru alexander alexandra allah always amanda amazon amen america american amor amoremio
        amorzinho andrea andreas andrew android angel angelito angels anna anonymous anthony anything apollo apple
        applepie apples april argentina arigato army arsenal asdf asdfasdf asdfgh asdfghjkl asdfjkl ashley asshole
        athena audi august australia autumn avengers azerty azertyuiop baby babyboy babygirl babylove banana bananas
        barbara barbie barcelona baseball basketball bastard batman bayern bayernmuenchen bear bears beatles
        beautiful beckham beer beethoven beijing benjamin berlin besiktas bible bicycle billionaire bismillah bitch
        black blackberry blackcat blackhawk blackjack blessed blessing blink blizzard blue bluemoon bluesky bmw
        bobcat bond bonita bonjour borussia boston boxing brasil brigitte brother brothers bubblegum bubbles buddha
        budweiser bugatti bulldog bulls bullshit bunny buttercup butterflies butterfly buttons california callofduty
        camaro canada candy captain captainamerica cash casino celtic champion champions changeit changeme
        changethis charizard charles charlie cheerleader cheese cheesecake chelsea cherry chevrolet chevy chicago
        china chiquita chocolat chocolate chouchou christ christian christopher church ciao ciaociao cinderella
        claudia clave cocacola coffee computer contrasena contraseña cookie cookies corazon corinthians corona
        corvette counterstrike covid cowboy cowboys cowgirl cricket cristiano crystal cutie cutiepie daddy dancer
        dancing daniel darkangel darkness darthvader david deadpool december default demon desktop deutschland
        developer devil diamond diamonds dienstag disney doctor dodgers doggy dollar dollars dolphin dolphins donald
        donaldduck donnerstag doraemon dortmund doudou dragon dragonball dragons drummer ducati eagle eagles ebay
        einstein elizabeth emerald eminem emma engel engineer england espana estrella everything evil facebook faith
        falcon familia familie family father fatima februar february felicidad fenerbahce ferrari firebird
        firefighter firefly fireman fisherman fishing flamengo florian florida flower flowers football footballer
        forever formula fortnite france freedom freitag friday friends friendship frodo fruehling fuckme fuckoff
        fuckyou fussball galatasaray galileo gameboy gamer games gaming gandalf ganesh garfield geheim geheimnis
        geheimwoord george germany ghost giants ginger gmail godisgood godislove goku gold golden goldeneye golf
        golfer goliath goodday goodlife goodluck google googlegoogle gorgeous gospel grace grandma grandpa green
        greenday guest guinness guitar guitarist hacked hacker hackers hallo hallohallo hallowelt halo hamburg
        hamburger handball hannah harley harleydavidson harry harrypotter hase hasi haslo hawk heather heaven
        heineken hello hellohello helloworld herbst hercules hermione hermosa hobbit hockey hogwarts homeoffice
        honda honey honeybee hope horse horses hotgirl hotmail hottie hulk hunter hunting hurricane icecream iceman
        idontcare idontknow ilovedad ilovejesus iloveme ilovemom iloveu iloveyou iloveyousomuch incorrect india
        inshallah instagram inter internet iphone ireland ironmaiden ironman istanbul italia jack jackpot jaguar
        james jamesbond januar january japan jedi jedimaster jeep jennifer jessica jesus jesuschrist jetaime john
        joker jonathan jordan jordan23 joseph joshua juergen julia justice juventus kawasaki kennwort keyboard king
        kingdom kitten kitty knight kobe kochanie korea krishna lakers lakshmi lamborghini laptop laura lawyer
        lebron leopard letmein letmeinnow liberty liebling lightning linda linkedin linkinpark linux lion lions lisa
        lisbon liverpool lockdown login logmein loki london losangeles loulou love lovelove lovely loveme lover
        lovers loveyou lucifer lucky luckydog luckyone luigi lyubov macintosh madrid magic mama manager manchester
        manchesterunited mancity maradona march maria marine mario mariposa markus marseille marvel mary master
        mastermind matrix matthew matthias mausi maverick maybe melissa mercedes merica messi metallica mexico
        michael michaeljordan michelle mickey mickeymouse micorazon microsoft milan million millionaire mima
        minecraft minnie miracle misiek mittwoch mivida mohammed mommy monday money moneymoney monika monkey
        monkeyboy monkeys monster monsters montag moon moonlight moscow motdepasse mother motherfucker motorcycle
        mozart muenchen muhammad munich music musica mustafa mustang mustangs mylove mypass mypasswd mypassword
        myspace napoli naruto natasha navy netflix network never nevermind newpassword newton newuser newyork neymar
        nicholas nicole nihao nihaoma ninja ninjas nintendo nirvana noaccess nobody noidea nomore noodles nopassword
        nothing november number numberone nurse obama october odin oliver onepiece onetwo onetwothree opensesame
        openup orange ourpassword packers palmeiras pandemic panther papa paris parol parola passphrase passw0rd
        passwd password password123 passwort patricia patriots paypal peaches peanut pearl pepper pepsi petra
        phoenix piano picasso pikachu pilot pineapple pirate pirates pizza pizzapizza platinum playstation pokemon
        poker poland police polska pony porsche poseidon potter prayer precious pretty prince princesa princess
        prinzessin privat private privet programmer pumpkin puppy purple qazwsx quarantine queen qweasd qweasdzxc
        qwer qwerasdf qwert qwerty qwertyuiop qwertz qwertzuiop rabbit rachel raiders rainbow rainbows rammstein
        ranger rangers realmadrid rebecca redhat redsox rich richard robert robin roblox rocknroll rockstar rockyou
        rollingstones rome ronaldo root ruby rugby running russia sabine safety sakura samantha samson samstag
        samsung samurai sandra sapphire sara sarah sasuke satan saturday saudade saxophone schalke schatz schatzi
        scooby scooter scotland sebastian secret secretword secure security senha september server sesame sexy
        sexygirl shadow shadows shanghai shaq shark shiva sifre signin signup silver singer sister sisters
        skateboard skater skywalker slipknot snoopy snowball snowboard snowflake snowman soccer soldier soleil
        someone something sometimes sommer sonntag sophie sparkle spatz spiderman spotify spring starlight startrek
        starwars steelers stefan stephanie storm stranger strawberry student subaru subscription subscriptions
        subtrack subtrackit sugar summer sunday sunflower sunrise sunset sunshine supergirl superman superstar
        superuser surfer surfing sushi suzuki sweetheart sweetie sweety swimming sysadmin teacher teamo telegram
        temp temporary temppass tennis tequiero tequila terminator test tester testing testtest texas thepassword
        thomas thor threefour thunder thursday tiger tigers tinkerbell tobias together tokyo toor topsecret tornado
        toyota treasure truelove trump trumpet trustme trustno trustnoone tuesday turkey tweety twitter ubuntu
        unknown usausa user username vaccine vampire victoria victory vienna violin vodka voldemort volkswagen
        volleyball wachtwoord wangyut warrior warriors wasd wednesday welcome welcomeback welcometo welkom werder
        werewolf whatever whatsapp whiskey white whocares wien wildcat william willkommen windows winner winning
        winter witch wizard woaini woaiwojia wodemima wolf wolfgang wolverine wolves wonderwoman wrestling xbox xxx
        yahoo yamaha yankee yankees yellow yoda yourpassword youtube zaq zaqwsx zelda zeus zombie zombies zuerich
        zxcv zxcvbn zxcvbnm
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
