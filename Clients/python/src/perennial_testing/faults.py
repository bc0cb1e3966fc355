"""What goes wrong between the store and your server, by rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .store import Store


class Faults:
    """Each method adds a rule that holds from now on and returns its number. Rules end with the
    test, or with `clear`.

    A rule about notifications is for one type and subtype, or for all of them. `limits` are
    `count=1` (only so many times) and `percent=30` with `seed="any text"` (by chance, the same for
    the same seed).
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    # Notifications

    def lose(
        self, notification_type: str | None = None, subtype: str | None = None, **limits: Any
    ) -> int:
        """They never arrive, and the store believes that they did: nothing is sent again."""
        return self._notifications("loseNotifications", notification_type, subtype, limits)

    def drop(
        self, notification_type: str | None = None, subtype: str | None = None, **limits: Any
    ) -> int:
        """Attempts fail, and Production makes them again as Apple does: after 1, 12, 24, 48 and
        72 hours of the store's clock."""
        return self._notifications("dropNotifications", notification_type, subtype, limits)

    def repeat(
        self, notification_type: str | None = None, subtype: str | None = None, *,
        times: int = 1, **limits: Any,
    ) -> int:
        """They arrive so many times more."""
        return self._notifications(
            "repeatNotifications", notification_type, subtype, {"times": times, **limits})

    def delay(
        self, notification_type: str | None = None, subtype: str | None = None, *, by: str,
        **limits: Any,
    ) -> int:
        """They arrive later, by a duration of the store's clock, such as `PT5M`."""
        return self._notifications(
            "delayNotifications", notification_type, subtype, {"by": by, **limits})

    def reorder(
        self, notification_type: str | None = None, subtype: str | None = None, *,
        by: str = "PT1M", **limits: Any,
    ) -> int:
        """They arrive later by chance, by `by` at most, so that later ones overtake them."""
        return self._notifications(
            "reorderNotifications", notification_type, subtype, {"by": by, **limits})

    # Calls of the App Store Server API, all of them or those of one `operation`, such as
    # getAllSubscriptionStatuses.

    def fail_calls(
        self, error_code: int = 5000001, operation: str | None = None, **limits: Any
    ) -> int:
        """They are answered with one of Apple's error codes; 5000001 can be tried again."""
        return self._calls("failCalls", operation, {"errorCode": error_code, **limits})

    def limit_calls(self, operation: str | None = None, **limits: Any) -> int:
        """They are answered with 429 and a time to come back."""
        return self._calls("limitCalls", operation, limits)

    def slow_calls(self, by: str, operation: str | None = None, **limits: Any) -> int:
        """They are answered late: by real time, up to `PT30S`."""
        return self._calls("slowCalls", operation, {"by": by, **limits})

    def clear(self) -> None:
        """Removes all rules."""
        self._store.connect("DELETE", "/faults")

    def _notifications(
        self, kind: str, notification_type: str | None, subtype: str | None,
        details: dict[str, Any],
    ) -> int:
        if notification_type:
            details = {"notificationType": notification_type, **details}
        if subtype:
            details = {"subtype": subtype, **details}
        return self._add(kind, details)

    def _calls(self, kind: str, operation: str | None, details: dict[str, Any]) -> int:
        return self._add(kind, {"operation": operation, **details} if operation else details)

    def _add(self, kind: str, details: dict[str, Any]) -> int:
        return int(self._store.connect("POST", "/faults", {"kind": kind, **details})["id"])
