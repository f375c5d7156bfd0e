import ApusAlgorithms

/// The fixed data: real species and stations, and invented names of birds and people.
enum NaturalHistory {
  static let species: [Species] = [
    make(
      "Apus apus", "Common Swift|Tornseglare|Vencejo común|ヨーロッパアマツバメ", "Apodidae", "LEAST_CONCERN", 42, 22000, 36..<50,
      "Europe|Central Asia", "Congo Basin|Mozambique"),
    make(
      "Hirundo rustica", "Barn Swallow|Ladusvala|Golondrina común|ツバメ", "Hirundinidae", "LEAST_CONCERN", 33, 20000,
      16..<24, "Europe|Asia|North America", "South Africa|Argentina|Philippines"),
    make(
      "Sterna paradisaea", "Arctic Tern|Silvertärna|Charrán ártico|キョクアジサシ", "Laridae", "LEAST_CONCERN", 80, 70900,
      86..<127, "Arctic coasts", "Antarctic pack ice"),
    make(
      "Limosa lapponica", "Bar-tailed Godwit|Myrspov|Aguja colipinta|オオソリハシシギ", "Scolopacidae", "NEAR_THREATENED", 75,
      29000, 230..<450, "Alaska|Lapland|Siberia", "New Zealand|Wadden Sea|Banc d’Arguin"),
    make(
      "Calidris pygmaea", "Spoon-billed Sandpiper|Skedsnäppa|Correlimos cuchareta|ヘラシギ", "Scolopacidae",
      "CRITICALLY_ENDANGERED", 36, 16000, 29..<34, "Chukotka", "Myanmar|Bangladesh"),
    make(
      "Ciconia ciconia", "White Stork|Vit stork|Cigüeña blanca|シュバシコウ", "Ciconiidae", "LEAST_CONCERN", 215, 20000,
      2300..<4400, "Europe|Maghreb", "Sahel|South Africa"),
    make(
      "Grus grus", "Common Crane|Trana|Grulla común|クロヅル", "Gruidae", "LEAST_CONCERN", 220, 8000, 4500..<6100,
      "Scandinavia|Russia", "Extremadura|Ethiopia"),
    make(
      "Grus japonensis", "Red-crowned Crane|Japansk trana|Grulla de Manchuria|丹頂", "Gruidae", "VULNERABLE", 240, 4200,
      7000..<10500, "Amur|Hokkaido", "Yellow Sea coast|Korea"),
    make(
      "Anser indicus", "Bar-headed Goose|Stripgås|Ánsar indio|インドガン", "Anatidae", "LEAST_CONCERN", 150, 8000,
      1800..<3200, "Mongolia|Tibet", "India"),
    make(
      "Falco amurensis", "Amur Falcon|Amurfalk|Cernícalo del Amur|アカアシチョウゲンボウ", "Falconidae", "LEAST_CONCERN", 70,
      22000,
      97..<188, "Manchuria|Amur", "Southern Africa"),
    make(
      "Falco eleonorae", "Eleonora’s Falcon|Eleonorafalk|Halcón de Eleonora|エレオノラハヤブサ", "Falconidae", "LEAST_CONCERN",
      95,
      18000, 350..<450, "Mediterranean islands", "Madagascar"),
    make(
      "Pandion haliaetus", "Osprey|Fiskgjuse|Águila pescadora|ミサゴ", "Pandionidae", "LEAST_CONCERN", 160, 13000,
      1200..<2000, "Northern lakes of the Old World|North America", "West Africa|Amazon"),
    make(
      "Cuculus canorus", "Common Cuckoo|Gök|Cuco común|カッコウ", "Cuculidae", "LEAST_CONCERN", 58, 16000, 105..<130,
      "Europe|Asia", "Congo Basin"),
    make(
      "Upupa epops", "Eurasian Hoopoe|Härfågel|Abubilla|ヤツガシラ", "Upupidae", "LEAST_CONCERN", 46, 10000, 46..<89,
      "Southern Europe|Asia", "Sahel|India"),
    make(
      "Merops apiaster", "European Bee-eater|Biätare|Abejaruco europeo|ヨーロッパハチクイ", "Meropidae", "LEAST_CONCERN", 46,
      14000,
      44..<78, "Southern Europe|Kazakhstan", "Zambia|Angola"),
    make(
      "Luscinia svecica", "Bluethroat|Blåhake|Ruiseñor pechiazul|オガワコマドリ", "Muscicapidae", "LEAST_CONCERN", 22, 9000,
      14..<25, "Fells of Scandinavia|Alaska", "Senegal|India"),
    make(
      "Oenanthe oenanthe", "Northern Wheatear|Stenskvätta|Collalba gris|ハシグロヒタキ", "Muscicapidae", "LEAST_CONCERN", 29,
      29000, 18..<33, "Eurasia|Greenland|Alaska", "Sub-Saharan Africa"),
    make(
      "Acrocephalus paludicola", "Aquatic Warbler|Vattensångare|Carricerín cejudo|ミズベヨシキリ", "Acrocephalidae",
      "VULNERABLE", 18, 12000, 10..<14, "Belarus|Poland", "Senegal Delta|Mali"),
    make(
      "Emberiza aureola", "Yellow-breasted Bunting|Gyllensparv|Escribano aureolado|シマアオジ", "Emberizidae",
      "CRITICALLY_ENDANGERED", 22, 9500, 17..<26, "Siberia", "South-east Asia"),
    make(
      "Numenius arquata", "Eurasian Curlew|Storspov|Zarapito real|ダイシャクシギ", "Scolopacidae", "NEAR_THREATENED", 90, 6000,
      575..<950, "Northern Europe|Siberia", "Atlantic coasts|Indian Ocean"),
    make(
      "Puffinus puffinus", "Manx Shearwater|Mindre lira|Pardela pichoneta|マンクスミズナギドリ", "Procellariidae",
      "LEAST_CONCERN",
      82, 28000, 350..<450, "Wales|Iceland|Azores", "Patagonian shelf"),
    make(
      "Pterodroma madeira", "Zino’s Petrel|Madeirasiska petrellen|Petrel freira|マデイラミズナギドリ", "Procellariidae",
      "ENDANGERED", 83, 14000, 180..<230, "Madeira", "Atlantic Ocean"),
    make(
      "Phylloscopus trochilus", "Willow Warbler|Lövsångare|Mosquitero musical|キタヤナギムシクイ", "Phylloscopidae",
      "LEAST_CONCERN", 20, 18000, 7..<13, "Northern Eurasia", "Sub-Saharan Africa"),
    make(
      "Archilochus colubris", "Ruby-throated Hummingbird|Rubinkolibri|Colibrí gorjirrubí|ノドアカハチドリ", "Trochilidae",
      "LEAST_CONCERN", 10, 6000, 3..<6, "Eastern North America", "Yucatán|Costa Rica"),
  ].enumerated().map { index, species in
    var species = species
    species.index = index
    return species
  }

  static let stations: [Station] = [
    station("Ottenby", "Sweden", "OBSERVATORY", 56.197, 16.399, 1946, "https://ottenby.example/"),
    station("Falsterbo Fågelstation", "Sweden", "OBSERVATORY", 55.384, 12.817, 1955, "https://falsterbo.example/"),
    station("Skagen Grå Fyr", "Denmark", "OBSERVATORY", 57.745, 10.647, 1972, "https://skagen.example/"),
    station("Helgoland", "Germany", "OBSERVATORY", 54.187, 7.883, 1910, "https://helgoland.example/"),
    station("Rybachy Рыбачий", "Russia", "NETTING_SITE", 55.154, 20.857, 1956, "https://rybachy.example/"),
    station("Höfn", "Iceland", "NETTING_SITE", 64.254, -15.208, 2005, nil),
    station("Bardsey – Ynys Enlli", "Wales", "OBSERVATORY", 52.762, -4.795, 1953, "https://bardsey.example/"),
    station("Doñana", "Spain", "WETLAND_HIDE", 36.988, -6.434, 1964, "https://donana.example/"),
    station("Estrecho, Tarifa", "Spain", "OBSERVATORY", 36.003, -5.608, 1997, nil),
    station("Camargue – Tour du Valat", "France", "WETLAND_HIDE", 43.510, 4.667, 1954, "https://valat.example/"),
    station("İzmir Kuş Cenneti", "Türkiye", "WETLAND_HIDE", 38.550, 26.880, 1982, nil),
    station("Hula עמק החולה", "Israel", "WETLAND_HIDE", 33.067, 35.600, 1994, "https://hula.example/"),
    station("Djoudj", "Senegal", "WETLAND_HIDE", 16.417, -16.167, 1971, nil),
    station("Ngulia", "Kenya", "NETTING_SITE", -3.000, 38.217, 1969, nil),
    station("Hasle, Sunyani", "Ghana", "NETTING_SITE", 7.336, -2.328, 2011, nil),
    station("Chumbe – Pemba", "Tanzania", "NETTING_SITE", -6.280, 39.176, 1994, "https://chumbe.example/"),
    station("Langebaan", "South Africa", "WETLAND_HIDE", -33.150, 18.050, 1985, "https://langebaan.example/"),
    station("谷津干潟", "Japan", "WETLAND_HIDE", 35.676, 140.003, 1994, "https://yatsu.example/"),
    station("釧路湿原", "Japan", "WETLAND_HIDE", 43.060, 144.380, 1980, "https://kushiro.example/"),
    station("崇明东滩", "China", "WETLAND_HIDE", 31.517, 121.950, 1998, nil),
    station("유부도", "South Korea", "NETTING_SITE", 35.993, 126.596, 2009, nil),
    station("Pūkorokoro Miranda", "New Zealand", "WETLAND_HIDE", -37.180, 175.317, 1975, "https://miranda.example/"),
    station("Punta Rasa, Samborombón", "Argentina", "NETTING_SITE", -36.290, -56.780, 1984, nil),
    station("Delta Marsh", "Canada", "OBSERVATORY", 50.183, -98.383, 1992, "https://delta.example/"),
  ].enumerated().map { index, station in
    var station = station
    station.index = index
    return station
  }

  /// Names that are difficult for terminals: letters beyond ASCII, wide characters, combining marks and emoji.
  static let firstNames = """
    Åsa|Björk|Çelik|Dvořák|Élodie|Freyja|Göran|Håkon|Íñigo|Joaquín|Kō|Łucja|Mañana|Núria|Ørn|Peña|Quetzal|Rúna|Søren
    Tomé|Übermut|Vår|Wren|Xiuh|Ýmir|Zoë|Aino|Bosse|Corvo|Dag|Eos|Fjord|Gull|Hilde|Ida|Jarl|Kestrel|Lumi|Mistral|Nord
    Otso|Pip|Quill|Rasmus|Sol|Tuuli|Ulla|Vento|Wiebke|Yuki|Zephyr|ツバメ|小鳥|飛鳥|ハヤブサ|鶴|千鳥|燕子|云雀|제비|두루미|Птичка
    Ласточка|Χελιδόνι|سنونو|नीलकंठ|🐦 Pip|🪶 Quill|🦅 Aquila|🦢 Svan|E\u{301}owyn|A\u{30A}ngstro\u{308}m
    """
    .split { $0 == "|" || $0 == "\n" }.map { String($0.trimming { $0 == " " }) }

  static let bynames = """
    the Swift|Longwing|av Öland|el Niño|of the North|Greywing|på Vift|der Weiße|la Rápida|O’Skye|from Höfn|the Late|Wavecrest
    Nightflyer|el Ártico|the Bold|Stormborn|Señor Viento|the Small|Stillwater|日本海|der Zugvogel|the Third|Farflight|las Nubes
    the Unseen|Redleg|av Skagen|Sunseeker|the Old
    """
    .split { $0 == "|" || $0 == "\n" }.map { String($0.trimming { $0 == " " }) }

  static let observers = [
    "Ingrid Åkesson", "José Núñez", "Mai Sato", "佐藤 健", "Hülya Yılmaz", "Siân Rhys", "Piotr Żak", "Ngozi Okafor",
    "김민서", "Aroha Ngata", "Luís Conceição", "Anneke de Vries",
  ]

  static let notes = [
    "Moult of the primaries nearly done.", "Bit the ringer, as usual.", "Fat score 5: ready to leave.",
    "Left leg healed after an old fracture.", "Sang in the bag. 🎶", "Caught twice this morning – «again you».",
    "Ring from another scheme replaced.",
  ]

  static let remarks = [
    "In a flock of about forty.", "Alone on the mudflat.", "High, heading south-west.", "Ring read with a telescope.",
    "Seen from the ferry – waves 2 m.", "朝、干潟で採餌。", "Posado en un alambre con otras golondrinas.",
  ]

  static let behaviours = ["FEEDING", "MIGRATING", "RESTING", "SINGING"]
  static let winds = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
  static let skies = ["☀️ clear", "🌤 fair", "☁️ overcast", "🌧 rain", "🌫 fog", "❄️ snow showers"]

  // Not inlined, because there is a call for each species.
  @inline(never)
  private static func make(
    _ scientificName: String, _ commonNames: String, _ family: String, _ status: String, _ wingspan: Double,
    _ journey: Int, _ weight: Range<Int>, _ breeding: String, _ wintering: String
  ) -> Species {
    Species(
      index: 0, scientificName: scientificName, commonNames: commonNames.split(separator: "|").map(String.init),
      family: family, status: status, wingspan: wingspan, journey: journey, weight: weight,
      breeding: breeding.split(separator: "|").map(String.init),
      wintering: wintering.split(separator: "|").map(String.init))
  }

  private static func station(
    _ name: String, _ country: String, _ kind: String, _ latitude: Double, _ longitude: Double, _ founded: Int,
    _ website: String?
  ) -> Station {
    Station(
      index: 0, name: name, country: country, kind: kind,
      coordinates: Coordinates(latitude: latitude, longitude: longitude), founded: founded, website: website)
  }
}
