import { z } from 'zod';
import type { ListingPort } from '../ports/listing.ts';
import type { BankClient } from './bank-client.ts';
import { brCodeOf } from './br-code.ts';
import { pageQuery } from './page-query.ts';
import type { BacenProfile } from './profile.ts';
import { chargeSchema, readerOf } from './wire.ts';

const listSchema = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.number().int() }) }),
  cobs: z.array(z.unknown()).optional(),
});
const listedSchema = z.object({ txid: z.string() });
const recalledSchema = chargeSchema.extend({
  txid: z.string(),
  devedor: z
    .object({ nome: z.string().optional(), cpf: z.string().optional(), cnpj: z.string().optional() })
    .optional(),
  solicitacaoPagador: z.string().optional(),
});
type BankRecalledCharge = z.output<typeof recalledSchema>;

const readList = readerOf('a list of charges', listSchema);
const readRecalled = readerOf('a charge', recalledSchema);

/** Issued charges as the bank lists and stores them (Bacen's document, `GET /cob`). */
export function issuedCharges(
  client: BankClient,
  profile: BacenProfile,
): Pick<ListingPort, 'references' | 'recall'> {
  const { paths } = profile;
  // Sicredi has version 3 for single charges only.
  const collection = paths.cob.replace('/v3/', '/v2/');
  return {
    async references({ from, until }, cursor) {
      const page = Number(cursor ?? 0);
      const query = pageQuery({ from, until }, page);
      const list = readList(await client.send({ method: 'GET', path: collection, query }));
      // An item without a txid is not a charge of Recebe.
      const items = (list.cobs ?? []).flatMap((item) => listedSchema.safeParse(item).data?.txid ?? []);
      const isLast = page + 1 >= list.parametros.paginacao.quantidadeDePaginas;
      return { items, nextCursor: isLast ? null : String(page + 1) };
    },
    async recall(reference, beneficiary) {
      const body = await client.find(`${paths.cob}/${reference}`);
      if (body === null) return null;
      const charge = readRecalled(body);
      const brCode = brCodeOf(charge, profile, beneficiary);
      const { criacao, expiracao } = charge.calendario ?? {};
      if (brCode === null || criacao === undefined || expiracao === undefined) return null;
      const { devedor, pix = [] } = charge;
      return {
        reference,
        status: statusOf(charge),
        amountCents: charge.valor.original,
        description: charge.solicitacaoPagador ?? null,
        createdAt: criacao,
        expiresInSeconds: expiracao,
        payer: { name: devedor?.nome ?? null, taxId: devedor?.cpf ?? devedor?.cnpj ?? null },
        brCode,
        providerPaymentIds: pix.map(({ endToEndId }) => endToEndId),
      };
    },
  };
}

function statusOf({ status, pix = [] }: BankRecalledCharge): 'OPEN' | 'PAID' | 'CLOSED' {
  if (status === 'CONCLUIDA' || pix.length > 0) return 'PAID';
  return status.startsWith('REMOVIDA_') ? 'CLOSED' : 'OPEN';
}
