package import SubscriptionRules

/// Where a storefront lies: the region by which money and days are written there, and the zone
/// whose days they are. The store's own clock is nobody's: a mail that names the day before
/// another page does is a complaint.
package struct StorefrontPlace: Sendable {
    /// Two letters (ISO 3166-1).
    package let region: String
    /// Of the largest city where there are several (IANA).
    package let zone: String

    package init(_ storefront: Storefront) {
        self = Self.table[storefront.code] ?? Self(region: "US", zone: "UTC")
    }

    private init(region: String, zone: String) {
        self.region = region
        self.zone = zone
    }

    static let table: [String: StorefrontPlace] = Dictionary(
        uniqueKeysWithValues: text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ").map(String.init)
            return (parts[0], StorefrontPlace(region: parts[1], zone: parts[2]))
        })

    /// A line for each storefront: its code, its region, its zone.
    private static let text = """
        AFG AF Asia/Kabul
        AGO AO Africa/Luanda
        AIA AI America/Anguilla
        ALB AL Europe/Tirane
        ARE AE Asia/Dubai
        ARG AR America/Argentina/Buenos_Aires
        ARM AM Asia/Yerevan
        ATG AG America/Antigua
        AUS AU Australia/Sydney
        AUT AT Europe/Vienna
        AZE AZ Asia/Baku
        BEL BE Europe/Brussels
        BEN BJ Africa/Porto-Novo
        BFA BF Africa/Ouagadougou
        BGR BG Europe/Sofia
        BHR BH Asia/Bahrain
        BHS BS America/Nassau
        BIH BA Europe/Sarajevo
        BLR BY Europe/Minsk
        BLZ BZ America/Belize
        BMU BM Atlantic/Bermuda
        BOL BO America/La_Paz
        BRA BR America/Sao_Paulo
        BRB BB America/Barbados
        BRN BN Asia/Brunei
        BTN BT Asia/Thimphu
        BWA BW Africa/Gaborone
        CAN CA America/Toronto
        CHE CH Europe/Zurich
        CHL CL America/Santiago
        CHN CN Asia/Shanghai
        CIV CI Africa/Abidjan
        CMR CM Africa/Douala
        COD CD Africa/Kinshasa
        COG CG Africa/Brazzaville
        COL CO America/Bogota
        CPV CV Atlantic/Cape_Verde
        CRI CR America/Costa_Rica
        CYM KY America/Cayman
        CYP CY Asia/Nicosia
        CZE CZ Europe/Prague
        DEU DE Europe/Berlin
        DMA DM America/Dominica
        DNK DK Europe/Copenhagen
        DOM DO America/Santo_Domingo
        DZA DZ Africa/Algiers
        ECU EC America/Guayaquil
        EGY EG Africa/Cairo
        ESP ES Europe/Madrid
        EST EE Europe/Tallinn
        FIN FI Europe/Helsinki
        FJI FJ Pacific/Fiji
        FRA FR Europe/Paris
        FSM FM Pacific/Pohnpei
        GAB GA Africa/Libreville
        GBR GB Europe/London
        GEO GE Asia/Tbilisi
        GHA GH Africa/Accra
        GMB GM Africa/Banjul
        GNB GW Africa/Bissau
        GRC GR Europe/Athens
        GRD GD America/Grenada
        GTM GT America/Guatemala
        GUY GY America/Guyana
        HKG HK Asia/Hong_Kong
        HND HN America/Tegucigalpa
        HRV HR Europe/Zagreb
        HUN HU Europe/Budapest
        IDN ID Asia/Jakarta
        IND IN Asia/Kolkata
        IRL IE Europe/Dublin
        IRQ IQ Asia/Baghdad
        ISL IS Atlantic/Reykjavik
        ISR IL Asia/Jerusalem
        ITA IT Europe/Rome
        JAM JM America/Jamaica
        JOR JO Asia/Amman
        JPN JP Asia/Tokyo
        KAZ KZ Asia/Almaty
        KEN KE Africa/Nairobi
        KGZ KG Asia/Bishkek
        KHM KH Asia/Phnom_Penh
        KNA KN America/St_Kitts
        KOR KR Asia/Seoul
        KWT KW Asia/Kuwait
        LAO LA Asia/Vientiane
        LBN LB Asia/Beirut
        LBR LR Africa/Monrovia
        LBY LY Africa/Tripoli
        LCA LC America/St_Lucia
        LKA LK Asia/Colombo
        LTU LT Europe/Vilnius
        LUX LU Europe/Luxembourg
        LVA LV Europe/Riga
        MAC MO Asia/Macau
        MAR MA Africa/Casablanca
        MDA MD Europe/Chisinau
        MDG MG Indian/Antananarivo
        MDV MV Indian/Maldives
        MEX MX America/Mexico_City
        MKD MK Europe/Skopje
        MLI ML Africa/Bamako
        MLT MT Europe/Malta
        MMR MM Asia/Yangon
        MNE ME Europe/Podgorica
        MNG MN Asia/Ulaanbaatar
        MOZ MZ Africa/Maputo
        MRT MR Africa/Nouakchott
        MSR MS America/Montserrat
        MUS MU Indian/Mauritius
        MWI MW Africa/Blantyre
        MYS MY Asia/Kuala_Lumpur
        NAM NA Africa/Windhoek
        NER NE Africa/Niamey
        NGA NG Africa/Lagos
        NIC NI America/Managua
        NLD NL Europe/Amsterdam
        NOR NO Europe/Oslo
        NPL NP Asia/Kathmandu
        NRU NR Pacific/Nauru
        NZL NZ Pacific/Auckland
        OMN OM Asia/Muscat
        PAK PK Asia/Karachi
        PAN PA America/Panama
        PER PE America/Lima
        PHL PH Asia/Manila
        PLW PW Pacific/Palau
        PNG PG Pacific/Port_Moresby
        POL PL Europe/Warsaw
        PRT PT Europe/Lisbon
        PRY PY America/Asuncion
        QAT QA Asia/Qatar
        ROU RO Europe/Bucharest
        RUS RU Europe/Moscow
        RWA RW Africa/Kigali
        SAU SA Asia/Riyadh
        SEN SN Africa/Dakar
        SGP SG Asia/Singapore
        SLB SB Pacific/Guadalcanal
        SLE SL Africa/Freetown
        SLV SV America/El_Salvador
        SRB RS Europe/Belgrade
        STP ST Africa/Sao_Tome
        SUR SR America/Paramaribo
        SVK SK Europe/Bratislava
        SVN SI Europe/Ljubljana
        SWE SE Europe/Stockholm
        SWZ SZ Africa/Mbabane
        SYC SC Indian/Mahe
        TCA TC America/Grand_Turk
        TCD TD Africa/Ndjamena
        THA TH Asia/Bangkok
        TJK TJ Asia/Dushanbe
        TKM TM Asia/Ashgabat
        TON TO Pacific/Tongatapu
        TTO TT America/Port_of_Spain
        TUN TN Africa/Tunis
        TUR TR Europe/Istanbul
        TWN TW Asia/Taipei
        TZA TZ Africa/Dar_es_Salaam
        UGA UG Africa/Kampala
        UKR UA Europe/Kiev
        URY UY America/Montevideo
        USA US America/New_York
        UZB UZ Asia/Tashkent
        VCT VC America/St_Vincent
        VEN VE America/Caracas
        VGB VG America/Tortola
        VNM VN Asia/Ho_Chi_Minh
        VUT VU Pacific/Efate
        XKS XK Europe/Belgrade
        YEM YE Asia/Aden
        ZAF ZA Africa/Johannesburg
        ZMB ZM Africa/Lusaka
        ZWE ZW Africa/Harare
        """
}
