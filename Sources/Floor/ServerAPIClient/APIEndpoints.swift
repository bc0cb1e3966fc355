import AppStoreWire
import NIOHTTP1

/// Every endpoint of the API that a developer's server calls, without the deprecated ones that a
/// newer version replaces.
enum APIEndpoints {
    static let transactionInfo = APIEndpoint<Nothing, Nothing, TransactionInfoResponse>(
        .GET, "/inApps/v1/transactions/{transactionId}", RequestQuota("transaction", 50))
    static let history = APIEndpoint<TransactionHistoryRequest, Nothing, HistoryResponse>(
        .GET, "/inApps/v2/history/{anyTransactionId}", RequestQuota("history", 50))
    static let statuses = APIEndpoint<StatusFilter, Nothing, StatusResponse>(
        .GET, "/inApps/v1/subscriptions/{anyTransactionId}", RequestQuota("statuses", 50))
    static let appTransaction = APIEndpoint<Nothing, Nothing, AppTransactionInfoResponse>(
        .GET, "/inApps/v1/transactions/appTransactions/{anyTransactionId}",
        RequestQuota("appTransaction", 50))
    static let appAccountToken = APIEndpoint<Nothing, UpdateAppAccountTokenRequest, Void>(
        .PUT, "/inApps/v1/transactions/{originalTransactionId}/appAccountToken",
        RequestQuota("appAccountToken", 20))
    static let finish = APIEndpoint<Nothing, Nothing, Void>(
        .POST, "/inApps/v1/transactions/{transactionId}/finish", RequestQuota("finish", 50))
    // Apple names one limit for both versions.
    static let consumption = APIEndpoint<Nothing, ConsumptionRequest, Void>(
        .PUT, "/inApps/v2/transactions/consumption/{transactionId}",
        RequestQuota("consumption", 50))
    static let consumptionV1 = APIEndpoint<Nothing, ConsumptionRequestV1, Void>(
        .PUT, "/inApps/v1/transactions/consumption/{transactionId}",
        RequestQuota("consumption", 50))
    static let refunds = APIEndpoint<PagePlace, Nothing, RefundHistoryResponse>(
        .GET, "/inApps/v2/refund/lookup/{anyTransactionId}", RequestQuota("refunds", 10))
    static let order = APIEndpoint<Nothing, Nothing, OrderLookupResponse>(
        .GET, "/inApps/v1/lookup/{orderId}", RequestQuota("order", 10))
    static let extend = APIEndpoint<Nothing, ExtendRenewalDateRequest, ExtendRenewalDateResponse>(
        .PUT, "/inApps/v1/subscriptions/extend/{originalTransactionId}",
        RequestQuota("extend", 20))
    static let massExtend = APIEndpoint<
        Nothing, MassExtendRenewalDateRequest, MassExtendRenewalDateResponse
    >(.POST, "/inApps/v1/subscriptions/extend/mass", RequestQuota("massExtend", 1))
    // Apple publishes no limit for it: the smallest of the others.
    static let massExtendStatus = APIEndpoint<
        Nothing, Nothing, MassExtendRenewalDateStatusResponse
    >(
        .GET, "/inApps/v1/subscriptions/extend/mass/{productId}/{requestIdentifier}",
        RequestQuota("massExtendStatus", 1))
    static let testNotification = APIEndpoint<Nothing, Nothing, SendTestNotificationResponse>(
        .POST, "/inApps/v1/notifications/test", RequestQuota("testNotification", 1))
    static let testNotificationStatus = APIEndpoint<
        Nothing, Nothing, CheckTestNotificationResponse
    >(
        .GET, "/inApps/v1/notifications/test/{testNotificationToken}",
        RequestQuota("testNotificationStatus", 1))
    static let notificationHistory = APIEndpoint<
        PagePlace, NotificationHistoryRequest, NotificationHistoryResponse
    >(.POST, "/inApps/v1/notifications/history", RequestQuota("notificationHistory", 50))
    // The answer has signed texts, which notifications bring as well.
    static let changePrice = APIEndpoint<
        Nothing, AdvancedCommerceSubscriptionPriceChangeRequest, Void
    >(
        .POST, AdvancedCommerceEndpoint.changePrice.path,
        RequestQuota("changePrice", AdvancedCommerceEndpoint.changePrice.requestsPerSecond))
    static let cancel = APIEndpoint<Nothing, AdvancedCommerceSubscriptionCancelRequest, Void>(
        .POST, AdvancedCommerceEndpoint.cancel.path,
        RequestQuota("cancel", AdvancedCommerceEndpoint.cancel.requestsPerSecond))
}
