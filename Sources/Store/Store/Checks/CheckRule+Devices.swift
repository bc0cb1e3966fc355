import Storage
import SubscriptionRules

/// What must hold among the rows of devices and their queues.
extension CheckRule {
    static let devices = [
        refers("device", "customer", to: "customer"),
        refers("device", "app", to: "app"),
        refers("sign_in", "device", to: "device", naming: "device"),
        refers("device_mark", "device", to: "device", naming: "device"),
        CheckRule(
            "device", "its owner has no copy of the app",
            """
            SELECT d.id FROM device d WHERE NOT EXISTS (
                SELECT 1 FROM customer_app a WHERE a.customer = d.customer AND a.app = d.app)
            """),
        CheckRule(
            "device_mark of device", "it marks what is not of its queue, or at another place",
            """
            SELECT m.device FROM device_mark m JOIN device d ON d.id = m.device
            LEFT JOIN store_transaction t ON t.id = m.transaction_id
            WHERE t.id IS NULL OR t.customer <> d.customer OR t.app <> d.app
                OR t.queued <> m.queued
            """),
        CheckRule(
            "store_transaction", "its place in the queues lies behind its last change",
            "SELECT t.id FROM store_transaction t WHERE t.queued > t.modification"),
        CheckRule(
            "store_transaction", "it is finished, and by no number, or the other way round",
            """
            SELECT t.id FROM store_transaction t
            WHERE (t.finished_at IS NULL) <> (t.finish_number IS NULL)
            """),
    ]
}
