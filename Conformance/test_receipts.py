"""Receipts as programs of others read them: Apple's library, OpenSSL, and a parser of ASN.1.

The files are the golden ones of Tests/AppStoreSigningTests, which the Swift tests hold against what
is signed; the JSON beside each says what is in it."""

import base64
import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from asn1crypto import cms, core, x509

GOLDEN = Path(__file__).resolve().parent.parent / "Tests" / "AppStoreSigningTests" / "Golden"
DEVICE = bytes(range(0xA0, 0xB0))
APP_RECEIPTS = ["receipt-production", "receipt-sandbox", "receipt-xcode"]
OF_THE_STORE = APP_RECEIPTS[:2]
OPAQUE = {4, 5, 6, 7}


class Attribute(core.Sequence):
    _fields = [("type", core.Integer), ("version", core.Integer), ("value", core.OctetString)]


class Attributes(core.SetOf):
    _child_spec = Attribute


def receipt(name):
    return (GOLDEN / f"{name}.receipt").read_bytes()


def told(name):
    return json.loads((GOLDEN / f"{name}.json").read_text())


def text(name):
    return base64.b64encode(receipt(name)).decode()


def signed_data(name):
    info = cms.ContentInfo.load(receipt(name), strict=True)
    assert info["content_type"].native == "signed_data"
    return info["content"]


def payload(name):
    return signed_data(name)["encap_content_info"]["content"].native


def attributes(encoded):
    return [
        (one["type"].native, one["version"].native, one["value"].native)
        for one in Attributes.load(encoded, strict=True)
    ]


def describe(encoded):
    """What the JSON has to say of a set of attributes, read by asn1crypto alone."""
    described = []
    for kind, version, value in sorted(attributes(encoded), key=lambda one: one[0]):
        one = {"type": kind, "version": version}
        if kind == 17:
            one["attributes"] = describe(value)
        elif kind in OPAQUE:
            one["hex"] = value.hex()
        else:
            one["value"] = core.load(value, strict=True).native
        described.append(one)
    return described


def without_names(described):
    return [
        {key: without_names(value) if key == "attributes" else value
         for key, value in one.items() if key != "name"}
        for one in described
    ]


def canonical(described):
    return sorted(json.dumps(one, sort_keys=True) for one in described)


@pytest.mark.parametrize("name", APP_RECEIPTS)
def test_a_parser_of_asn1_finds_every_attribute_that_the_json_tells(name):
    assert canonical(describe(payload(name))) == canonical(without_names(told(name)["attributes"]))


@pytest.mark.parametrize("name", OF_THE_STORE)
def test_the_container_is_as_apples(name):
    data = signed_data(name)
    assert data["version"].native == "v1"
    assert [one["algorithm"].native for one in data["digest_algorithms"]] == ["sha256"]
    assert data["encap_content_info"]["content_type"].native == "data"
    [signer] = data["signer_infos"]
    assert signer["version"].native == "v1"
    assert signer["digest_algorithm"]["algorithm"].native == "sha256"
    assert signer["signature_algorithm"]["algorithm"].native == "rsassa_pkcs1v15"
    assert signer["signature_algorithm"]["algorithm"].dotted == "1.2.840.113549.1.1.1"
    assert signer["signed_attrs"].native is None
    assert signer["unsigned_attrs"].native is None
    assert len(signer["signature"].native) == 256
    assert signer["sid"].chosen["serial_number"].native == data["certificates"][0].chosen.serial_number


@pytest.mark.parametrize("name", OF_THE_STORE)
def test_the_certificates_are_leaf_intermediate_and_root_with_their_markers(name):
    leaf, intermediate, root = [one.chosen for one in signed_data(name)["certificates"]]
    assert root.dump() == (GOLDEN / "receipt-root-certificate.der").read_bytes()
    assert leaf.issuer == intermediate.subject
    assert intermediate.issuer == root.subject == root.issuer
    assert marked(leaf) == "1.2.840.113635.100.6.11.1"
    assert marked(intermediate) == "1.2.840.113635.100.6.2.1"
    for certificate in (leaf, intermediate, root):
        assert certificate.public_key.algorithm == "rsa"
        assert certificate.public_key.bit_size == 2048
    assert leaf.authority_key_identifier == intermediate.key_identifier


def marked(certificate: x509.Certificate):
    [marker] = [
        one["extn_id"].dotted for one in certificate["tbs_certificate"]["extensions"]
        if one["extn_id"].dotted.startswith("1.2.840.113635.")
    ]
    return marker


@pytest.mark.parametrize("name", OF_THE_STORE)
def test_openssl_verifies_the_signature_and_the_chain(name, tmp_path):
    content = tmp_path / "payload"
    verified = openssl(
        "cms", "-verify", "-inform", "DER", "-in", path(name), "-purpose", "any",
        "-CAfile", GOLDEN / "receipt-root-certificate.pem", "-out", content)
    assert verified.returncode == 0, verified.stderr
    assert content.read_bytes() == payload(name)


@pytest.mark.parametrize("name", OF_THE_STORE)
def test_openssl_refuses_a_receipt_that_was_changed(name, tmp_path):
    changed = tmp_path / "changed"
    changed.write_bytes(receipt(name).replace(b"org.example.garden", b"org.example.gardem"))
    verified = openssl(
        "cms", "-verify", "-inform", "DER", "-in", changed, "-purpose", "any",
        "-CAfile", GOLDEN / "receipt-root-certificate.pem", "-out", tmp_path / "payload")
    assert verified.returncode != 0


def test_openssl_verifies_the_signature_of_xcodes_form():
    verified = openssl(
        "cms", "-verify", "-inform", "DER", "-in", path("receipt-xcode"), "-noverify",
        "-out", "/dev/null")
    assert verified.returncode == 0, verified.stderr


def test_openssl_lists_three_certificates():
    listed = openssl(
        "pkcs7", "-inform", "DER", "-in", path("receipt-production"), "-print_certs", "-noout")
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.count("subject=") == 3


@pytest.mark.parametrize("name", APP_RECEIPTS)
def test_the_hash_is_over_device_opaque_value_and_bundle_as_stored(name):
    values = {kind: value for kind, _, value in attributes(payload(name)) if kind != 17}
    assert values[5] == hashlib.sha1(DEVICE + values[4] + values[2]).digest()


@pytest.mark.parametrize("name", APP_RECEIPTS)
def test_apples_library_finds_a_transaction(name):
    expected = {
        "receipt-production": {"70000000000001", "70000000000002", "70000000000003"},
        "receipt-sandbox": {None}, "receipt-xcode": {"0"},
    }[name]
    assert ReceiptUtility().extract_transaction_id_from_app_receipt(text(name)) in expected


def test_apples_library_finds_the_transaction_of_a_receipt_of_ios_6():
    found = ReceiptUtility().extract_transaction_id_from_transaction_receipt(
        text("receipt-transaction"))
    assert found == told("receipt-transaction")["receipt"]["transaction_id"] == "70000000000002"


def openssl(*arguments):
    return subprocess.run(
        ["openssl", *map(str, arguments)], capture_output=True, text=True, check=False)


def path(name):
    return GOLDEN / f"{name}.receipt"
