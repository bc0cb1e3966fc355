import AppStoreWire
import HTTPSurface
import Store

/// What App Store Connect and a sandbox control panel do, for the operator.
enum ConnectSurface {
    static let endpoints: [Endpoint] = [
        getClock, getDue, advanceClock, stepClock, runUntil, listApps, addApp, getApp, changeApp,
        getCatalogue, putCatalogue,
        listPrices, setPrice, setMonthlyBilling, setGeneric, setAvailability, deleteProduct, search,
        listJournal, countJournal,
        listCustomers,
        getCustomer, changeCustomer,
        setPaymentMethod, clearHistory, listDevices, getDevice, wipeDevice, removeDevice,
        getCustomerReceipt, getSharedSecret, makeSharedSecret, getPrimarySecret, makePrimarySecret,
        getSubscription, getTimeline, listMerchantRequests, listPendingChanges, getNextBill,
        expireSubscription, provokeNotification, provokeTest,
        listNotifications, getNotification, resendNotification,
        listFaults, addFault, removeFault, clearFaults,
        schedulePrice, withdrawPrice, unpreservePrice, listPriceChanges, listPriceCohorts,
        getPriceIncrease, explainPriceIncrease, explainBundle, getTimetable,
        listConsentThresholds, setConsentThreshold,
        listMassExtensions, listMassExtensionFailures, massExtend, retryMassExtension,
        extendSubscription,
        listPurchaseRequests, getPurchaseRequest, approvePurchase, declinePurchase,
        listRefundRequests, grantRefund, declineRefund, refundTransaction, reverseRefund,
        cancelSubscription, getProceeds, listLedger, listBills, getBill, answerBill,
        listOffers, createOffer, endOffer, listOfferCodes, makeOfferCodes, downloadOfferCodes,
        listOfferCodeRedemptions, endOfferCodes, listKeys, addKey, revokeKey,
        getOptIn, setOptIn, getOptInReport,
        listProcesses, getWorld, changeWorld, listSnapshots, makeSnapshot, removeSnapshot, rewind,
        listForks, makeFork, removeFork, listMails, getMail, getMailMessage,
        listFamilies, createFamily, getFamily, addFamilyMember, removeFamilyMember, endFamily,
        setSharing, listForgeries, forge,
    ]

    /// The environment that something belongs to.
    static let environmentSchema = Schema.choice(
        "Its environment.", StoreEnvironment.allCases.map(\.wire.rawValue))

    /// The shapes that have names of their own in `/openapi.json`.
    static let schemas: [(name: String, schema: Schema)] = [
        ("App", AppForm.app.schema), ("CatalogueProduct", catalogueProductSchema),
        ("Offer", offerSchema), ("Price", priceSchema),
        ("Customer", customerSchema), ("Subscription", subscriptionSchema),
        ("TimelineEntry", timelineEntrySchema), ("Alteration", alterationSchema),
        ("MerchantRequest", merchantRequestSchema), ("NextBill", nextBillSchema),
        ("Notification", notificationSchema),
        ("PriceChange", priceChangeSchema), ("PriceIncreaseExplanation", priceIncreaseSchema),
        ("BundlePriceExplanation", bundleSchema),
        ("MassExtension", ExtensionForm.massExtension.schema),
        ("RefundRequest", refundRequestSchema),
        ("PurchaseRequest", purchaseRequestSchema),
        ("Refund", refundSchema), ("ProceedsLine", proceedsLineSchema),
        ("LedgerEntry", ledgerEntrySchema),
        ("ConsentThreshold", consentThresholdSchema), ("Fault", faultSchema), ("Bill", billSchema),
        ("Process", processSchema), ("World", worldSchema), ("Snapshot", snapshotSchema),
        ("OfferCodes", offerCodesSchema), ("Key", keySchema), ("NewKey", newKeySchema),
        ("Mail", mailSchema), ("Fork", forkSchema),
        ("CopyUnderWay", copyUnderWaySchema),
        ("OptInTerms", optInTermsSchema), ("OptIn", optInSchema),
        ("Family", familySchema), ("SharedPurchase", .sharedPurchase), ("Device", deviceSchema),
        ("ForgeryKind", forgeryKindSchema), ("Forgery", forgerySchema),
    ]
}
