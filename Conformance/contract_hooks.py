"""What the schema-driven tester has to know of the store, read by it from SCHEMATHESIS_HOOKS."""

import itertools
import json
import os
from datetime import datetime
from pathlib import Path

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase
from schemathesis.specs.openapi.checks import (
    content_type_conformance, response_schema_conformance)

# Identifiers that exist, by the name of the parameter.
KNOWN = json.loads(os.environ["PERENNIAL_KNOWN"])

NOW = int(datetime.fromisoformat(os.environ["PERENNIAL_START"]).timestamp() * 1000)
DAYS = 100 * 86_400

# Bodies that chance does not find.
USUAL = {
    "putCatalogue": json.loads(Path(os.environ["PERENNIAL_CATALOGUE"]).read_text()),
    "runUntil": {"notification": "DID_RENEW"},
    # In small steps, so that the clock does not end before the tests do.
    "advanceClock": {"by": "P1D"},
    "stepClock": {"count": 2},
}

# Errors about the form of a request: whoever keeps to the description never meets them.
FORM = {
    "malformedJSON", "unknownMember", "missingMember", "invalidMember", "unknownParameter",
    "eitherByOrTo", "nothingToChange", "onlyWithAnotherBehaviour", "otherKind",
}

# Apple's numbers do not tell form from content. These say of well-formed requests that members do
# not go together, or that a token is none of ours.
CONTENT = {
    "getTransactionHistory": {4000005, 4000016, 4000030},
    "getTransactionHistoryV1": {4000005, 4000016, 4000030},
    "getRefundHistory": {4000005},
    "getNotificationHistory": {4000012, 4000013, 4000014, 4000017, 4000018, 4000019},
    "setAppAccountToken": {4000048, 4000187},
    "finishTransaction": {4000048},
    "getTransactionInfo": {4000048},
    "sendConsumption": {4000000, 4000044, 4000048, 4000209},
    "sendConsumptionV1": {4000047},
    "massExtendRenewalDates": {4000023},
}


# Every third value stays as it was generated. Requests come one after the other and in the same
# order in every run, so counting them is no chance.
turns = itertools.count()


def known(operation, name, value):
    """Something that exists in place of most values."""
    choices = KNOWN.get(f"{operation}.{name}") or KNOWN.get(name)
    turn = next(turns)
    return choices[turn // 3 % len(choices)] if choices and turn % 3 else value


@schemathesis.hook
def before_call(context, case, **_):
    meta = case.meta
    if meta is None:
        return
    operation = case.operation.definition.raw["operationId"]
    # In the stateful phase identifiers come from replies, and mean just those.
    is_linked = meta.phase.name == TestPhase.STATEFUL
    if not is_linked and not meta.is_negative_at(ParameterLocation.PATH):
        for name, value in (case.path_parameters or {}).items():
            case.path_parameters[name] = known(operation, name, value)
    if operation == "listUpdates" and (case.query or {}).get("wait") in range(1, 61):
        # Nothing changes meanwhile: a minute later it would say the same.
        case.query["wait"] = 0
    if isinstance(case.body, dict) and not meta.is_negative_at(ParameterLocation.BODY):
        case.body = {
            name: member(operation, name, value) for name, value in case.body.items()}
        if operation in USUAL and next(turns) % 3:
            case.body = USUAL[operation]


def member(operation, name, value):
    """What a member that is as described says, so that there is something to find."""
    match name:
        case "notificationUrl" | "sandboxNotificationUrl":
            # Nothing leaves this machine.
            return os.environ["PERENNIAL_LISTENER"] if value else value
        case "startDate":
            return NOW - 1000 * (value % DAYS) if next(turns) % 4 else value
        case "endDate":
            return NOW + 1000 * (value % DAYS) + 1 if next(turns) % 4 else value
        case "bundleId" if operation == "addApp":
            return value
        case "bundleId" | "productId" | "originalTransactionId" | "transactionId":
            return known(operation, name, value)
    return value


@schemathesis.check
def body_is_described(context, response, case):
    """Where there is a body it is as described. OpenAPI cannot say that one is only sometimes
    there, and Apple answers a malformed request with a bare 400."""
    if response.status_code == 400 and not response.content and "inApps" in case.path:
        assert "content-type" not in response.headers
        return
    content_type_conformance(context, response, case)
    response_schema_conformance(context, response, case)


@schemathesis.check
def form_is_right(context, response, case):
    """A request that is as described is never refused for its form."""
    meta = case.meta
    if response.status_code != 400 or meta is None or not meta.generation.mode.is_positive:
        return
    body = response.json() if response.content else {}
    name = case.operation.definition.raw["operationId"]
    if "error" in body:
        assert body["error"] not in FORM, body
    else:
        assert body.get("errorCode") in CONTENT.get(name, ()), body
