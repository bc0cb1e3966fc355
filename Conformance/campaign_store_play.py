"""The same campaign where the store tells and asks: what it wrote is read from its mailbox."""

from datetime import date

from campaign_play import Play
from story import Refused

TOLD = ["priceIncreaseConsent", "priceIncreaseNotice"]


class StorePlay(Play):
    def __init__(self, kinds, **more):
        super().__init__(kinds, route="storeManaged", **more)
        self.operator.configure(mails="everybody")

    def live(self, rehearse=None):
        super().live(rehearse)
        for kind in self.kinds:
            for sort in TOLD:
                for one in self.operator.mailbox(account=kind.name, kind=sort):
                    where = {"mail": self.mails, "push": self.pushes}.get(one["channel"])
                    if where is not None:
                        day = date.fromisoformat(one["created"][:10])
                        where[kind.name].append((day, one))
        for told in [self.mails, self.pushes]:
            for days in told.values():
                days.sort(key=lambda one: one[0])

    def shown(self, kind):
        """The messages about prices that a launch of the app shows."""
        return [one for one in self.customers[kind.name].in_app_messages()
                if one["kind"] in TOLD]

    def look(self, day):
        for kind in self.kinds:
            if kind.name in self.customers:
                self.offered[kind.name][day] = self.shown(kind)

    def do_shown(self, kind):
        for one in self.shown(kind):
            self.customers[kind.name].sees(one["id"])

    do_acknowledged = do_shown

    def _answers(self, kind, word):
        self.do_shown(kind)
        try:
            self.customers[kind.name].answers_increase(
                word, self.bought[kind.name].originalTransactionId)
        except Refused as refused:
            self.troubles.append(f"{kind.name}: {word}: {refused}")

    def do_agree(self, kind):
        self._answers(kind, "agree")

    def do_decline(self, kind):
        self._answers(kind, "decline")
