"""Apple's own library, ready to be used against a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    from appstoreserverlibrary.api_client import AppStoreServerAPIClient
    from appstoreserverlibrary.models.Environment import Environment
    from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
except ImportError as error:
    raise ImportError("Apple's library is not installed: pip install 'perennial-testing[apple]'"
                      ) from error

if TYPE_CHECKING:
    from .store import Store


def client(store: Store) -> AppStoreServerAPIClient:
    made = AppStoreServerAPIClient(
        store.private_key, store.ready["keyId"], store.ready["issuerId"], store.bundle_id,
        Environment(store.environment))
    # The library has no other way to call anybody but Apple.
    made._base_url = store.url
    return made


def verifier(store: Store) -> SignedDataVerifier:
    return SignedDataVerifier(
        [store.root_certificate], False, Environment(store.environment), store.bundle_id,
        store.app_apple_id if store.environment == "Production" else None)
