"""A relay that goes wrong as the recipient's name says. It prints its port and then nothing; each
mail that it takes is a file of JSON in the folder, written before it is answered."""

import argparse
import asyncio
import base64
import json
import os
import ssl

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

arguments = argparse.ArgumentParser()
arguments.add_argument("folder")
arguments.add_argument("--certificate")
arguments.add_argument("--key")
arguments.add_argument("--encrypted", action="store_true", help="from the first byte")
arguments.add_argument("--demands-starttls", action="store_true")
arguments.add_argument("--user")
arguments.add_argument("--password")
options = arguments.parse_args()

seen: dict[str, int] = {}
kept = 0


def first_time(address: str) -> bool:
    seen[address] = seen.get(address, 0) + 1
    return seen[address] == 1


class Relay:
    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        match address.partition("@")[0]:
            case "refused":
                return "550 5.1.1 No such mailbox"
            case "wordy":
                await server.push("550-5.7.1 We do not take mails from you.")
                return "550 5.7.1 Write to the postmaster"
            case "full" if first_time(address):
                return "452 4.2.2 The mailbox is full"
            case "slow":
                await asyncio.sleep(1)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server, session, envelope):
        name = envelope.rcpt_tos[0].partition("@")[0]
        if name == "unwanted":
            return "554 5.7.1 This looks like advertising"
        if name == "later" and first_time(envelope.rcpt_tos[0]):
            return "451 4.3.0 Try again later"
        keep(server, session, envelope)
        if name == "dies-after-end":
            server.transport.abort()
        if name == "silent-after-end":
            await asyncio.sleep(3600)
        return "250 2.0.0 Taken"


def keep(server, session, envelope):
    global kept
    kept += 1
    mail = {
        "from": envelope.mail_from,
        "to": envelope.rcpt_tos,
        "message": base64.b64encode(envelope.original_content).decode(),
        "encrypted": options.encrypted or session.ssl is not None,
        "user": session.auth_data.login.decode() if session.auth_data else None,
    }
    path = os.path.join(options.folder, f"{kept:04}.json")
    with open(path + ".new", "w") as file:
        json.dump(mail, file)
    os.rename(path + ".new", path)


class Server(SMTP):
    async def smtp_DATA(self, arg):
        if self.envelope.rcpt_tos and self.envelope.rcpt_tos[0].startswith("dies-in-data@"):
            await self.push("354 Go on")
            await self._reader.readline()
            self.transport.abort()
            return
        await super().smtp_DATA(arg)


def authenticate(server, session, envelope, mechanism, data):
    known = LoginPassword(options.user.encode(), options.password.encode())
    return AuthResult(success=data == known, handled=False, auth_data=data)


async def main():
    context = None
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
    loop = asyncio.get_running_loop()

    def make():
        return Server(
            Relay(),
            hostname="relay.test",
            loop=loop,
            data_size_limit=None,
            tls_context=None if options.encrypted else context,
            require_starttls=options.demands_starttls,
            authenticator=authenticate if options.user else None,
            auth_required=options.user is not None,
            auth_require_tls=False,
        )

    server = await loop.create_server(
        make, "127.0.0.1", 0, ssl=context if options.encrypted else None
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
