import { type Debit, DebitEntity } from '../database/entities/debit.ts';
import { type Mandate, MandateEntity } from '../database/entities/mandate.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { DebitStatus } from '../domain/debit.ts';
import { ID_PREFIX } from '../domain/ids.ts';
import { hasMandateEnded } from '../domain/mandate.ts';
import { pagesOf } from '../providers/pages-of.ts';
import type { MandatesPort, ProviderInstruction, ProviderMandate } from '../providers/ports/mandates.ts';
import type { ProviderPage, TimeWindow } from '../providers/ports/pages.ts';
import { hasPort, type PaymentProvider, type ProviderWith } from '../providers/provider.ts';

/** An authorization or a debit on which bank and rows differ. */
export interface MandateDifference {
  readonly problem:
    | 'MANDATE_MISSING_HERE'
    | 'MANDATE_MISSING_AT_BANK'
    | 'MANDATE_NOT_ENDED_AT_BANK'
    | 'DEBIT_MISSING_HERE'
    | 'DEBIT_MISSING_AT_BANK'
    | 'DEBIT_NOT_CANCELLED_AT_BANK'
    | 'DEBIT_NOT_PAID_AT_BANK'
    | 'DEBIT_OTHER_AMOUNT';
  /** The bank's id. */
  readonly providerId: string;
  /** Null if it is missing here. */
  readonly id: Mandate['id'] | Debit['id'] | null;
  /** The amount of a debit; null if it is missing, and for an authorization. */
  readonly bankCents: number | null;
  readonly hereCents: number | null;
}

/** The authorizations and debits that were created within a time, at a bank and here. */
export interface ComparedMandates {
  readonly bank: { readonly mandates: number; readonly debits: number };
  readonly here: { readonly mandates: number; readonly debits: number };
  readonly differences: readonly MandateDifference[];
}

/** Rounds end an authorization at its bank within minutes. */
const ENDED_FOR_MS = 60 * 60_000;
/** An order or an answer may be under way. */
const SETTLED_AFTER_MS = 15 * 60_000;

const ANY = statement<{ provider: string }, object>(
  'find a mandate of an account',
  () => 'select 1 from mandates where provider = :provider limit 1',
);

/**
 * The account's provider with its port, if a payer was ever asked for an authorization there: many accounts have no contract for debits, and
 * their bank refuses to list any.
 */
export async function providerWithMandates(
  em: Em,
  provider: PaymentProvider,
): Promise<ProviderWith<'mandates'> | null> {
  if (!hasPort(provider, 'mandates')) return null;
  return (await ANY(em, { provider: provider.name })).length > 0 ? provider : null;
}

/**
 * Compares the authorizations and debits that were created within a time at a bank with the rows here, one by one. What the bank has ended
 * and is still active here is left to `followMandates`. Those of other programs at the same bank account do not count.
 * @throws what the provider throws.
 */
export async function compareMandates(
  em: Em,
  provider: ProviderWith<'mandates'>,
  time: TimeWindow,
  now: Date,
): Promise<ComparedMandates> {
  const { name, mandates: port } = provider;
  const listedMandates = await all((cursor) => port.listMandates(time, cursor));
  const listedDebits = await all((cursor) => port.listInstructions(time, cursor));
  const { mandates, own, known, ownDebits, debits } = await readHere(em, name, time, {
    listedMandates,
    listedDebits,
  });
  const differences = [
    ...listedMandates.flatMap((mandate) => mandateDifference(mandate, mandates, now)),
    ...(await missingMandates(port, own, listedMandates, time, now)),
    ...ownDebits.flatMap((debit) => debitDifference(debit, debits)),
    ...(await missingDebits(port, debits, ownDebits, time, now)),
  ];
  const isOfTime = ({ createdAt }: Mandate | Debit) => createdAt >= time.from && createdAt < time.until;
  return {
    bank: {
      mandates: listedMandates.filter(({ providerMandateId }) => known.has(providerMandateId)).length,
      debits: ownDebits.length,
    },
    here: { mandates: own.filter(isOfTime).length, debits: debits.filter(isOfTime).length },
    differences,
  };
}

/** The same of the debits that the bank lists, without asking it for anything else. @throws what the provider throws. */
export async function compareListedDebits(
  em: Em,
  { name, mandates: port }: ProviderWith<'mandates'>,
  time: TimeWindow,
): Promise<MandateDifference[]> {
  const listedDebits = await all((cursor) => port.listInstructions(time, cursor));
  const { ownDebits, debits } = await readHere(em, name, time, { listedMandates: [], listedDebits });
  return ownDebits.flatMap((debit) => debitDifference(debit, debits));
}

async function all<Item>(pageAt: (cursor: string | null) => Promise<ProviderPage<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesOf(pageAt)) items.push(...page.items);
  return items;
}

interface Listed {
  readonly listedMandates: readonly ProviderMandate[];
  readonly listedDebits: readonly ProviderInstruction[];
}

/** The rows of what is listed and of the time, and which of the listed debits are under mandates of this account. */
async function readHere(
  em: Em,
  provider: string,
  time: TimeWindow,
  { listedMandates, listedDebits }: Listed,
) {
  const ofTime = { provider, ...time };
  const mandates = await MANDATES(em, {
    ...ofTime,
    providerIds: [...listedMandates, ...listedDebits].map(({ providerMandateId }) => providerMandateId),
    ids: listedMandates.map(({ reference }) => reference),
  });
  const own = mandates.filter((mandate) => mandate.provider === provider);
  const known = new Set(own.map(({ providerMandateId }) => providerMandateId));
  const ownDebits = listedDebits.filter(({ providerMandateId }) => known.has(providerMandateId));
  const debits = await DEBITS(em, {
    ...ofTime,
    mandateIds: own.map(({ id }) => id),
    txids: ownDebits.map(({ reference }) => reference),
  });
  return { mandates, own, known, ownDebits, debits };
}

/** One account and a few days of it, and so read at once. A listed one counts as known if another account here has it. */
const MANDATES = statement<
  TimeWindow & { provider: string; providerIds: readonly string[]; ids: readonly string[] },
  Mandate
>(
  'mandates of an account within a time',
  (columns) => `
  with found as (
    select id from mandates where id = any (:ids::text[])
    union select id from mandates where provider = :provider and provider_mandate_id = any (:providerIds::text[])
    union select id from mandates where provider = :provider and created_at >= :from and created_at < :until
  )
  select ${columns.read(MandateEntity, 'mandate')} from found join mandates mandate using (id)`,
);

/** The bank's id of a debit is the end of ours. */
const DEBITS = statement<
  TimeWindow & { provider: string; mandateIds: readonly string[]; txids: readonly string[] },
  Debit
>(
  'debits of an account within a time',
  (columns) => `
  with found as (
    select id from debits where mandate_id = any (:mandateIds::text[]) and right(id, 26) = any (:txids::text[])
    union select debits.id from debits join mandates on mandates.id = debits.mandate_id
    where provider = :provider and debits.created_at >= :from and debits.created_at < :until
  )
  select ${columns.read(DebitEntity, 'debit')} from found join debits debit using (id)`,
);

const OUR_ID = new RegExp(`^${ID_PREFIX.mandate}[0-9A-Z]{26}$`);

function mandateDifference(
  { providerMandateId: providerId, reference, status }: ProviderMandate,
  mandates: readonly Mandate[],
  now: Date,
): MandateDifference[] {
  const isLive = status === 'ACTIVE' || status === 'PENDING';
  const here = mandates.find((mandate) => mandate.providerMandateId === providerId);
  if (here === undefined) {
    // The code of a second one of the same reference was never shown, so nobody can have accepted it.
    const isLost = status === 'ACTIVE' && OUR_ID.test(reference);
    return isLost ? [ofMandate('MANDATE_MISSING_HERE', providerId, null)] : [];
  }
  const since = here.endedAt ?? here.endRequestedAt;
  const isOverdue = since !== null && now.getTime() - since.getTime() > ENDED_FOR_MS;
  return isLive && isOverdue ? [ofMandate('MANDATE_NOT_ENDED_AT_BANK', providerId, here.id)] : [];
}

async function missingMandates(
  port: MandatesPort,
  own: readonly Mandate[],
  listed: readonly ProviderMandate[],
  time: TimeWindow,
  now: Date,
): Promise<MandateDifference[]> {
  const ids = new Set(listed.map(({ providerMandateId }) => providerMandateId));
  const found: MandateDifference[] = [];
  for (const { id, providerMandateId, createdAt, status } of own) {
    if (ids.has(providerMandateId) || !isSettled(createdAt, time, now) || hasMandateEnded(status)) continue;
    // The bank may have dated it a moment before or after the time.
    if ((await port.find(providerMandateId, now)) === null)
      found.push(ofMandate('MANDATE_MISSING_AT_BANK', providerMandateId, id));
  }
  return found;
}

function ofMandate(
  problem: MandateDifference['problem'],
  providerId: string,
  id: Mandate['id'] | null,
): MandateDifference {
  return { problem, providerId, id, bankCents: null, hereCents: null };
}

/** Nobody wants these debits here. */
const UNWANTED: readonly DebitStatus[] = ['REFUSED', 'DROPPED'];

function debitDifference(
  { reference: providerId, status, amountCents: bankCents, dueDate }: ProviderInstruction,
  debits: readonly Debit[],
): MandateDifference[] {
  const isLive = status === 'PENDING' || status === 'SCHEDULED';
  const here = debits.find(({ id }) => id.endsWith(providerId));
  if (here === undefined)
    return isLive
      ? [{ problem: 'DEBIT_MISSING_HERE', providerId, id: null, bankCents, hereCents: null }]
      : [];
  const { id, amountCents: hereCents } = here;
  const of = (problem: MandateDifference['problem']) => [{ problem, providerId, id, bankCents, hereCents }];
  if (isLive && UNWANTED.includes(here.status)) return of('DEBIT_NOT_CANCELLED_AT_BANK');
  if (here.status === 'PAID' && status !== 'PAID' && status !== 'UNKNOWN')
    return of('DEBIT_NOT_PAID_AT_BANK');
  return bankCents === hereCents && dueDate === here.dueDate ? [] : of('DEBIT_OTHER_AMOUNT');
}

/** The bank must have these debits. One that is being ordered may not have reached it yet. */
const ORDERED: readonly DebitStatus[] = ['ORDERED', 'BEGUN', 'PAID'];

async function missingDebits(
  port: MandatesPort,
  debits: readonly Debit[],
  listed: readonly ProviderInstruction[],
  time: TimeWindow,
  now: Date,
): Promise<MandateDifference[]> {
  const found: MandateDifference[] = [];
  for (const { id, status, createdAt, amountCents: hereCents, providerReference } of debits) {
    const isListed = listed.some(({ reference }) => id.endsWith(reference));
    if (isListed || !ORDERED.includes(status) || !isSettled(createdAt, time, now)) continue;
    const providerId = providerReference ?? id;
    if ((await port.findInstruction(providerId, now)) === null)
      found.push({ problem: 'DEBIT_MISSING_AT_BANK', providerId, id, bankCents: null, hereCents });
  }
  return found;
}

function isSettled(createdAt: Date, { from, until }: TimeWindow, now: Date): boolean {
  return createdAt >= from && createdAt < until && now.getTime() - createdAt.getTime() > SETTLED_AFTER_MS;
}
