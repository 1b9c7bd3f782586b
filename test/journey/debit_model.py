"""What happens to subscriptions that are debited by PIX, computed without looking at the service.

Reads one JSON object per line: {payer, amount, amountKind, cycle, startsOn, until, maxRetry, everyDays}. Days are in Sao Paulo;
the last one is over.
Writes per line: {debits: [[cycle, dueDate, outcome, attempts]], paid: [cycles], ended: reason or null}.
"""
import json
import sys
from calendar import monthrange
from datetime import date, timedelta

MONTHS = {"MONTHLY": 1, "QUARTERLY": 3, "SEMIANNUALLY": 6, "ANNUALLY": 12}
AHEAD = {"WEEKLY": 3}
CEILING = 5000
# Which attempt has money: 0 is the due date.
PAID_AT = {"PAYS": 0, "LEAVES": 0, "HAS_CEILING": 0, "PAYS_FIRST_RETRY": 1, "PAYS_LAST_RETRY": 3}


def start_of(first, cycle, index):
    if cycle == "WEEKLY":
        return first + timedelta(days=7 * index)
    month = first.month - 1 + MONTHS[cycle] * index
    year = first.year + month // 12
    month = month % 12 + 1
    return date(year, month, min(first.day, monthrange(year, month)[1]))


def retries(cycle, most, every):
    within = 4 if cycle == "WEEKLY" else 7
    return min(most, 3, within // every)


def story(s):
    first = date.fromisoformat(s["startsOn"])
    until = date.fromisoformat(s["until"])
    cycle, payer = s["cycle"], s["payer"]
    debits, paid, ended = [], [1], None
    number, active = 1, payer not in ("REFUSES", "IGNORES")
    while ended is None:
        number += 1
        due = start_of(first, cycle, number - 1)
        ordered_on = due - timedelta(days=AHEAD.get(cycle, 7))
        if payer == "LEAVES" and number == 3 and ordered_on <= until:
            # Nobody looks at the bank before the next debit is ordered.
            debits.append([number, due.isoformat(), "DROPPED", 0])
            ended = "pix_automatic_authorization_refused"
            break
        if payer == "IGNORES" and number == 2 and ordered_on <= until:
            # On the day of the order, it has been unanswered for more than seven days, or not.
            outcome = "DROPPED" if (ordered_on - first).days > 7 else "REFUSED"
            debits.append([number, due.isoformat(), outcome, 0])
        refused = active and payer == "HAS_CEILING" and s["amount"] > CEILING
        if refused and ordered_on <= until:
            debits.append([number, due.isoformat(), "REFUSED", 0])
        if due > until:
            break
        attempts = retries(cycle, s["maxRetry"], s["everyDays"])
        if active and not refused:
            paid_at = PAID_AT.get(payer)
            if paid_at is not None and paid_at <= attempts:
                if due + timedelta(days=paid_at * s["everyDays"]) > until:
                    break
                debits.append([number, due.isoformat(), "PAID", paid_at + 1])
                paid.append(number)
                continue
            last = due + timedelta(days=attempts * s["everyDays"])
            if last > until:
                break
            debits.append([number, due.isoformat(), "FAILED", attempts + 1])
            # The failed debit is the first attempt. Codes follow, each for as long as the policy says.
            codes = max(1, s["maxRetry"] - 1)
            begun = last
        else:
            codes, begun = s["maxRetry"], due
        # Nobody pays a code here.
        if begun + timedelta(days=codes * s["everyDays"]) > until:
            break
        ended = "max_payment_retries_exceeded"
    return {"debits": debits, "paid": paid, "ended": ended}


for line in sys.stdin:
    print(json.dumps(story(json.loads(line))))
