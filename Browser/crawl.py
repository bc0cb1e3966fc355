"""Which pages there are: whatever links of pages lead to, one of each kind."""

from urllib.parse import parse_qsl, urlsplit

# More kinds of pages than this are a crawl that has lost its way.
MOST = 90


def links_below(root):
    """What finds the links of a page that lead to others below a path."""
    return (f"[...document.querySelectorAll('a[href^=\"{root}\"]:not([download])')]"
            ".map(a => a.getAttribute('href'))")


LINKS = links_below("/console")

# Behind these words so many parts of a path say which one is meant.
SEVERAL = {
    "customers": 1, "subscriptions": 1, "notifications": 1, "extensions": 1, "catalogue": 2,
    "mailbox": 1, "families": 1, "requests": 1, "codes": 2, "offers": 2,
    "forgeries": 1, "devices": 1, "plans": 1, "purchases": 1, "buy": 1}


# The same at the merchant, whose accounts and campaigns are an app's.
SEVERAL_AT_MERCHANT = {
    "customers": 2, "unowned": 2, "campaigns": 2, "outages": 2, "plans": 1, "dead-letters": 1,
    "figures": 1, "price": 1}


def kind(address, several=SEVERAL):
    """What is the same of addresses that differ in what they are about.

    Of `/console/customers/anna` it is `/console/customers/{}`; of a query only the names count.
    """
    parts = urlsplit(address)
    same, which = [], 0
    for word in parts.path.split("/"):
        same.append("{}" if which else word)
        which = which - 1 if which else several.get(word, 0)
    return "/".join(same), tuple(sorted(name for name, _ in parse_qsl(parts.query)))


class Crawl:
    """Addresses to look at: those named, and one of each kind that they link to."""

    def __init__(self, addresses, several=SEVERAL):
        self._several = several
        self._waiting = list(dict.fromkeys(addresses))
        self._kinds = {self._kind(address) for address in self._waiting}
        self._seen = set()

    def _kind(self, address):
        return kind(address, self._several)

    def __iter__(self):
        while self._waiting:
            yield self._waiting.pop(0)

    def is_first_of_its_kind(self, address):
        """Asked once of each address."""
        is_new = self._kind(address) not in self._seen
        self._seen.add(self._kind(address))
        return is_new

    def meet(self, links):
        for link in links:
            link = link.split("#")[0]
            if self._kind(link) not in self._kinds:
                assert len(self._kinds) < MOST, f"too many kinds of pages: {sorted(self._kinds)}"
                self._kinds.add(self._kind(link))
                self._waiting.append(link)
