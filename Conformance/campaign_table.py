"""What a price increase must be for each kind of subscriber, from the rules alone.

Rule ids are those of the reference on subscriptions (INC, ACP, ACC, ACS, KOR) and on thresholds
(THR). No line was taken from what the program does. `renewal` is the first renewal at the new
price if everything that is needed happens: days before it are counted from there."""

from dataclasses import dataclass, replace
from datetime import date, timedelta

BEGIN = date(2027, 3, 1)
NOTICE, CONSENT, NOTHING = "notice", "consent", "nothing"

# By the calendars of ACC-12: the days before the renewal on which each method is due.
ASKED = {
    "P1W": [7], "P1M": [27, 20, 13, 6],
    **dict.fromkeys(["P2M", "P3M", "P6M", "P1Y"], [60, 53, 46, 39, 32, 25, 18, 11, 4])}
TOLD, PUSHED = 27, 7


@dataclass(frozen=True)
class Kind:
    """A kind of subscriber; each buys a SKU of its own, so that each has a price of its own."""

    name: str
    rules: str
    path: str
    bought: str
    renewal: str
    old: int
    new: int
    period: str = "P1M"
    storefront: str = "USA"
    currency: str = "USD"
    # What the customer does, with the days before `renewal`: see_, agree, decline, cancel.
    does: tuple = ()
    # Whether the new price is paid at `renewal`; else the old one, or nothing.
    pays: str = "new"
    # What happens besides, before and during the campaign: see campaign_play.
    life: tuple = ()
    offer: tuple = ()
    more: tuple = ()
    again: tuple = ()
    campaign: str = "spring"
    contact: bool = True
    # At which hour everything before the campaign happens, and so each renewal.
    hour: int = 10
    # Where no formula holds: days of mails and pushes, and all bills from BEGIN on.
    mailed: tuple = None
    pushed: tuple = None
    billed: tuple = None

    @property
    def at(self):
        return date.fromisoformat(self.renewal)

    @property
    def answered(self):
        """How many days before the renewal the customer answered."""
        return next((days for deed, days in self.does if deed in ENDS), -1)

    @property
    def seen(self):
        """How many days before the renewal the sheet was seen first."""
        return max((days for deed, days in self.does if deed != "cancel"), default=-1)

    def days(self, before):
        return [self.at - timedelta(days=one) for one in before]

    @property
    def mails(self):
        """The days of its mails."""
        if self.mailed is not None:
            return [date.fromisoformat(day) for day in self.mailed]
        if self.path == NOTICE:
            return self.days([TOLD])
        if self.path == CONSENT:
            # ACC-1, ACC-11: each method once a week, until an answer or a cancellation.
            return self.days(one for one in ASKED[self.period] if one >= self.answered)
        return []

    @property
    def sheet(self):
        """The day from which a launch of the app shows the sheet."""
        return self.mails[:1]

    @property
    def pushes(self):
        """The days of its pushes."""
        if self.pushed is not None:
            return [date.fromisoformat(day) for day in self.pushed]
        if self.path == NOTICE:
            # ACC-3: not where the sheet was viewed; ACC-11: not after a cancellation.
            stays = self.seen < PUSHED and self.answered < PUSHED
            return self.days([PUSHED]) if stays else []
        return self.mails

    @property
    def sums(self):
        """What a period cost before, and costs after."""
        return (self.old + sum(old for _, old, _ in self.more),
                self.new + sum(new for _, _, new in self.more))

    def owed(self, days):
        """What each of these periods costs; where no formula holds, what is billed."""
        if self.billed is not None:
            return {date.fromisoformat(day): price for day, price in self.billed}
        old, new = self.sums
        # ACC-5: of a bundle the item rises that needs no consent.
        later = {"new": new, "old": old, "nothing": None, "split": old - self.old + self.new,
                 "rest": self.new}[self.pays]
        owed = {day: old if day < self.at else later for day in days}
        if later is not None:
            owed.setdefault(self.at, later)
        return owed


ENDS = {"agree", "decline", "cancel"}


def told(name, rules, bought, renewal, old, new, **more):
    return Kind(name, rules, NOTICE, bought, renewal, old, new, **more)


def asked(name, rules, bought, renewal, old, new, **more):
    return Kind(name, rules, CONSENT, bought, renewal, old, new, **more)


def left(name, rules, bought, renewal, old, new, **more):
    return Kind(name, rules, NOTHING, bought, renewal, old, new, **{"pays": "old", **more})


AGREES, DECLINES = (("agree", 20),), (("decline", 13),)
EURO, POUND = {"currency": "EUR"}, {"storefront": "GBR", "currency": "GBP"}
YEN = {"storefront": "JPN", "currency": "JPY"}
WON = {"storefront": "KOR", "currency": "KRW"}
# The first two requests of the bundles whose items are told of and asked for apart.
SPLIT = ("2027-03-25", "2027-04-01")
WEEKLY, YEARLY = {"period": "P1W"}, {"period": "P1Y"}

KINDS = [
    # Months, from the same increase to the limits of the thresholds.
    told("monthly-told", "INC-1 THR-2 ACC-3", "2027-01-10", "2027-04-10", 9_990, 10_990),
    told("monthly-acknowledged", "ACC-3", "2027-01-11", "2027-04-11", 9_990, 14_980,
         does=(("acknowledged", 20),)),
    told("monthly-seen", "ACC-3 (viewed)", "2027-01-11", "2027-04-11", 9_990, 10_990,
         does=(("shown", 20),)),
    told("monthly-acknowledged-late", "ACC-3", "2027-01-11", "2027-04-11", 9_990, 10_990,
         does=(("acknowledged", 5),)),
    told("monthly-both-equal", "THR-4", "2027-01-18", "2027-04-18", 10_000, 15_000),
    told("monthly-amount-equal", "THR-4", "2027-01-18", "2027-04-18", 4_990, 9_990),
    told("monthly-half-unmet", "THR-2", "2027-01-19", "2027-04-19", 12_000, 17_500),
    told("monthly-large-but-half", "THR-2", "2027-01-19", "2027-04-19", 20_000, 29_990),
    asked("monthly-agrees", "INC-1 THR-1 ACC-1 ACC-2", "2027-01-12", "2027-04-12",
          10_000, 15_010, does=AGREES),
    asked("monthly-agrees-in-time", "ACP-2", "2027-01-12", "2027-04-12", 10_000, 15_010,
          does=(("agree", 2),)),
    asked("monthly-silent", "ACC-1 ACC-12 ACP-10", "2027-01-13", "2027-04-13", 4_990, 10_000,
          pays="old"),
    asked("monthly-closes", "ACC-1", "2027-01-13", "2027-04-13", 4_990, 10_000, pays="old",
          does=(("shown", 27),)),
    asked("monthly-declines", "ACC-2 ACP-10", "2027-01-14", "2027-04-14", 4_990, 10_000,
          does=DECLINES, pays="old"),
    told("monthly-cancels", "ACC-11", "2027-01-16", "2027-04-16", 9_990, 10_990,
         does=(("cancel", 15),), pays="nothing"),
    told("monthly-cancels-late", "ACC-11", "2027-01-16", "2027-04-16", 9_990, 10_990,
         does=(("cancel", 3),), pays="nothing"),
    asked("monthly-asked-cancels", "ACC-11", "2027-01-16", "2027-04-16", 4_990, 10_000,
          does=(("cancel", 15),), pays="nothing"),
    asked("monthly-agrees-and-cancels", "ACC-11", "2027-01-16", "2027-04-16", 4_990, 10_000,
          does=AGREES, life=(("off", "2027-04-05"),), pays="nothing"),
    # The first day of the campaign is exactly 27 days before, and a day more is too short.
    told("monthly-just-in-time", "INC-3", "2027-01-28", "2027-03-28", 9_990, 10_990),
    told("monthly-too-short", "INC-3", "2027-01-27", "2027-04-27", 9_990, 10_990),
    told("monthly-last-day", "7.3 worked dates", "2027-01-31", "2027-03-31", 9_990, 10_990),
    # Other lengths.
    told("weekly-told", "THR-2 ACC-6", "2027-01-08", "2027-04-02", 990, 4_990, **WEEKLY),
    told("weekly-acknowledged", "THR-2 ACC-6 ACC-3", "2027-01-08", "2027-04-02", 990, 4_990,
         does=(("acknowledged", 20),), **WEEKLY),
    asked("weekly-agrees", "INC-2 ACC-12", "2027-01-06", "2027-03-10", 990, 6_000,
          does=(("agree", 3),), **WEEKLY),
    asked("weekly-silent", "INC-2 ACC-12", "2027-01-06", "2027-03-10", 990, 6_000, pays="old",
          **WEEKLY),
    told("two-months-told", "INC-5", "2027-02-12", "2027-04-12", 9_990, 10_990, period="P2M"),
    asked("two-months-agrees", "INC-2 ACC-12", "2027-01-15", "2027-05-15", 9_990, 19_990,
          period="P2M", does=(("agree", 40),)),
    told("three-months-told", "INC-3 INC-5", "2026-12-20", "2027-06-20", 19_990, 21_990,
         period="P3M"),
    asked("three-months-agrees", "INC-2 ACC-12", "2027-02-10", "2027-05-10", 19_990, 39_990,
          period="P3M", does=(("agree", 10),)),
    told("six-months-told", "INC-5", "2026-10-01", "2027-04-01", 59_990, 69_990, period="P6M"),
    asked("six-months-silent", "THR-3 ACC-12", "2026-11-05", "2027-05-05", 59_990, 89_990,
          period="P6M", pays="old"),
    asked("six-months-agrees", "THR-3 ACC-12", "2026-11-06", "2027-05-06", 59_990, 89_990,
          period="P6M", does=(("agree", 33),)),
    told("yearly-told", "THR-4", "2026-04-08", "2027-04-08", 99_990, 149_990, **YEARLY),
    told("yearly-amount-unmet", "THR-3", "2026-04-09", "2027-04-09", 39_990, 79_990, **YEARLY),
    asked("yearly-agrees", "INC-1 ACC-12", "2026-05-20", "2027-05-20", 99_990, 150_000,
          does=(("agree", 46),), **YEARLY),
    asked("yearly-declines", "ACC-2", "2026-05-20", "2027-05-20", 99_990, 150_000,
          does=(("decline", 32),), pays="old", **YEARLY),
    left("yearly-too-short", "INC-2 INC-3", "2026-04-15", "2027-04-15", 99_990, 150_000, **YEARLY),
    # Storefronts.
    asked("germany-agrees", "THR-1a", "2027-01-15", "2027-04-15", 9_990, 10_090,
          storefront="DEU", does=(("agree", 27),), **EURO),
    asked("germany-silent", "THR-1a", "2027-01-15", "2027-04-15", 9_990, 10_090,
          storefront="DEU", pays="old", **EURO),
    asked("austria-declines", "THR-1a", "2027-01-15", "2027-04-15", 9_990, 10_090,
          storefront="AUT", does=DECLINES, pays="old", **EURO),
    asked("poland-agrees", "THR-1a", "2027-01-15", "2027-04-15", 19_990, 20_990,
          storefront="POL", currency="PLN", does=AGREES),
    told("france-told", "THR-2", "2027-01-17", "2027-04-17", 9_990, 10_990, storefront="FRA",
         **EURO),
    told("britain-told", "THR-2", "2027-01-17", "2027-04-17", 9_990, 10_990, **POUND),
    asked("britain-agrees", "THR-1b", "2027-01-17", "2027-04-17", 9_990, 29_990, does=AGREES,
          **POUND),
    told("japan-told", "THR-2", "2027-01-17", "2027-04-17", 1_000_000, 1_400_000, **YEN),
    asked("japan-silent", "THR-1b", "2027-01-17", "2027-04-17", 1_000_000, 5_000_000, pays="old",
          **YEN),
    told("korea-told", "KOR-9 THR-2", "2027-01-17", "2027-04-17", 10_000_000, 11_000_000, **WON),
    asked("korea-agrees", "KOR-9 THR-1b", "2027-01-17", "2027-04-17", 10_000_000, 50_000_000,
          does=AGREES, **WON),
    left("india", "ACP-5", "2027-01-17", "2027-04-17", 100_000, 120_000, storefront="IND",
         currency="INR"),
    # Who is not reached.
    left("monthly-off", "INC-8", "2027-02-17", "2027-03-17", 9_990, 10_990,
         life=(("off", "2027-02-20"),), pays="nothing"),
    left("monthly-off-at-once", "ACC-11", "2027-02-17", "2027-04-17", 9_990, 10_990,
         life=(("off", "2027-03-18"),), pays="nothing"),
    left("pays-more", "PRC-4 (no decrease here)", "2027-01-20", "2027-04-20", 10_990, 9_990),
    left("pays-it", "THR: equal", "2027-01-20", "2027-04-20", 9_990, 9_990),
    left("no-address", "ACC-3: mail is never dropped", "2027-01-20", "2027-04-20", 9_990, 10_990,
         contact=False),
    left("never-pays-again", "ACP-4 ACC-11", "2027-01-25", "2027-04-25", 9_990, 10_990,
         life=(("fails", "2027-02-20"),), billed=()),
    told("off-and-on", "table of states: blocked", "2027-01-20", "2027-04-20", 9_990, 10_990,
         life=(("off", "2027-02-22"), ("on", "2027-03-10"))),
    # Trials and offers: at least once the price of the day of purchase.
    told("trial", "INC-6 ACP-4", "2027-02-28", "2027-04-28", 9_990, 10_990, offer=("P1M", 1, 0)),
    told("discounted", "INC-6 ACP-4", "2027-02-10", "2027-06-10", 9_990, 10_990,
         offer=("P1M", 3, 990),
         billed=(("2027-03-10", 990), ("2027-04-10", 990), ("2027-05-10", 9_990),
                 ("2027-06-10", 10_990), ("2027-07-10", 10_990))),
    # In Korea the end of a trial is asked for within the 30 days before it, weekly; the increase
    # is another matter, and follows a period at the price of the day of purchase.
    told("korea-trial-agrees", "KOR-1 KOR-2 KOR-9 INC-6", "2027-02-20", "2027-04-20",
         10_000_000, 11_000_000, offer=("P1M", 1, 0), does=(("agree", 46),),
         mailed=("2027-03-01", "2027-03-24"), pushed=("2027-03-01", "2027-04-13"),
         billed=(("2027-03-20", 10_000_000), ("2027-04-20", 11_000_000),
                 ("2027-05-20", 11_000_000), ("2027-06-20", 11_000_000),
                 ("2027-07-20", 11_000_000)), **WON),
    told("korea-trial-silent", "KOR-1 KOR-2 KOR-5 ACC-12", "2027-02-20", "2027-04-20",
         10_000_000, 11_000_000, offer=("P1M", 1, 0), pays="nothing", billed=(),
         mailed=("2027-03-01", "2027-03-08", "2027-03-15"),
         pushed=("2027-03-01", "2027-03-08", "2027-03-15"), **WON),
    # Grace and billing retry.
    told("grace", "INC-7 ACC-11", "2027-01-22", "2027-05-22", 9_990, 10_990,
         life=(("fails", "2027-03-20"), ("recovers", "2027-03-27"))),
    told("grace-short", "INC-7 ACC-11", "2027-01-23", "2027-04-23", 9_990, 10_990,
         life=(("fails", "2027-03-20"), ("recovers", "2027-03-25"))),
    told("retry", "INC-7 ACC-11", "2027-01-24", "2027-04-15", 9_990, 10_990,
         life=(("fails", "2027-02-20"), ("recovers", "2027-03-15"))),
    told("weekly-grace", "ACC-11", "2027-01-07", "2027-04-15", 990, 4_990,
         life=(("fails", "2027-03-10"), ("recovers", "2027-03-13")),
         mailed=("2027-03-05", "2027-03-19"), pushed=("2027-04-08",), **WEEKLY),
    # Bundles.
    told("bundle-told", "ACC-4", "2027-01-21", "2027-04-21", 9_990, 10_990,
         more=(("bundle-told-sport", 1_990, 2_490),)),
    asked("bundle-silent", "ACC-5", "2027-01-21", "2027-04-21", 9_990, 10_990,
          more=(("bundle-silent-chess", 2_990, 9_990),), pays="split",
          mailed=("2027-03-25", *SPLIT, "2027-04-08", "2027-04-15"),
          pushed=(*SPLIT, "2027-04-08", "2027-04-14", "2027-04-15")),
    asked("bundle-agrees", "ACC-5", "2027-01-21", "2027-04-21", 9_990, 10_990,
          more=(("bundle-agrees-chess", 2_990, 9_990),), does=AGREES,
          mailed=("2027-03-25", *SPLIT), pushed=(*SPLIT, "2027-04-14")),
    # Another increase before.
    asked("again-agrees", "THR-1c", "2026-10-03", "2027-04-03", 9_990, 10_090,
          life=(("raised", "2026-11-05", 8_990),), does=AGREES),
    asked("again-silent", "THR-1c", "2026-10-03", "2027-04-03", 9_990, 10_090,
          life=(("raised", "2026-11-05", 8_990),), pays="old"),
    told("again-after-a-year", "THR-1c", "2026-01-05", "2027-04-05", 9_990, 10_090,
         life=(("raised", "2026-01-10", 8_990),)),
    # The other choices of a campaign: who is silent is asked again, who declines is cancelled.
    asked("asking-late", "ACC-10", "2027-01-12", "2027-04-12", 4_990, 10_000,
          does=(("agree", 1),), campaign="asking",
          billed=(("2027-03-12", 4_990), ("2027-04-12", 4_990), ("2027-05-12", 10_000),
                  ("2027-06-12", 10_000), ("2027-07-12", 10_000))),
    asked("asking-declines", "ACP-10", "2027-01-12", "2027-04-12", 4_990, 10_000,
          does=DECLINES, campaign="asking", pays="nothing"),
]


# When renewals come in the whole table: before the evening, when the play looks at a day.
HOURS = [6, 8, 10, 13, 16]


def at_hour(kind, hour):
    """Somebody else of the same kind, with SKUs of its own, whose renewals come at this hour."""
    if hour == kind.hour:
        return kind
    return replace(
        kind, name=f"{kind.name}-at-{hour}", hour=hour,
        more=tuple((f"{sku}-at-{hour}", old, new) for sku, old, new in kind.more))


# What takes little time, since all of it is over early in April.
QUICK = {
    "weekly-told", "weekly-agrees", "weekly-silent", "monthly-just-in-time", "monthly-last-day",
    "six-months-told", "again-agrees", "monthly-off"}


def store_managed(kind):
    """The same kind where the store tells and asks. Told and asked are the same days."""
    if kind.name == "bundle-agrees":
        # The store's messages are all seen before the answer, so that the notice needs no push.
        return replace(kind, pushed=SPLIT)
    if kind.path != CONSENT or kind.pays == "new":
        return kind
    # ACP-10, ACS-2: the item expires whose increase has no consent; of a bundle that item alone.
    if kind.pays == "split":
        return replace(kind, rules=f"{kind.rules} ACS-2", pays="rest")
    return replace(kind, rules=f"{kind.rules} ACP-10 ACS-2", pays="nothing")
