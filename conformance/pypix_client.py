"""pypix-api's client issues, asks for, is paid, sends back and removes; its requests go by a relay that keeps them.

Reads one JSON object from standard input: profile, api, token, admin (addresses), key, client_id, client_secret,
account. What a charge is asked for with is its caller's to say, so it is what the adapter says.
"""

import json
import sys
import urllib.request

from pypix_api.auth.oauth2 import OAuth2Client
from pypix_api.banks.inter import InterPixAPI
from pypix_api.banks.sicoob import SicoobPixAPI
from pypix_api.banks.sicredi import SicrediPixAPI

BANKS = {"inter": InterPixAPI, "sicoob": SicoobPixAPI, "sicredi": SicrediPixAPI}


def main() -> None:
    given = json.load(sys.stdin)
    profile = given["profile"]
    # The certificate is the relay's to show; Sicoob's alone stands for the secret.
    oauth = OAuth2Client(
        given["token"],
        client_id=given["client_id"],
        client_secret=None if profile == "sicoob" else given["client_secret"],
        client_auth="body" if profile == "inter" else "basic",
        cert="shown by the relay",
        pvk="shown by the relay",
    )
    oauth.session.cert = None
    more = {"conta_corrente": given["account"]} if profile == "inter" else {}
    bank = BANKS[profile](oauth, **more)
    bank.BASE_URL = given["api"]
    body = {
        "calendario": {"expiracao": 3600},
        "devedor": {"cpf": "52998224725", "nome": "Maria Souza"},
        "valor": {"original": "123.45"},
        "chave": given["key"],
    }
    bank.configurar_webhook(given["key"], "https://loja.example/notifications")
    one, two = "PYPIX" + "0" * 21, "PYPIX" + "1" * 21
    assert bank.criar_cob(one, body)["status"] == "ATIVA"
    assert bank.consultar_cob(one)["status"] == "ATIVA"
    pay = urllib.request.Request(f"{given['admin']}/pay/{one}", data=b"{}", method="POST")
    paid = json.load(urllib.request.urlopen(pay))["endToEndId"]
    assert bank.consultar_pix_por_e2eid(paid)["valor"] == "123.45"
    bank.solicitar_devolucao_pix(paid, "devolucao1", {"valor": "23.45"})
    for _ in range(50):
        refund = bank.consultar_devolucao_pix(paid, "devolucao1")
        if refund["status"] == "DEVOLVIDO":
            break
    assert refund["status"] == "DEVOLVIDO", refund
    listed = bank.consultar_pix(
        "2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z", pagina_atual=0, itens_por_pagina=100
    )
    assert len(listed["pix"]) == 1
    bank.criar_cob(two, body)
    assert bank.revisar_cob(two, {"status": "REMOVIDA_PELO_USUARIO_RECEBEDOR"})["status"].startswith("REMOVIDA")


main()
