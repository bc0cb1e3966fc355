extension Storefront {
    /// The storefronts of the App Store, as data: a line each with the code, Apple's number, the
    /// currency, its decimals and the English name (AMT-4, AMT-5). Apple adds one now and then.
    /// The numbers are Apple's storefront identifiers as they appear in signed transactions.
    private static let text = """
        AFG 143610 USD 2 Afghanistan
        AGO 143564 USD 2 Angola
        AIA 143538 USD 2 Anguilla
        ALB 143575 USD 2 Albania
        ARE 143481 AED 2 United Arab Emirates
        ARG 143505 USD 2 Argentina
        ARM 143524 USD 2 Armenia
        ATG 143540 USD 2 Antigua and Barbuda
        AUS 143460 AUD 2 Australia
        AUT 143445 EUR 2 Austria
        AZE 143568 USD 2 Azerbaijan
        BEL 143446 EUR 2 Belgium
        BEN 143576 USD 2 Benin
        BFA 143578 USD 2 Burkina Faso
        BGR 143526 EUR 2 Bulgaria
        BHR 143559 USD 2 Bahrain
        BHS 143539 USD 2 Bahamas
        BIH 143612 EUR 2 Bosnia and Herzegovina
        BLR 143565 USD 2 Belarus
        BLZ 143555 USD 2 Belize
        BMU 143542 USD 2 Bermuda
        BOL 143556 USD 2 Bolivia
        BRA 143503 BRL 2 Brazil
        BRB 143541 USD 2 Barbados
        BRN 143560 USD 2 Brunei
        BTN 143577 USD 2 Bhutan
        BWA 143525 USD 2 Botswana
        CAN 143455 CAD 2 Canada
        CHE 143459 CHF 2 Switzerland
        CHL 143483 CLP 0 Chile
        CHN 143465 CNY 2 China mainland
        CIV 143527 USD 2 Côte d'Ivoire
        CMR 143574 USD 2 Cameroon
        COD 143613 USD 2 Congo, Democratic Republic of the
        COG 143582 USD 2 Congo, Republic of the
        COL 143501 COP 0 Colombia
        CPV 143580 USD 2 Cape Verde
        CRI 143495 USD 2 Costa Rica
        CYM 143544 USD 2 Cayman Islands
        CYP 143557 EUR 2 Cyprus
        CZE 143489 CZK 2 Czech Republic
        DEU 143443 EUR 2 Germany
        DMA 143545 USD 2 Dominica
        DNK 143458 DKK 0 Denmark
        DOM 143508 USD 2 Dominican Republic
        DZA 143563 USD 2 Algeria
        ECU 143509 USD 2 Ecuador
        EGY 143516 EGP 2 Egypt
        ESP 143454 EUR 2 Spain
        EST 143518 EUR 2 Estonia
        FIN 143447 EUR 2 Finland
        FJI 143583 USD 2 Fiji
        FRA 143442 EUR 2 France
        FSM 143591 USD 2 Micronesia
        GAB 143614 USD 2 Gabon
        GBR 143444 GBP 2 United Kingdom
        GEO 143615 USD 2 Georgia
        GHA 143573 USD 2 Ghana
        GMB 143584 USD 2 Gambia
        GNB 143585 USD 2 Guinea-Bissau
        GRC 143448 EUR 2 Greece
        GRD 143546 USD 2 Grenada
        GTM 143504 USD 2 Guatemala
        GUY 143553 USD 2 Guyana
        HKG 143463 HKD 0 Hong Kong
        HND 143510 USD 2 Honduras
        HRV 143494 EUR 2 Croatia
        HUN 143482 HUF 0 Hungary
        IDN 143476 IDR 0 Indonesia
        IND 143467 INR 0 India
        IRL 143449 EUR 2 Ireland
        IRQ 143617 USD 2 Iraq
        ISL 143558 USD 2 Iceland
        ISR 143491 ILS 2 Israel
        ITA 143450 EUR 2 Italy
        JAM 143511 USD 2 Jamaica
        JOR 143528 USD 2 Jordan
        JPN 143462 JPY 0 Japan
        KAZ 143517 KZT 0 Kazakhstan
        KEN 143529 USD 2 Kenya
        KGZ 143586 USD 2 Kyrgyzstan
        KHM 143579 USD 2 Cambodia
        KNA 143548 USD 2 St. Kitts and Nevis
        KOR 143466 KRW 0 Republic of Korea
        KWT 143493 USD 2 Kuwait
        LAO 143587 USD 2 Laos
        LBN 143497 USD 2 Lebanon
        LBR 143588 USD 2 Liberia
        LBY 143567 USD 2 Libya
        LCA 143549 USD 2 St. Lucia
        LKA 143486 USD 2 Sri Lanka
        LTU 143520 EUR 2 Lithuania
        LUX 143451 EUR 2 Luxembourg
        LVA 143519 EUR 2 Latvia
        MAC 143515 USD 2 Macau
        MAR 143620 USD 2 Morocco
        MDA 143523 USD 2 Moldova
        MDG 143531 USD 2 Madagascar
        MDV 143488 USD 2 Maldives
        MEX 143468 MXN 0 Mexico
        MKD 143530 USD 2 North Macedonia
        MLI 143532 USD 2 Mali
        MLT 143521 EUR 2 Malta
        MMR 143570 USD 2 Myanmar
        MNE 143619 EUR 2 Montenegro
        MNG 143592 USD 2 Mongolia
        MOZ 143593 USD 2 Mozambique
        MRT 143590 USD 2 Mauritania
        MSR 143547 USD 2 Montserrat
        MUS 143533 USD 2 Mauritius
        MWI 143589 USD 2 Malawi
        MYS 143473 MYR 2 Malaysia
        NAM 143594 USD 2 Namibia
        NER 143534 USD 2 Niger
        NGA 143561 NGN 0 Nigeria
        NIC 143512 USD 2 Nicaragua
        NLD 143452 EUR 2 Netherlands
        NOR 143457 NOK 0 Norway
        NPL 143484 USD 2 Nepal
        NRU 143606 USD 2 Nauru
        NZL 143461 NZD 2 New Zealand
        OMN 143562 USD 2 Oman
        PAK 143477 PKR 0 Pakistan
        PAN 143485 USD 2 Panama
        PER 143507 PEN 2 Peru
        PHL 143474 PHP 0 Philippines
        PLW 143595 USD 2 Palau
        PNG 143597 USD 2 Papua New Guinea
        POL 143478 PLN 2 Poland
        PRT 143453 EUR 2 Portugal
        PRY 143513 USD 2 Paraguay
        QAT 143498 QAR 2 Qatar
        ROU 143487 RON 2 Romania
        RUS 143469 RUB 0 Russia
        RWA 143621 USD 2 Rwanda
        SAU 143479 SAR 2 Saudi Arabia
        SEN 143535 USD 2 Senegal
        SGP 143464 SGD 2 Singapore
        SLB 143601 USD 2 Solomon Islands
        SLE 143600 USD 2 Sierra Leone
        SLV 143506 USD 2 El Salvador
        SRB 143500 EUR 2 Serbia
        STP 143598 USD 2 Sao Tome and Principe
        SUR 143554 USD 2 Suriname
        SVK 143496 EUR 2 Slovakia
        SVN 143499 EUR 2 Slovenia
        SWE 143456 SEK 0 Sweden
        SWZ 143602 USD 2 Eswatini
        SYC 143599 USD 2 Seychelles
        TCA 143552 USD 2 Turks and Caicos Islands
        TCD 143581 USD 2 Chad
        THA 143475 THB 0 Thailand
        TJK 143603 USD 2 Tajikistan
        TKM 143604 USD 2 Turkmenistan
        TON 143608 USD 2 Tonga
        TTO 143551 USD 2 Trinidad and Tobago
        TUN 143536 USD 2 Tunisia
        TUR 143480 TRY 2 Türkiye
        TWN 143470 TWD 0 Taiwan
        TZA 143572 TZS 0 Tanzania
        UGA 143537 USD 2 Uganda
        UKR 143492 USD 2 Ukraine
        URY 143514 USD 2 Uruguay
        USA 143441 USD 2 United States
        UZB 143566 USD 2 Uzbekistan
        VCT 143550 USD 2 St. Vincent and the Grenadines
        VEN 143502 USD 2 Venezuela
        VGB 143543 USD 2 British Virgin Islands
        VNM 143471 VND 0 Vietnam
        VUT 143609 USD 2 Vanuatu
        XKS 143624 EUR 2 Kosovo
        YEM 143571 USD 2 Yemen
        ZAF 143472 ZAR 2 South Africa
        ZMB 143622 USD 2 Zambia
        ZWE 143605 USD 2 Zimbabwe
        """

    private static let lines = text.split(separator: "\n").map {
        $0.split(separator: " ", maxSplits: 4).map(String.init)
    }

    /// The table, in the order of the codes.
    static let table = lines.map { parts in
        Row(
            code: parts[0], id: parts[1], name: parts[4],
            currency: Currency(everUsed: parts[2])!)
    }

    /// The currencies of the table, each once.
    fileprivate static let currencies = lines.reduce(into: [Currency.Row]()) { known, parts in
        guard !known.contains(where: { $0.code == parts[2] }) else { return }
        known.append(Currency.Row(code: parts[2], decimals: parts[3] == "0" ? 0 : 2))
    }
}

extension Currency {
    /// Currencies in which nothing is sold any more, since the euro took their place: Bulgaria's
    /// (2026), Croatia's (2023), Lithuania's (2015), Latvia's (2014) and Estonia's (2011).
    static let retired = ["BGN", "HRK", "LTL", "LVL", "EEK"]

    /// Every currency that prices are or were in.
    static let table = Storefront.currencies + retired.map { Row(code: $0, decimals: 2) }
}
