"""Apple's rate limits, where they are switched on."""

import time

import pytest
import requests
from apple import Developer
from appstoreserverlibrary.api_client import APIError, APIException
from appstoreserverlibrary.models.Environment import Environment
from perennial import Perennial

# One request a second, of which Sandbox has a tenth, counted by the hour.
LIMIT = 3600 // 10


@pytest.fixture(scope="module")
def limited():
    with Perennial("--rate-limits", "apple") as server:
        yield Developer(server, Environment.SANDBOX), server


def until_the_limit(call, most):
    """How many calls were let through before one was one too many."""
    for count in range(most + 1):
        try:
            call()
        except APIException as refusal:
            if refusal.api_error == APIError.RATE_LIMIT_EXCEEDED:
                assert refusal.http_status_code == 429
                return count
            assert refusal.api_error == APIError.INVALID_TEST_NOTIFICATION_TOKEN
    return None


def test_one_request_too_many_is_refused_until_the_hour_is_over(limited):
    developer, server = limited

    def call():
        developer.get_test_notification_status("nonsense")

    # A run over the full hour counts two hours.
    count = until_the_limit(call, 2 * LIMIT)
    assert count is not None and LIMIT <= count <= 2 * LIMIT

    response = requests.get(
        f"{server.url(Environment.SANDBOX)}/inApps/v1/notifications/test/nonsense",
        headers={"Authorization": f"Bearer {developer.client._generate_token()}"}, timeout=30)
    assert response.status_code == 429
    allowed, now = int(response.headers["Retry-After"]) / 1000, time.time()
    assert now < allowed <= now + 3600 and allowed % 3600 == 0

    # Other endpoints have limits of their own.
    with pytest.raises(APIException) as refusal:
        developer.get_transaction_info("1")
    assert refusal.value.api_error == APIError.TRANSACTION_ID_NOT_FOUND
