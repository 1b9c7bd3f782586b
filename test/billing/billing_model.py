"""An independent model of how a subscription is billed (docs/contract.md, section 6; decisions 80, 94 and 111).

Reads histories, one JSON object per line: plan, add-ons, coupon and meters at the start, and what happened at which second. Prints what each charge must be, the
credit at the end, and what a cancellation charges then. It shares no code with the service, and must not.
"""

import calendar
import json
import math
import sys
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import count

MONTHS = {"MONTHLY": 1, "QUARTERLY": 3, "SEMIANNUALLY": 6, "ANNUALLY": 12}
EPOCH = datetime(1970, 1, 1) + timedelta(hours=-3)  # São Paulo
LEAST = 100


def half_up(amount: Fraction) -> int:
    return (amount + Fraction(1, 2)).__floor__()


def later(second: int, cycle: str, periods: int) -> int:
    """The boundary so many periods after an anchor, by the calendar of São Paulo."""
    if cycle == "WEEKLY":
        return second + 7 * 86_400 * periods
    local = EPOCH + timedelta(seconds=second)
    years, month = divmod(local.month - 1 + MONTHS[cycle] * periods, 12)
    day = min(local.day, calendar.monthrange(local.year + years, month + 1)[1])
    return int((local.replace(year=local.year + years, month=month + 1, day=day) - EPOCH).total_seconds())


def priced(meter: dict, units: int) -> int:
    """What the units of one cycle cost (decision 97)."""
    left, total, low = units - meter["included"], 0, 0
    if left <= 0 and meter["model"] != "PLAIN":
        return 0
    if meter["model"] in ("PLAIN", "PER_UNIT", "PACKAGE"):
        return math.ceil(Fraction(left, meter["size"])) * meter["price"]
    for up_to, each, flat in meter["tiers"]:
        high = left if up_to is None else min(left, up_to)
        if meter["model"] == "VOLUME" and high == left:
            return left * each + flat
        if high > low:
            total, low = total + (high - low) * each + flat, high
    return total


class Subscription:
    def __init__(self, start: dict) -> None:
        self.cycle, self.coupon = start["cycle"], start["coupon"]
        self.own, self.add_ons = start["price"], {name: [each, number] for name, number, each in start["addOns"]}
        self.anchor = self.starts = start["at"]
        self.number, self.shift, self.credit, self.carried = 1, 1, 0, 0  # Cycle n is period n - shift of the anchor.
        self.meters, self.units = start["meters"], [0] * len(start["meters"])
        self.ends = later(self.anchor, self.cycle, 1)
        self.often, self.asked = start["usageCycle"], False  # How often usage is charged, and whether that waits for its payment.
        self.usage_ends = self.next_usage(self.starts)
        self.waiting, self.charges = None, []
        net = self.net(self.price, 1, self.coupon)
        # Parts of the present period: price of a whole one, seconds left when it began, cents charged, whether it is paid.
        self.length, self.is_part, self.used = self.ends - self.starts, False, 0
        self.parts = [[net, self.length, net, True]]
        self.failed = None  # The unpaid part that a pause has given up, until the next cycle.
    @property
    def price(self) -> int:
        """The plan with its add-ons, for a whole cycle."""
        return self.own + sum(each * number for each, number in self.add_ons.values())
    def chosen(self, mode: str, cycle: str, named: list | None) -> dict:
        """The add-ons after a change: those that it had cost what they did, as long as the cycle stays; others cost today's price."""
        had_cycle, had = (self.waiting[1], self.waiting[3]) if mode == "NEXT" and self.waiting else (self.cycle, self.add_ons)
        if named is None:
            return had
        kept = had if cycle == had_cycle else {}
        return {name: [kept[name][0] if name in kept else today, number] for name, number, today in named}
    def net(self, price: int, number: int, coupon: dict | None) -> int:
        if coupon is None or (coupon["last"] is not None and number > coupon["last"]):
            return price
        return price - (min(coupon["value"], price) if coupon["kind"] == "FIXED" else half_up(Fraction(price * coupon["value"], 10_000)))
    def usage(self) -> int:
        return self.carried + sum(priced(meter, units) for meter, units in zip(self.meters, self.units))
    def next_usage(self, after: int) -> int | None:
        """When usage is charged before the plan: on the dates that count from the plan's anchor."""
        if self.often is None:
            return None
        first = (after - self.anchor) // (32 * 86_400 * MONTHS[self.often]) - 13
        found = next(end for end in (later(self.anchor, self.often, index) for index in count(first)) if end > after)
        return found if found < self.ends else None
    def charge(self, at: int, plan: int, is_part: bool = False) -> None:
        """Opens the cycle that was made ready: the plan's cents, usage, less the credit."""
        self.is_part, self.usage_ends = is_part, self.next_usage(at)
        self.ask(at, plan, is_part)
    def ask(self, at: int, plan: int, is_part: bool) -> None:
        self.billed = self.usage()
        due = max(0, plan + self.billed - self.credit)
        amount = 0 if is_part and due < LEAST else due
        self.used = plan + self.billed - amount
        self.credit -= self.used
        self.carried, self.units, self.failed = 0, [0] * len(self.meters), None
        self.charges.append([self.number, at, amount])
    def whole(self, at: int) -> None:
        self.starts, self.ends = (later(self.anchor, self.cycle, self.number - self.shift + edge) for edge in (0, 1))
        self.length = self.ends - self.starts
        self.parts = [[net := self.net(self.price, self.number, self.coupon), self.length, net, False]]
        self.charge(at, net)
    def rest(self, at: int, left: int) -> None:
        """Charges what is left of a period at the present price: the period costs the sum of price × time, rounded once."""
        self.keep_coupon()
        net = self.net(self.price, self.number, self.coupon)
        plan = half_up(Fraction(self.worth(left) + net * left, self.length)) - sum(part[2] for part in self.parts)
        self.parts.append([net, left, plan, False])
        self.charge(at, plan, True)
    def worth(self, left: int) -> int:
        """Price × seconds of what was used of the period until so many seconds are left of it."""
        until = [part[1] for part in self.parts[1:]] + [left]
        return sum(part[0] * max(0, part[1] - end) for part, end in zip(self.parts, until))
    def usage_cycle(self, at: int) -> None:
        """Charges usage within a period of the plan, which keeps its place, as the coupon does."""
        self.number, self.shift, self.asked = self.number + 1, self.shift + 1, self.usage() > 0
        self.usage_ends = self.next_usage(max(at, self.usage_ends))
        self.keep_coupon()
        credit = self.credit
        self.ask(at, 0, True)
        self.credit = self.credit if self.asked else credit
    def keep_coupon(self) -> None:
        if self.coupon is not None and self.coupon["last"] is not None:
            self.coupon = {**self.coupon, "last": self.coupon["last"] + 1}
    def open(self, at: int) -> None:
        if self.usage_ends is not None and self.ends > at:
            return self.usage_cycle(at)
        given_up, began, period = self.failed if self.is_part else None, self.starts, (self.anchor, self.shift)
        self.number += 1
        if self.waiting is not None:
            self.waiting = self.plan_from(self.number, *self.waiting)
        while later(self.anchor, self.cycle, self.number - self.shift + 1) <= at:
            self.shift -= 1
        if given_up is not None and (self.anchor, self.shift) == period and began == self.ends:
            self.ends = later(self.anchor, self.cycle, self.number - self.shift + 1)
            return self.rest(at, given_up[1])
        self.whole(at)
    def plan_from(self, number: int, own: int, cycle: str, often: str | None, add_ons: dict) -> None:
        if cycle != self.cycle:
            self.cycle, self.anchor, self.shift = cycle, self.ends, number
        self.own, self.often, self.add_ons = own, often, add_ons
    def change(self, at: int, own: int, cycle: str, mode: str, often: str | None, named: list | None) -> None:
        add_ons = self.chosen(mode, cycle, named)
        self.waiting = (own, cycle, often, add_ons) if mode == "NEXT" else None
        if mode == "NONE":
            self.plan_from(self.number + 1, own, cycle, often, add_ons)
            self.usage_ends = self.next_usage(at)
        elif mode == "DIFFERENCE" and self.parts:
            self.own, self.often, self.add_ons = own, often, add_ons
            self.number, self.shift, self.starts = self.number + 1, self.shift + 1, at
            self.rest(at, self.ends - at)
        elif mode != "NEXT":
            self.credit += sum(part[2] for part in self.parts) - half_up(Fraction(self.worth(self.ends - at), self.length))
            self.own, self.cycle, self.often, self.add_ons, self.number = own, cycle, often, add_ons, self.number + 1
            self.anchor, self.shift = at, self.number
            self.whole(at)
    def pause(self, at: int) -> None:
        self.paused = at
        if self.asked or (self.parts and not self.parts[-1][3]):
            self.credit, self.carried = self.credit + self.used, self.carried + self.billed
            self.failed, self.asked = None if self.asked else [*self.parts.pop(), self.ends], False
    def resume(self, at: int, keeps: bool) -> None:
        paid, following = self.failed is None, self.number + 1
        if not keeps:
            self.ends = at + (max(0, self.ends - self.paused) if paid else 0)
            self.anchor, self.shift = self.ends, following
        elif not paid and self.failed[4] > at:
            self.ends, self.shift = self.starts, self.shift + 1
        elif self.ends <= at:
            index = next(index for index in count(following - self.shift) if later(self.anchor, self.cycle, index) >= at)
            self.ends, self.shift = later(self.anchor, self.cycle, index), following - index
        self.usage_ends = self.next_usage(at)


for line in sys.stdin:
    history = json.loads(line)
    subscription = Subscription(history["start"])
    for act, at, *terms in history["acts"]:
        if act == "pay":
            if subscription.asked:
                subscription.asked = False
            else:
                subscription.parts[-1][3] = True
        elif act == "usage":
            subscription.units[terms[0]] += terms[1]
        else:
            getattr(subscription, act)(at, *terms)
    final = max(0, subscription.usage() - max(0, subscription.credit))
    print(json.dumps({"charges": subscription.charges, "credit": subscription.credit, "final": final if final >= LEAST else 0}))
