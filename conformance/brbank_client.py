"""brbank's client of API Pix issues, asks for, is paid, sends back and removes; its requests go by a relay that keeps them.

Reads one JSON object from standard input: profile, api, token, admin (addresses), key, client_id, client_secret,
account, app_key.
"""

import asyncio
import dataclasses
import json
import sys
from datetime import date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import httpx
from brbank.adapters.pix_bacen import PixBacenAdapter, PixBacenConfig, obter_perfil
from brbank.modelos import Encargos, Pessoa, Titulo
from brbank.status import StatusCanonico


async def main() -> None:
    given = json.load(sys.stdin)
    usual = obter_perfil(given["profile"])
    perfil = dataclasses.replace(
        usual,
        url_producao=given["api"],
        url_token_producao=given["token"],
        url_revisao=given["revision"] if usual.url_revisao else None,
    )
    config = PixBacenConfig(
        perfil=perfil,
        conta=given["account"],
        chave_pix=given["key"],
        client_id=given["client_id"],
        client_secret=given["client_secret"],
        app_key=given["app_key"],
        modalidade="cob",
        expiracao_s=3600,
    )
    async with httpx.AsyncClient(base_url=f"{given['api']}/") as client:
        bank = PixBacenAdapter(config, client=client)

        def titulo(key: str) -> Titulo:
            return Titulo(
                chave_idempotencia=key,
                seu_numero="1042",
                valor=Decimal("123.45"),
                vencimento=date.today() + timedelta(days=1),
                pagador=Pessoa(nome="Maria Souza", documento="52998224725"),
            )

        if given["webhook"]:
            await bank.configurar_webhook("https://loja.example/notifications")
        issued = await bank.registrar_titulo(titulo("one"))
        assert issued.status is StatusCanonico.REGISTRADO, issued.status
        assert "br.gov.bcb.pix" in issued.pix_copia_cola
        assert (await bank.consultar_titulo(issued.id_banco)).status is StatusCanonico.REGISTRADO
        paid = httpx.post(f"{given['admin']}/pay/{issued.id_banco}", json={}).json()
        assert (await bank.consultar_titulo(issued.id_banco)).status is StatusCanonico.LIQUIDADO
        await bank.devolver_pix(paid["endToEndId"], "devolucao1", Decimal("23.45"))
        for _ in range(50):
            refund = await bank.consultar_devolucao(paid["endToEndId"], "devolucao1")
            if refund.status == "DEVOLVIDO":
                break
        assert refund.status == "DEVOLVIDO", refund.status
        removed = await bank.registrar_titulo(titulo("two"))
        assert (await bank.baixar_titulo(removed.id_banco)).status is StatusCanonico.BAIXADO

        due = PixBacenAdapter(dataclasses.replace(config, modalidade="cobv"), client=client)
        late = titulo("three").model_copy(
            update={
                "vencimento": datetime.now(ZoneInfo("America/Sao_Paulo")).date() + timedelta(days=2),
                "dias_baixa_automatica": 60,
                "encargos": Encargos(multa_percentual=Decimal("2.00"), juros_mensal_percentual=Decimal("1.00")),
            }
        )
        issued = await due.registrar_titulo(late)
        assert issued.status is StatusCanonico.REGISTRADO, issued.status
        assert (await due.consultar_titulo(issued.id_banco)).status is StatusCanonico.REGISTRADO
        assert (await due.baixar_titulo(issued.id_banco)).status is StatusCanonico.BAIXADO


asyncio.run(main())
