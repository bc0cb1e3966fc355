"""The OpenAPI descriptions: of our own two surfaces, and of the App Store Server API."""

import re

import pytest
import requests
from appstoreserverlibrary.models.Environment import Environment
from openapi_spec_validator import validate
from perennial import BOTH

METHODS = {"get", "put", "post", "patch", "delete"}


@pytest.fixture(scope="module", params=BOTH, ids=lambda environment: environment.value)
def described(request, server):
    url = server.url(request.param)
    return url, ours(url)


def test_the_descriptions_are_valid_openapi(server):
    urls = [server.url(environment) for environment in BOTH]
    own = ours(urls[0])
    assert ours(urls[1]) == own
    for one in [own, *map(apples, urls)]:
        validate(one)
        assert one["openapi"].startswith("3.1")


def test_the_app_store_server_api_is_described_as_it_is_here(described, request):
    url, _ = described
    paths = apples(url)["paths"]
    assert all(path.startswith(("/inApps/", "/advancedCommerce/")) for path in paths)
    is_sandbox = request.node.callspec.params["described"] == Environment.SANDBOX
    assert ("/inApps/v1/lookup/{orderId}" in paths) != is_sandbox


def ours(url):
    return requests.get(f"{url}/openapi.json", timeout=30).json()


def apples(url):
    return requests.get(f"{url}/openapi/app-store-server-api.json", timeout=30).json()


def test_the_description_covers_both_surfaces(described):
    _, description = described
    paths = description["paths"]
    assert any(path.startswith("/storefront/v1/") for path in paths)
    assert any(path.startswith("/connect/v1/") for path in paths)


def test_everything_described_is_there(described):
    url, description = described
    for path, item in description["paths"].items():
        for method in METHODS & set(item):
            concrete = re.sub(r"\{[^}]*\}", "1", path)
            response = requests.request(method, url + concrete, json={}, timeout=30)
            assert response.status_code not in (404, 405, 500), (method, path, response.text)


def test_liveness_and_metrics_need_no_token(server):
    url = server.url(Environment.PRODUCTION)
    assert requests.get(f"{url}/health", timeout=30).json() == {"status": "ok"}
    metrics = requests.get(f"{url}/metrics", timeout=30)
    assert metrics.headers["Content-Type"].startswith("text/plain")
    assert re.search(r"^# TYPE \w+ (counter|gauge|histogram|summary)$", metrics.text, re.MULTILINE)
