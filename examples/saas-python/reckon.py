"""
What an account of the SaaS has to be charged, computed from what happened and without Recebe. Reads one account as JSON and
writes its charges: `echo '{ "startsAt": "2026-01-31T12:00:00Z", "until": "2026-06-01T00:00:00Z", "price": 4900, "months": 1 }' | python reckon.py`
"""

import json
import sys
from calendar import monthrange
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from math import floor

# Brazil has had no summer time since 2019.
SAO_PAULO = timezone(timedelta(hours=-3))


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(SAO_PAULO)


def months_later(start: datetime, months: int) -> datetime:
    """The same time of the day; the last day of a month that is too short."""
    year, month = divmod(start.month - 1 + months, 12)
    year, month = start.year + year, month + 1
    return start.replace(year=year, month=month, day=min(start.day, monthrange(year, month)[1]))


def rounded(cents: Fraction) -> int:
    return floor(cents + Fraction(1, 2))


def charges(account: dict) -> list[dict]:
    """Cycles are counted from the first one, and an upgrade charges the rest of its cycle."""
    start, until = moment(account["startsAt"]), moment(account["until"])
    end = min(until, moment(account.get("cancelAt", account["until"])))
    upgrade = account.get("upgrade")
    price = account["price"]
    found = []
    cycle = 0
    while (begins := months_later(start, cycle * account["months"])) < end or (begins == end and "cancelAt" not in account):
        percent = account.get("percentOff", 0) if cycle < account.get("cyclesOff", 0) else 0
        found.append({"at": begins, "amount": price - rounded(Fraction(price * percent, 100))})
        ends = months_later(start, (cycle + 1) * account["months"])
        if upgrade and begins <= moment(upgrade["at"]) < ends:
            # Price times time in seconds, rounded once, less what was charged already.
            at = moment(upgrade["at"])
            whole, before = (ends - begins).total_seconds(), (at - begins).total_seconds()
            share = Fraction(int(before * 1000), int(whole * 1000))
            found.append({"at": at, "amount": rounded(price * share + upgrade["price"] * (1 - share)) - price})
            price = upgrade["price"]
        cycle += 1
    for used in account.get("usage", []):
        # Usage comes on top of the next charge.
        next(each for each in found if each["at"] > moment(used["at"]))["amount"] += used["cents"]
    return [{**each, "at": each["at"].astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")} for each in found]


if __name__ == "__main__":
    print(json.dumps(charges(json.load(sys.stdin))))
