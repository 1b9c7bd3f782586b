"""An independent model of how a subscription is billed (docs/contract.md, section 6; decisions 27 and 29).

Reads histories, one JSON object per line: plan, add-ons, coupon and meters at the start, and what happened at which second. Prints what each charge must be, the
credit at the end, and what a cancellation charges then. It shares no code with the service, and must not.
"""
import json
from calendar import monthrange
from datetime import datetime, timedelta
from itertools import count
from math import inf
from sys import stdin

MONTHS = {"MONTHLY": 1, "QUARTERLY": 3, "SEMIANNUALLY": 6, "ANNUALLY": 12}
EPOCH = datetime(1970, 1, 1) + timedelta(hours=-3)  # São Paulo
LEAST = 100

def half_up(cents, parts):
    return (2 * cents + parts) // (2 * parts)

def later(second, cycle, periods):
    """The boundary so many periods after an anchor, by the calendar of São Paulo."""
    if cycle == "WEEKLY":
        return second + 7 * 86_400 * periods
    local = EPOCH + timedelta(seconds=second)
    years, month = divmod(local.month - 1 + MONTHS[cycle] * periods, 12)
    year, month = local.year + years, month + 1
    return int((local.replace(year=year, month=month, day=min(local.day, monthrange(year, month)[1])) - EPOCH).total_seconds())

def priced(meter, units):
    """What the units of one cycle cost (decision 29)."""
    left, total, low = units - meter["included"], 0, 0
    if left <= 0 and meter["model"] != "PLAIN":
        return 0
    if meter["model"] in ("PLAIN", "PER_UNIT", "PACKAGE"):
        return -(-left // meter["size"]) * meter["price"]
    for up_to, each, flat in meter["tiers"]:
        high = left if up_to is None else min(left, up_to)
        if meter["model"] == "VOLUME" and high == left:
            return left * each + flat
        if high > low:
            total, low = total + (high - low) * each + flat, high
    return total

class Subscription:
    def __init__(self, start):
        self.cycle, self.anchor, self.starts = start["cycle"], start["at"], start["at"]
        self.own, self.add_ons = start["price"], {name: [each, number] for name, number, each in start["addOns"]}
        self.coupon = start["coupon"] or {"last": 0}
        self.last = inf if self.coupon["last"] is None else self.coupon["last"]  # The last cycle with the coupon.
        self.number, self.shift, self.credit, self.carried = 1, 1, 0, 0  # Cycle n is period n - shift of the anchor.
        self.meters, self.units = start["meters"], [0] * len(start["meters"])
        self.ends = later(self.anchor, self.cycle, 1)
        self.often, self.asked = start["usageCycle"], False  # How often usage is charged, and whether that waits for its payment.
        self.usage_ends = self.next_usage(self.starts)
        self.waiting, self.failed, self.charges = None, None, []  # Failed: the unpaid part that a pause has given up, until the next cycle.
        # Parts of the present period: price of a whole one, seconds left when it began, cents charged, whether it is paid.
        self.length, self.is_part, self.used = self.ends - self.starts, False, 0
        self.parts = [[self.net(), self.length, self.net(), True]]
    def net(self):
        """The plan with its add-ons for a whole cycle, less the coupon."""
        price, value = self.own + sum(each * number for each, number in self.add_ons.values()), self.coupon.get("value")
        if self.number > self.last:
            return price
        return price - (min(value, price) if self.coupon["kind"] == "FIXED" else half_up(price * value, 10_000))
    def chosen(self, mode, cycle, named):
        """The add-ons after a change: those that it had cost what they did, as long as the cycle stays; others cost today's price."""
        had_cycle, had = (self.waiting[1], self.waiting[3]) if mode == "NEXT" and self.waiting else (self.cycle, self.add_ons)
        kept = had if cycle == had_cycle else {}
        return had if named is None else {name: [kept[name][0] if name in kept else today, number] for name, number, today in named}
    def due(self):
        return self.carried + sum(priced(meter, units) for meter, units in zip(self.meters, self.units))
    def next_usage(self, after):
        """When usage is charged before the plan: on the dates that count from the plan's anchor."""
        if self.often is None:
            return None
        found = next(end for end in (later(self.anchor, self.often, index) for index in count(-60)) if end > after)
        return found if found < self.ends else None
    def charge(self, at, plan, is_part):
        """Opens the cycle that was made ready: the plan's cents, usage, less the credit."""
        self.billed = self.due()
        due = max(0, plan + self.billed - self.credit)
        amount = 0 if is_part and due < LEAST else due
        self.used = plan + self.billed - amount
        self.credit -= self.used
        self.carried, self.units, self.failed = 0, [0] * len(self.meters), None
        self.charges.append([self.number, at, amount])
    def whole(self, at):
        self.starts, self.ends = (later(self.anchor, self.cycle, self.number - self.shift + edge) for edge in (0, 1))
        self.length, self.is_part, self.usage_ends = self.ends - self.starts, False, self.next_usage(at)
        self.parts = [[self.net(), self.length, self.net(), False]]
        self.charge(at, self.net(), False)
    def rest(self, at, left):
        """Charges what is left of a period at the present price: the period costs the sum of price × time, rounded once."""
        self.last, self.is_part, self.usage_ends = self.last + 1, True, self.next_usage(at)
        plan = half_up(self.worth(left) + self.net() * left, self.length) - sum(part[2] for part in self.parts)
        self.parts.append([self.net(), left, plan, False])
        self.charge(at, plan, True)
    def worth(self, left):
        """Price × seconds of what was used of the period until so many seconds are left of it."""
        until = [part[1] for part in self.parts[1:]] + [left]
        return sum(part[0] * max(0, part[1] - end) for part, end in zip(self.parts, until))
    def usage_cycle(self, at):
        """Charges usage within a period of the plan, which keeps its place, as the coupon does."""
        self.number, self.shift, self.last, self.asked = self.number + 1, self.shift + 1, self.last + 1, self.due() > 0
        self.usage_ends, credit = self.next_usage(max(at, self.usage_ends)), self.credit
        self.charge(at, 0, True)
        self.credit = self.credit if self.asked else credit
    def open(self, at):
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
    def plan_from(self, number, own, cycle, often, add_ons):
        if cycle != self.cycle:
            self.cycle, self.anchor, self.shift = cycle, self.ends, number
        self.own, self.often, self.add_ons = own, often, add_ons
    def change(self, at, own, cycle, mode, often, named):
        add_ons = self.chosen(mode, cycle, named)
        self.waiting = (own, cycle, often, add_ons) if mode == "NEXT" else None
        if mode == "NONE":
            self.plan_from(self.number + 1, own, cycle, often, add_ons)
            self.usage_ends = self.next_usage(at)
        elif mode != "NEXT":
            self.own, self.often, self.add_ons, self.number = own, often, add_ons, self.number + 1
            if mode == "DIFFERENCE" and self.parts:
                self.shift, self.starts = self.shift + 1, at
                return self.rest(at, self.ends - at)
            self.credit += sum(part[2] for part in self.parts) - half_up(self.worth(self.ends - at), self.length)
            self.cycle, self.anchor, self.shift = cycle, at, self.number
            self.whole(at)
    def pause(self, at):
        self.paused = at
        if self.asked or (self.parts and not self.parts[-1][3]):
            self.credit, self.carried = self.credit + self.used, self.carried + self.billed
            self.failed, self.asked = None if self.asked else [*self.parts.pop(), self.ends], False
    def resume(self, at, keeps):
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
    def pay(self, at):
        if not self.asked:
            self.parts[-1][3] = True
        self.asked = False
    def usage(self, at, meter, units):
        self.units[meter] += units

for line in stdin:
    history = json.loads(line)
    subscription = Subscription(history["start"])
    for act, at, *terms in history["acts"]:
        getattr(subscription, act)(at, *terms)
    final = max(0, subscription.due() - max(0, subscription.credit))
    print(json.dumps({"charges": subscription.charges, "credit": subscription.credit, "final": final if final >= LEAST else 0}))
