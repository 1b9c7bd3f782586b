"""An independent model of how a subscription is billed (docs/contract.md, section 6; decisions 80 and 94).

Reads histories from standard input, one JSON object per line: the plan and the coupon at the start, and what happened at which second. Prints, per
line, what each charge must be and the credit at the end. It shares no code with the service, and must not.
"""

import calendar
import json
import sys
from datetime import datetime, timedelta
from fractions import Fraction

MONTHS = {"MONTHLY": 1, "QUARTERLY": 3, "SEMIANNUALLY": 6, "ANNUALLY": 12}
SAO_PAULO = timedelta(hours=-3)
LEAST = 100


def half_up(amount: Fraction) -> int:
    return (amount + Fraction(1, 2)).__floor__()


def later(second: int, cycle: str, periods: int) -> int:
    """The boundary so many periods after an anchor, by the calendar of São Paulo."""
    local = datetime(1970, 1, 1) + timedelta(seconds=second) + SAO_PAULO
    if cycle == "WEEKLY":
        return second + 7 * 86_400 * periods
    month = local.month - 1 + MONTHS[cycle] * periods
    year, month = local.year + month // 12, month % 12 + 1
    day = min(local.day, calendar.monthrange(year, month)[1])
    return int((local.replace(year=year, month=month, day=day) - SAO_PAULO - datetime(1970, 1, 1)).total_seconds())


class Subscription:
    def __init__(self, start: dict) -> None:
        self.price, self.cycle, self.coupon = start["price"], start["cycle"], start["coupon"]
        self.anchor = self.starts = start["at"]
        self.shift = 1  # Cycle n is period n - shift of the anchor.
        self.number, self.credit, self.usage = 1, 0, 0
        self.ends = later(self.anchor, self.cycle, 1)
        self.waiting = self.paused = None
        self.charges: list[list[int]] = []
        net = self.net(self.price, 1, self.coupon)
        # Parts of the present period: price of a whole one, seconds left when it began, cents charged, whether it is paid.
        self.parts = [[net, self.ends - self.starts, net, True]]
        self.length, self.is_part, self.used = self.ends - self.starts, False, 0
        self.failed = None  # The unpaid part that a pause has given up, until the next cycle.

    def net(self, price: int, number: int, coupon: dict | None) -> int:
        if coupon is None or (coupon["last"] is not None and number > coupon["last"]):
            return price
        off = min(coupon["value"], price) if coupon["kind"] == "FIXED" else half_up(Fraction(price * coupon["value"], 10_000))
        return price - off

    def charge(self, at: int, plan: int) -> None:
        """Opens the cycle that was made ready: the plan's cents, usage, less the credit."""
        cost = plan + self.usage
        due = max(0, cost - self.credit)
        amount = 0 if self.is_part and due < LEAST else due
        self.used = cost - amount
        self.credit -= self.used
        self.billed, self.usage, self.failed = self.usage, 0, None
        self.charges.append([self.number, at, amount])

    def whole(self, at: int) -> None:
        self.starts = later(self.anchor, self.cycle, self.number - self.shift)
        self.ends = later(self.anchor, self.cycle, self.number - self.shift + 1)
        self.length, self.is_part = self.ends - self.starts, False
        net = self.net(self.price, self.number, self.coupon)
        self.parts = [[net, self.length, net, False]]
        self.charge(at, net)

    def rest(self, at: int, left: int) -> None:
        """Charges what is left of a period at the present price: the period costs the sum of price × time, rounded once."""
        if self.coupon is not None and self.coupon["last"] is not None:
            self.coupon = {**self.coupon, "last": self.coupon["last"] + 1}
        net = self.net(self.price, self.number, self.coupon)
        plan = half_up(Fraction(self.worth(left) + net * left, self.length)) - sum(part[2] for part in self.parts)
        self.parts.append([net, left, plan, False])
        self.is_part = True
        self.charge(at, plan)

    def worth(self, left: int) -> int:
        """Price × seconds of what was used of the period until so many seconds are left of it."""
        until = [part[1] for part in self.parts[1:]] + [left]
        return sum(part[0] * max(0, part[1] - end) for part, end in zip(self.parts, until))

    def open(self, at: int) -> None:
        given_up, began, period = self.failed if self.is_part else None, self.starts, (self.anchor, self.shift)
        self.number += 1
        if self.waiting is not None:
            price, cycle = self.waiting
            if cycle != self.cycle:
                self.cycle, self.anchor, self.shift = cycle, self.ends, self.number
            self.price, self.waiting = price, None
        while later(self.anchor, self.cycle, self.number - self.shift + 1) <= at:
            self.shift -= 1
        if given_up is not None and (self.anchor, self.shift) == period and began == self.ends:
            self.ends = later(self.anchor, self.cycle, self.number - self.shift + 1)
            return self.rest(at, given_up[1])
        self.whole(at)

    def change(self, at: int, price: int, cycle: str, mode: str) -> None:
        self.waiting = None
        if mode == "NEXT":
            self.waiting = (price, cycle)
        elif mode == "NONE":
            if cycle != self.cycle:
                self.cycle, self.anchor, self.shift = cycle, self.ends, self.number + 1
            self.price = price
        elif mode == "DIFFERENCE" and self.parts:
            self.price, self.number, self.shift, self.starts = price, self.number + 1, self.shift + 1, at
            self.rest(at, self.ends - at)
        else:
            self.credit += sum(part[2] for part in self.parts) - half_up(Fraction(self.worth(self.ends - at), self.length))
            self.price, self.cycle, self.number = price, cycle, self.number + 1
            self.anchor, self.shift = at, self.number
            self.whole(at)

    def pause(self, at: int) -> None:
        self.paused = at
        if self.parts and not self.parts[-1][3]:
            self.credit, self.usage = self.credit + self.used, self.usage + self.billed
            self.failed = [*self.parts.pop(), self.ends]

    def resume(self, at: int, keeps: bool) -> None:
        paid, following = self.failed is None, self.number + 1
        if not keeps:
            self.ends = at + (max(0, self.ends - self.paused) if paid else 0)
            self.anchor, self.shift = self.ends, following
        elif not paid and self.failed[4] > at:
            self.ends, self.shift = self.starts, self.shift + 1
        elif self.ends <= at:
            index = following - self.shift
            while later(self.anchor, self.cycle, index) < at:
                index += 1
            self.ends, self.shift = later(self.anchor, self.cycle, index), following - index
        self.paused = None


for line in sys.stdin:
    history = json.loads(line)
    subscription = Subscription(history["start"])
    for act, at, *terms in history["acts"]:
        if act == "pay":
            subscription.parts[-1][3] = True
        elif act == "usage":
            subscription.usage += terms[0]
        else:
            getattr(subscription, act)(at, *terms)
    print(json.dumps({"charges": subscription.charges, "credit": subscription.credit}))
