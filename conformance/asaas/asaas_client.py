"""The package asaas issues, reads, refunds and removes, sends money and registers a webhook; a relay records its requests.

Reads one JSON object from standard input: api, admin (addresses), key, due, ours (a boleto of the judged adapter),
day, webhook, returnUrl, installments (two card payments of the judged adapter). Prints the ids of what it made: a payment that is refunded, one that is removed.
"""

import json
import sys
from urllib.request import Request, urlopen

from asaas import Asaas


def main() -> None:
    given = json.load(sys.stdin)
    client = Asaas(api_key=given["key"], base_url=given["api"], max_retries=0)

    ours = client.payments.get(given["ours"])
    assert ours["status"] == "PENDING" and ours["billingType"] == "BOLETO", ours
    assert client.payments.get_identification_field(given["ours"])["barCode"]

    assert client.customers.list(cpf_cnpj="52998224725", limit=1, offset=0).data == []
    customer = client.customers.create("Maria Souza", "52998224725", notification_disabled=True)["id"]
    assert client.customers.get(customer)["cpfCnpj"] == "52998224725"

    def issue(billing_type: str, reference: str) -> str:
        assert client.payments.list(external_reference=reference, limit=100, offset=0).data == []
        late = {"fine": {"value": 2, "type": "PERCENTAGE"}, "interest": {"value": 1}}
        return client.payments.create(
            customer,
            billing_type,
            123.45,
            given["due"] if billing_type == "BOLETO" else given["day"],
            description="1042",
            external_reference=reference,
            **(late if billing_type == "BOLETO" else {}),
        )["id"]

    removed = issue("BOLETO", "removed")
    client.payments.delete(removed)
    paid = issue("PIX", "paid")
    assert client.payments.get_pix_qr_code(paid)["payload"].startswith("000201")
    urlopen(Request(f"{given['admin']}/pay/{paid}", data=b"{}", method="POST"))
    transaction = client.payments.get(paid)["pixTransaction"]
    assert client.pix.get_transaction(transaction)["endToEndIdentifier"].startswith("E")
    client.payments.list(
        payment_date_ge=given["day"], payment_date_le=given["day"], limit=100, offset=0
    )
    client.payments.refund(paid, value=123.45, description="refund")
    assert client.payments.get(paid)["status"] == "REFUNDED"

    # A card on Asaas' page, in one payment, and our orders in three: one is paid, one is removed.
    card = client.payments.create(
        customer,
        "CREDIT_CARD",
        123.45,
        given["day"],
        external_reference="card",
        callback={"successUrl": given["returnUrl"]},
    )
    assert card["status"] == "PENDING" and card["invoiceUrl"].startswith("http"), card
    ours_paid, ours_removed = given["installments"]
    assert client.installments.get(ours_paid)["installmentCount"] == 3
    parts = client.payments.list(installment=ours_paid, limit=100, offset=0).data
    assert round(sum(each["value"] for each in parts), 2) == 123.45, parts
    urlopen(Request(f"{given['admin']}/card/{ours_paid}", data=b"{}", method="POST"))
    chargeback = json.dumps({"status": "REQUESTED"}).encode()
    urlopen(Request(f"{given['admin']}/chargeback/{ours_paid}", data=chargeback, method="POST"))
    first = parts[0]["id"]
    assert client.payments.get(first)["status"] == "CHARGEBACK_REQUESTED"
    assert client.payments.get_chargeback(first)["status"] == "REQUESTED"
    client.payments.list(
        billing_type="CREDIT_CARD", date_created_ge=given["day"], date_created_le=given["day"], limit=100, offset=0
    )
    client.installments.delete(ours_removed)

    transfer = client.transfers.create(
        value=10,
        operationType="PIX",
        pixAddressKey="fornecedor@example.com",
        pixAddressKeyType="EMAIL",
        externalReference="transfer",
    )
    assert client.transfers.get(transfer["id"])["value"] == 10
    listed = client.transfers.list(
        date_created_ge=given["day"], date_created_le=given["day"], limit=100, offset=0
    )
    assert listed.data[0]["id"] == transfer["id"]

    booked = client.financial_transactions.list(
        start_date=given["day"], finish_date=given["day"], order="asc", limit=100, offset=0
    ).data
    types = [line["type"] for line in booked if line["paymentId"] == paid]
    assert types == ["PAYMENT_RECEIVED", "PAYMENT_REVERSAL"], types
    assert booked[-1]["transferId"] == transfer["id"], booked[-1]
    assert client.finance.get_balance()["balance"] == booked[-1]["balance"]

    client.webhooks.list(limit=100)
    hook = client.webhooks.create(
        given["webhook"],
        "loja@example.com",
        enabled=True,
        interrupted=False,
        api_version=3,
        auth_token="a" * 40,
        events=["PAYMENT_RECEIVED"],
    )["id"]
    client.webhooks.update(hook, interrupted=False)
    client.webhooks.delete(hook)
    print(json.dumps({"paid": paid, "removed": removed}))


main()
