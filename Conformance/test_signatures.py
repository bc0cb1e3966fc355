"""Runs last: how much of what was given out was verified on the way."""

import apple
from perennial import BOTH


def test_more_than_a_hundred_signed_strings_were_verified():
    for environment in BOTH:
        count = sum(
            number for (name, _), number in apple.verified.items() if name == environment.value)
        assert count > 100, f"{count} in {environment.value}"


def test_every_kind_of_signed_string_was_verified():
    kinds = {"signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "signedPayload"}
    for environment in BOTH:
        assert kinds <= {member for name, member in apple.verified if name == environment.value}
