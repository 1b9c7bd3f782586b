"""brbank's adapter for Asaas issues, reads and removes boletos; a relay records its requests.

Reads one JSON object from standard input: api, admin (addresses), key, due, ours (a boleto of the judged adapter).
Prints the ids of the boletos that it issued: one that is paid, one that is removed.
"""

import asyncio
import json
import sys
from datetime import date
from decimal import Decimal

import httpx
from brbank.adapters import asaas
from brbank.modelos import Encargos, Pessoa, Titulo
from brbank.status import StatusCanonico


async def main() -> None:
    given = json.load(sys.stdin)
    asaas.URL_SANDBOX = f"{given['api']}/v3"
    config = asaas.AsaasConfig(
        conta="1", api_key=given["key"], ambiente="sandbox", requisicoes_por_segundo=None
    )
    async with httpx.AsyncClient() as client:
        bank = asaas.AsaasAdapter(config, client=client)

        def titulo(reference: str) -> Titulo:
            return Titulo(
                chave_idempotencia=reference,
                seu_numero="1042",
                valor=Decimal("123.45"),
                vencimento=date.fromisoformat(given["due"]),
                pagador=Pessoa(nome="Maria Souza", documento="52998224725"),
                encargos=Encargos(multa_percentual=Decimal(2), juros_mensal_percentual=Decimal(1)),
                dias_baixa_automatica=60,
            )

        ours = await bank.consultar_titulo(given["ours"])
        assert ours.status is StatusCanonico.REGISTRADO, ours.status
        assert ours.codigo_barras and ours.linha_digitavel and ours.pix_copia_cola
        paid = await bank.registrar_titulo(titulo("paid"))
        assert (await bank.consultar_titulo(paid.id_banco)).status is StatusCanonico.REGISTRADO
        async with httpx.AsyncClient() as payer:
            await payer.post(f"{given['admin']}/pay/{paid.id_banco}", json={"atBank": True})
        settled = await bank.consultar_titulo(paid.id_banco)
        assert settled.status is StatusCanonico.LIQUIDADO, settled.status
        assert settled.valor_pago == Decimal("123.45"), settled.valor_pago
        removed = await bank.registrar_titulo(titulo("removed"))
        assert (await bank.baixar_titulo(removed.id_banco)).status is StatusCanonico.BAIXADO
        print(json.dumps({"paid": paid.id_banco, "removed": removed.id_banco}))


asyncio.run(main())
