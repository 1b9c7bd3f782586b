"""What happens to subscriptions that are debited at a bank, computed without looking at the service.

Reads one JSON object per line: {accepts, ceiling, emptyOn, leavesOn, amount, cycle, startsOn, until, maxRetry, everyDays}. Days are in
Sao Paulo; the last one is over. The payer's account has no money on the days of `emptyOn`; at noon of `leavesOn` its owner ends the mandate.
Writes per line: {debits: [[cycle, dueDate, outcome, attempts]], paid: [cycles], ended: reason or null}.
"""
import json
import sys
from calendar import monthrange
from datetime import date, timedelta

MONTHS = {"MONTHLY": 1, "QUARTERLY": 3, "SEMIANNUALLY": 6, "ANNUALLY": 12}
AHEAD = {"WEEKLY": 3}
FIXED = {(1, 1), (4, 21), (5, 1), (9, 7), (10, 12), (11, 2), (11, 15), (11, 20), (12, 25)}


def easter(year):
    """Oudin's algorithm."""
    golden, century = year % 19, year // 100
    h = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    i = h - (h // 28) * (1 - (29 // (h + 1)) * ((21 - golden) // 11))
    sunday = i - (year + year // 4 + i + 2 - century + century // 4) % 7
    month = 3 + (sunday + 40) // 44
    return date(year, month, sunday + 28 - 31 * (month // 4))


def banks_work(day):
    movable = {easter(day.year) + timedelta(days=days) for days in (-48, -47, -2, 60)}
    return day.weekday() < 5 and (day.month, day.day) not in FIXED and day not in movable


def next_bank_day(day):
    while not banks_work(day):
        day += timedelta(days=1)
    return day


def start_of(first, cycle, index):
    if cycle == "WEEKLY":
        return first + timedelta(days=7 * index)
    month = first.month - 1 + MONTHS[cycle] * index
    year, month = first.year + month // 12, month % 12 + 1
    return date(year, month, min(first.day, monthrange(year, month)[1]))


def attempts_of(s, due):
    """The days on which the payer's bank tries: the due date moves to a bank day, those ordered later do not."""
    days = [next_bank_day(due)]
    within = 4 if s["cycle"] == "WEEKLY" else 7
    for number in range(1, min(s["maxRetry"], 3, within // s["everyDays"]) + 1):
        retry = due + timedelta(days=number * s["everyDays"])
        if retry > days[-1]:
            days.append(retry)
    return days


def story(s):
    first, until = date.fromisoformat(s["startsOn"]), date.fromisoformat(s["until"])
    leaves = date.fromisoformat(s["leavesOn"]) if s["leavesOn"] else date.max
    empty = {date.fromisoformat(day) for day in s["emptyOn"]}
    debits, paid, number = [], [1], 1

    def end_unpaid(codes, begun):
        # Nobody pays a code here.
        is_over = begun + timedelta(days=codes * s["everyDays"]) <= until
        return {"debits": debits, "paid": paid, "ended": "max_payment_retries_exceeded" if is_over else None}

    while True:
        number += 1
        due = start_of(first, s["cycle"], number - 1)
        ordered_on = due - timedelta(days=AHEAD.get(s["cycle"], 7))
        if s["accepts"] and leaves < ordered_on <= until:
            # Nobody looks at the bank before the next debit is ordered.
            debits.append([number, due.isoformat(), "DROPPED", 0])
            return {"debits": debits, "paid": paid, "ended": "pix_automatic_authorization_refused"}
        if due > until:
            return {"debits": debits, "paid": paid, "ended": None}
        if not s["accepts"]:
            return end_unpaid(s["maxRetry"], due)
        if (s["ceiling"] is not None and s["amount"] > s["ceiling"]) or leaves < due:
            # The payer's bank rejects the order, or the end of the mandate cancels it.
            debits.append([number, due.isoformat(), "REFUSED", 0])
            return end_unpaid(s["maxRetry"], due)
        tries = attempts_of(s, due)
        if leaves < tries[0]:
            tries, paid_on = tries[:1], None
        else:
            paid_on = next((day for day in tries if day not in empty), None)
        last = paid_on or tries[-1]
        if last > until:
            return {"debits": debits, "paid": paid, "ended": None}
        outcome = "PAID" if paid_on else "FAILED"
        debits.append([number, due.isoformat(), outcome, tries.index(last) + 1])
        if not paid_on:
            # The failed debit is the first attempt. Codes follow, each for as long as the policy says.
            return end_unpaid(max(1, s["maxRetry"] - 1), last)
        paid.append(number)


for line in sys.stdin:
    print(json.dumps(story(json.loads(line))))
