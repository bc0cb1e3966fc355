"""Apple's own client library, unmodified: only the base URL is set to the running store."""

from collections import Counter

import attr
from appstoreserverlibrary.api_client import (
    AppStoreServerAPIClient, AsyncAppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

# Which verification fits the member in which a signed string stands.
VERIFICATIONS = {
    "signedTransactionInfo": SignedDataVerifier.verify_and_decode_signed_transaction,
    "signedTransactions": SignedDataVerifier.verify_and_decode_signed_transaction,
    "signedRenewalInfo": SignedDataVerifier.verify_and_decode_renewal_info,
    "signedAppTransactionInfo": SignedDataVerifier.verify_and_decode_app_transaction,
    "appTransaction": SignedDataVerifier.verify_and_decode_app_transaction,
    "signedPayload": SignedDataVerifier.verify_and_decode_notification,
}

# How many signed strings were verified in this run, by environment and member.
verified = Counter()


class Developer:
    """The developer's server in one environment: the library's client and its verifier.

    Every method of the client can be called on it; whatever a reply has signed is verified.
    """

    def __init__(self, server, environment, **otherwise):
        self.environment = environment
        self._arguments = {
            "signing_key": server.private_key, "key_id": server.ready["keyId"],
            "issuer_id": server.ready["issuerId"], "bundle_id": server.bundle_id,
            "environment": environment, **otherwise,
        }
        self._url = server.url(environment)
        self.client = AppStoreServerAPIClient(**self._arguments)
        self.client._base_url = self._url
        # Strict checks of the certificates are the library's default.
        self.verifier = SignedDataVerifier(
            [server.root_certificate], False, environment, server.bundle_id,
            server.app_apple_id if environment == Environment.PRODUCTION else None)
        self._known = {}

    def asynchronous(self):
        client = AsyncAppStoreServerAPIClient(**self._arguments)
        client._base_url = self._url
        return client

    def __getattr__(self, name):
        method = getattr(self.client, name)

        def call(*arguments, **named):
            reply = method(*arguments, **named)
            self.check(reply)
            return reply

        return call

    def decode(self, member, signed):
        """Verifies one signed string and whatever is signed inside of it."""
        key = (member, signed)
        if key not in self._known:
            self._known[key] = decoded = VERIFICATIONS[member](self.verifier, signed)
            verified[self.environment.value, member] += 1
            self.check(decoded)
        return self._known[key]

    def transaction(self, signed):
        return self.decode("signedTransactionInfo", signed)

    def renewal_info(self, signed):
        return self.decode("signedRenewalInfo", signed)

    def notification(self, signed):
        return self.decode("signedPayload", signed)

    def app_transaction(self, signed):
        return self.decode("signedAppTransactionInfo", signed)

    def check(self, reply):
        """Verifies every signed string in a reply: one of the library's models, or JSON."""
        if isinstance(reply, dict):
            members = reply.items()
        elif isinstance(reply, (list, tuple)):
            members = [(None, item) for item in reply]
        elif attr.has(type(reply)):
            members = [(field.name, getattr(reply, field.name)) for field in attr.fields(type(reply))]
        else:
            return
        for name, value in members:
            if name in VERIFICATIONS and value is not None:
                for signed in value if isinstance(value, list) else [value]:
                    self.decode(name, signed)
            else:
                assert not (isinstance(value, str) and value.startswith("eyJ")), f"what is {name}?"
                self.check(value)

    def pages(self, transaction_id, version=GetTransactionHistoryVersion.V2, revision=None, **filters):
        """All pages of a customer's history."""
        request = TransactionHistoryRequest(**filters)
        while True:
            page = self.get_transaction_history(transaction_id, revision, request, version)
            yield page
            if not page.hasMore:
                return
            revision = page.revision

    def history(self, transaction_id, **arguments):
        """A customer's whole history, decoded."""
        return [
            self.transaction(signed) for page in self.pages(transaction_id, **arguments)
            for signed in page.signedTransactions
        ]
