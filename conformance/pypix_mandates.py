"""pypix-api's client asks for mandates (Pix Automático) and orders debits: one paid, one paid on another date, one cancelled.

Reads one JSON object from standard input: profile, api, token, admin (addresses), client_id, client_secret, account,
app_key. Bodies are the caller's to make: they are those of Banco Central's document.
"""

import json
import sys
import urllib.request
from datetime import date, datetime, timedelta, timezone

from pypix_api.auth.oauth2 import OAuth2Client
from pypix_api.banks.bb import BBPixAPI
from pypix_api.banks.inter import InterPixAPI
from pypix_api.banks.sicredi import SicrediPixAPI

BANKS = {"bb": BBPixAPI, "inter": InterPixAPI, "sicredi": SicrediPixAPI}
SAO_PAULO = timezone(timedelta(hours=-3))
DAY_MS = 86_400_000


class Box:
    """The bank in a box, as its payers see it."""

    def __init__(self, admin: str) -> None:
        self.admin = admin

    def ask(self, path: str, body: dict | None = None) -> dict:
        data = None if body is None else json.dumps(body).encode()
        return json.load(urllib.request.urlopen(urllib.request.Request(self.admin + path, data=data)))

    def today(self) -> date:
        now = datetime.fromisoformat(self.ask("/state")["now"].replace("Z", "+00:00"))
        return now.astimezone(SAO_PAULO).date()


def main() -> None:
    given = json.load(sys.stdin)
    profile, box = given["profile"], Box(given["admin"])
    oauth = OAuth2Client(
        given["token"],
        client_id=given["client_id"],
        client_secret=given["client_secret"],
        client_auth="body" if profile == "inter" else "basic",
        cert="shown by the relay",
        pvk="shown by the relay",
    )
    oauth.session.cert = None
    # Banco do Brasil wants the application's key in each address; the library leaves that to its caller.
    if profile == "bb":
        oauth.session.params = {"gw-dev-app-key": given["app_key"]}
    more = {"conta_corrente": given["account"]} if profile == "inter" else {}
    bank = BANKS[profile](oauth, **more)
    bank.BASE_URL = given["api"]

    def accepted(contract: str) -> str:
        """A mandate whose payer has accepted it."""
        location = bank.criar_location_rec()
        rec = bank.criar_recorrencia(
            {
                "vinculo": {
                    "contrato": contract,
                    "devedor": {"cpf": "52998224725", "nome": "Maria Souza"},
                    "objeto": "Plano mensal",
                },
                "calendario": {
                    "dataInicial": (box.today() + timedelta(days=5)).isoformat(),
                    "periodicidade": "MENSAL",
                },
                "valor": {"valorRec": "49.90"},
                "politicaRetentativa": "PERMITE_3R_7D",
                "loc": location["id"],
            }
        )
        assert rec["status"] == "CRIADA", rec
        code = bank.consultar_recorrencia(rec["idRec"])["dadosQR"]["pixCopiaECola"]
        box.ask("/consent", {"code": code})
        assert bank.consultar_recorrencia(rec["idRec"])["status"] == "APROVADA"
        return rec["idRec"]

    def ordered(txid: str, mandate: str) -> None:
        body = {
            "idRec": mandate,
            "calendario": {"dataDeVencimento": (box.today() + timedelta(days=5)).isoformat()},
            "valor": {"original": "49.90"},
            "ajusteDiaUtil": True,
            "recebedor": {"agencia": "0001", "conta": "1234567", "tipoConta": "CORRENTE"},
        }
        assert bank.criar_cobr_com_txid(txid, body)["status"] == "CRIADA"
        box.ask("/clock", {"advanceMs": 0})
        assert bank.consultar_cobr(txid)["status"] == "ATIVA"

    def until(txid: str, is_there) -> dict:
        for _ in range(12):
            debit = bank.consultar_cobr(txid)
            if is_there(debit):
                return debit
            box.ask("/clock", {"advanceMs": DAY_MS})
        raise AssertionError(debit)

    bank.configurar_webhook_rec("https://loja.example/notifications")
    bank.configurar_webhook_cobr("https://loja.example/notifications")
    one, two, three = (f"PYPIX{number}" + "0" * 20 for number in "123")
    paid, late, dropped = accepted("contrato1"), accepted("contrato2"), accepted("contrato3")
    box.ask(f"/balance/{late}", {"hasBalance": False})
    for txid, mandate in ((one, paid), (two, late), (three, dropped)):
        ordered(txid, mandate)
    assert bank.cancelar_cobr(three)["status"] == "CANCELADA"
    assert len(until(one, lambda debit: debit["status"] == "CONCLUIDA")["pix"]) == 1
    until(two, lambda debit: debit["tentativas"][0]["status"] == "EXPIRADA")
    bank.solicitar_retentativa_cobr(two, box.today() + timedelta(days=1))
    box.ask(f"/balance/{late}", {"hasBalance": True})
    again = until(two, lambda debit: debit["status"] == "CONCLUIDA")
    assert [each["tipo"] for each in again["tentativas"]] == ["AGND", "NTAG"], again
    assert bank.cancelar_recorrencia(dropped)["status"] == "CANCELADA"
    time = ("2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z")
    assert len(bank.listar_recorrencias(*time)["recs"]) == 3


main()
