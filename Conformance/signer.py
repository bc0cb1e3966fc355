"""Somebody who signs as the App Store does, written without the store: certificates with Apple's
markers, and texts that Apple's own models say."""

import base64
import datetime
import json

from appstoreserverlibrary.models.LibraryUtility import _get_cattrs_converter
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

# By these Apple's verifiers know the certificates that sign purchases.
INTERMEDIATE_MARKER = x509.ObjectIdentifier("1.2.840.113635.100.6.2.1")
LEAF_MARKER = x509.ObjectIdentifier("1.2.840.113635.100.6.11.1")


class Signer:
    def __init__(self):
        root, root_key = _certificate("Root", None, is_authority=True)
        middle, middle_key = _certificate(
            "Intermediate", (root, root_key), is_authority=True, marker=INTERMEDIATE_MARKER)
        leaf, self._key = _certificate(
            "Leaf", (middle, middle_key), is_authority=False, marker=LEAF_MARKER)
        self.root = root.public_bytes(Encoding.DER)
        self._chain = [
            base64.b64encode(one.public_bytes(Encoding.DER)).decode()
            for one in [leaf, middle, root]]

    def sign(self, said):
        """Signs one of Apple's models, or JSON."""
        if not isinstance(said, dict):
            said = _get_cattrs_converter(type(said)).unstructure(said)
        text = f"{_part({'alg': 'ES256', 'x5c': self._chain})}.{_part(said)}"
        r, s = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{text}.{_base64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def _part(value):
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _certificate(name, issuer, is_authority, marker=None):
    """A certificate with a key of its own, signed by the issuer or by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([
        x509.NameAttribute(NameOID.COMMON_NAME, f"Conformance {name}"),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Conformance")])
    issuer_name = issuer[0].subject if issuer else subject
    issuer_key = issuer[1] if issuer else key
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer_name)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(datetime.datetime(2000, 1, 1))
        .not_valid_after(datetime.datetime(2100, 1, 1))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(_usage(is_authority), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False))
    if marker:
        builder = builder.add_extension(
            x509.UnrecognizedExtension(marker, b"\x05\x00"), critical=False)
    return builder.sign(issuer_key, hashes.SHA256()), key


def _usage(is_authority):
    return x509.KeyUsage(
        digital_signature=not is_authority, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=is_authority,
        crl_sign=is_authority, encipher_only=False, decipher_only=False)
