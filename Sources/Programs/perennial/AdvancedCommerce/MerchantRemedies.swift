/// What to do at this terminal about an error of Advanced Commerce, by Apple's number; what the
/// error itself says is enough for most.
enum MerchantRemedies {
    static func remedy(_ code: Int64) -> String? { all[code] }

    private static let all: [Int64: String] = [
        4_000_082:
            "Leave --consistency-token out, or give that of the newest renewal info.",
        4_000_097: "Leave --request-id out: each request has a number of its own then.",
        4_000_116:
            "`perennial product generic PRODUCT on` lets a product stand for what a merchant "
            + "describes; "
            + "`perennial product availability PRODUCT` says where it is for sale.",
        4_000_133: "`perennial customer list` lists where each account is at home.",
        4_000_145: "`perennial status SUBSCRIPTION` lists the items.",
        4_000_146: "`perennial status SUBSCRIPTION` lists the items.",
        4_000_167:
            "`perennial product generic PRODUCT on` lets a product stand for what a merchant "
            + "describes.",
        4_000_171:
            "`perennial ac create-subscription --account ACCOUNT` and its siblings sign one and "
            + "buy with it.",
        4_000_114: "`perennial status ACCOUNT` shows the subscription that has the item.",
        4_000_174:
            "`perennial app keys list` shows the keys that are good; what signs is the ready "
            + "file's, "
            + "or that of --key.",
        4_000_205: "`perennial price of SUBSCRIPTION` says what was told and when.",
        4_000_220: "`perennial status SUBSCRIPTION` lists the items.",
        4_030_010: "`perennial status SUBSCRIPTION` shows how it stands.",
        4_030_011: "`perennial status ACCOUNT` shows the subscription that there is.",
        4_040_010:
            "`perennial timeline SUBSCRIPTION --all` shows the transactions of one; --bundle-id "
            + "names the app.",
    ]
}
