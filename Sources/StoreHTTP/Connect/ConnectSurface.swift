/// What App Store Connect and a sandbox control panel do, for the operator.
enum ConnectSurface {
    static let endpoints: [Endpoint] = [
        getClock, advanceClock, stepClock, runUntil, listApps, addApp, getApp, changeApp,
        getCatalogue, putCatalogue,
        setPrice, setAvailability, listCustomers, getCustomer, changeCustomer, setPaymentMethod,
        getSubscription, getTimeline, expireSubscription, provokeNotification,
        listNotifications, listFaults, addFault, removeFault, clearFaults,
    ]

    /// The shapes that have names of their own in `/openapi.json`.
    static let schemas: [(name: String, schema: Schema)] = [
        ("App", appSchema), ("CatalogueProduct", catalogueProductSchema), ("Offer", offerSchema),
        ("Customer", customerSchema), ("Subscription", subscriptionSchema),
        ("TimelineEntry", timelineEntrySchema), ("Notification", notificationSchema),
        ("Fault", faultSchema),
    ]
}
