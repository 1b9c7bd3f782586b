import type { OrderClaims } from '../../order-claims.ts';
import type { CancelMandateAnswer, MandatesPort, MandateTerms } from '../../ports/mandates.ts';
import type { ProviderPage } from '../../ports/pages.ts';
import type { BacenAccount } from '../account.ts';
import type { BankClient } from '../bank-client.ts';
import { BankError } from '../bank-error.ts';
import type { BacenProfile, MandatePaths } from '../profile.ts';
import { BANK_ID, type ReadItems } from '../read-each.ts';
import { MandateBooks } from './books.ts';
import { CANCELLED, createMandate } from './create.ts';
import { cancelInstruction, instructDebit, instructionTxidOf, RETRIES, retryDebit } from './instruct.ts';
import { hasEnded, instructionOf, mandateOf, mandateStatusOf } from './wire.ts';

/** Bacen, "Manual de Padrões para Iniciação do Pix" and the document of API Pix 2.9.0. */
export const MANDATE_TERMS: MandateTerms = {
  periodicities: ['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY'],
  noticeDays: { most: 10, least: 2 },
  retries: RETRIES,
  codes: ['CONSENT', 'CHARGE_AND_CONSENT'],
  amounts: ['FIXED', 'VARIABLE'],
  receivers: 'CNPJ',
};
const POLL_AFTER_MS = 5_000;

interface Deps {
  readonly client: BankClient;
  readonly account: BacenAccount;
  readonly claims: OrderClaims | null;
  /** How long the list may lag after a lost answer. */
  readonly settleMs?: number;
  readonly nowMs?: () => number;
}

/** Pix Automático at a bank; undefined if the bank does not offer it, or the account names no account to pay into. */
export function bacenMandates({ client, account, ...deps }: Deps): MandatesPort | undefined {
  const paths = account.profile.mandates;
  const {
    receivingAccount: conta,
    receivingBranch: agencia,
    receivingAccountType: tipoConta,
  } = account.settings;
  if (paths === null || conta === undefined) return undefined;
  const books = new MandateBooks(client, paths);
  const receiver = { ...(agencia !== undefined && { agencia }), conta, tipoConta };
  const instructions = { client, paths, books, receiver };
  return {
    ...MANDATE_TERMS,
    create: (request) => createMandate({ client, paths, books, ...deps }, request),
    async find(id) {
      const there = await books.mandate(id);
      return there && mandateOf(there);
    },
    cancel: (id) => cancelMandate(client, paths, books, id),
    instruct: (request) => instructDebit(instructions, request),
    async findInstruction(reference) {
      const there = await books.instruction(instructionTxidOf(reference));
      return there && instructionOf(there);
    },
    cancelInstruction: (reference) => cancelInstruction(instructions, reference),
    retry: (request) => retryDebit(instructions, request),
    async listMandates(time, cursor) {
      const page = Number(cursor ?? 0);
      return pageFrom(await books.mandates(time, page), page, mandateOf);
    },
    async listInstructions(time, cursor) {
      const page = Number(cursor ?? 0);
      return pageFrom(await books.instructions(time, page), page, instructionOf);
    },
  };
}

/** Cancels a mandate, then looks it up: the answer may be lost, and it may have ended before. */
async function cancelMandate(
  client: BankClient,
  { rec }: MandatePaths,
  books: MandateBooks,
  id: string,
): Promise<CancelMandateAnswer> {
  if (!BANK_ID.test(id))
    throw new BankError('INVALID', null, 'the id of a mandate has letters and digits only');
  let refusal: unknown = null;
  try {
    await client.send({ method: 'PATCH', path: `${rec}/${id}`, body: CANCELLED });
  } catch (error) {
    refusal = error;
  }
  const there = await books.mandate(id);
  if (there !== null && mandateStatusOf(there) === 'CANCELLED') return { outcome: 'CANCELLED' };
  if (there !== null && hasEnded(there)) return { outcome: 'ENDED', status: mandateStatusOf(there) };
  if (refusal !== null) throw refusal;
  return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
}

function pageFrom<Item, Read>(
  { items, unreadableIds, isLast }: ReadItems<Read> & { readonly isLast: boolean },
  page: number,
  of: (item: Read) => Item,
): ProviderPage<Item> {
  return {
    items: items.map(of),
    ...(unreadableIds.length > 0 && { unreadableIds }),
    nextCursor: isLast ? null : String(page + 1),
  };
}

/** Whether an account at a bank with this profile may have mandates. */
export function mandateTermsOf({ mandates }: BacenProfile): MandateTerms | null {
  return mandates === null ? null : MANDATE_TERMS;
}
