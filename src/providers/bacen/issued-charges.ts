import { z } from 'zod';
import { civilDate, isCivilDate } from '../../domain/civil-date.ts';
import type { ListingPort, RecalledTerms } from '../ports/listing.ts';
import type { BankClient } from './bank-client.ts';
import { brCodeOf } from './br-code.ts';
import { isDueTxid } from './ids.ts';
import { lateTermsOf } from './issue-due-pix.ts';
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

/** Issued charges as the bank lists and stores them (Bacen's document, `GET /cob` and `GET /cobv`). */
export function issuedCharges(
  client: BankClient,
  profile: BacenProfile,
): Pick<ListingPort, 'references' | 'recall'> {
  const { paths } = profile;
  const resources = [paths.cob, ...(profile.dueCharges ? [paths.cobv] : [])];
  return {
    /** Immediate charges, then those with a due date. A cursor is the resource's number and the page. */
    async references({ from, until }, cursor) {
      const [resource = 0, page = 0] = (cursor ?? '').split('/').map(Number);
      // Sicredi has version 3 for single charges only.
      const path = (resources[resource] ?? '').replace('/v3/', '/v2/');
      const query = pageQuery({ from, until }, page);
      const list = readList(await client.send({ method: 'GET', path, query }));
      // An item without a txid is not a charge of Recebe.
      const items = (list.cobs ?? []).flatMap((item) => listedSchema.safeParse(item).data?.txid ?? []);
      const isLast = page + 1 >= list.parametros.paginacao.quantidadeDePaginas;
      if (!isLast) return { items, nextCursor: `${resource}/${page + 1}` };
      return { items, nextCursor: resource + 1 < resources.length ? `${resource + 1}/0` : null };
    },
    async recall(reference, beneficiary) {
      const body = await client.find(`${isDueTxid(reference) ? paths.cobv : paths.cob}/${reference}`);
      if (body === null) return null;
      const charge = readRecalled(body);
      const brCode = brCodeOf(charge, profile, beneficiary);
      const criacao = charge.calendario?.criacao;
      const terms = termsOf(charge);
      if (brCode === null || criacao === undefined || terms === null) return null;
      const { devedor, pix = [] } = charge;
      return {
        reference,
        status: statusOf(charge),
        amountCents: charge.valor.original,
        description: charge.solicitacaoPagador ?? null,
        createdAt: criacao,
        terms,
        payer: { name: devedor?.nome ?? null, taxId: devedor?.cpf ?? devedor?.cnpj ?? null },
        brCode,
        providerPaymentIds: pix.map(({ endToEndId }) => endToEndId),
      };
    },
  };
}

/** Null if Recebe asks for no charges on such terms: another program of the store's has issued it. */
function termsOf({ calendario = {}, valor }: BankRecalledCharge): RecalledTerms | null {
  const { expiracao, dataDeVencimento } = calendario;
  if (dataDeVencimento === undefined) return expiracao === undefined ? null : { expiresInSeconds: expiracao };
  return isCivilDate(dataDeVencimento)
    ? { dueDate: civilDate(dataDeVencimento), ...lateTermsOf(valor) }
    : null;
}

function statusOf({ status, pix = [] }: BankRecalledCharge): 'OPEN' | 'PAID' | 'CLOSED' {
  if (status === 'CONCLUIDA' || pix.length > 0) return 'PAID';
  return status.startsWith('REMOVIDA_') ? 'CLOSED' : 'OPEN';
}
