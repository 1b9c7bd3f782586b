import { addDays, saoPauloDateOf, saoPauloNoon } from '../../domain/civil-date.ts';
import { decimalOf } from '../../domain/money.ts';
import { parseBrCode } from '../../domain/pix.ts';
import { PIX_KEY_TYPES, type PixKeyType, parsePixKey } from '../../domain/pix-key.ts';
import { claimsOf, type OrderClaims } from '../order-claims.ts';
import type { PayoutsPort, SendPix, SentTransfer, TransferAnswer } from '../ports/payouts.ts';
import { ProviderError } from '../provider-error.ts';
import { mayBeSameKey } from '../same-key.ts';
import type { AsaasClient } from './asaas-client.ts';
import { AsaasError } from './asaas-client.ts';
import { madeNothing } from './issue.ts';
import { type AsaasTransfer, readTransfer, readTransfers } from './wire.ts';

/** Asaas allows no more. */
const PAGE_SIZE = 100;
/** An order is repeated within hours; after a restore, within the age of its backup. */
const LOOKED_BACK_DAYS = 60;
const PATH = '/v3/transfers';
const IN_DOUBT: TransferAnswer = {
  outcome: 'REFUSED_IN_DOUBT',
  reason: 'Asaas lists no transfer for an order that was given',
};
const TRANSFER_ID = /^[0-9A-Za-z-]{1,64}$/;
/** The names of Asaas. It takes no BR Code as a key. */
const KEY_TYPES: Readonly<Partial<Record<PixKeyType, string>>> = {
  CPF: 'CPF',
  CNPJ: 'CNPJ',
  EMAIL: 'EMAIL',
  PHONE: 'PHONE',
  RANDOM: 'EVP',
};

/** Payouts by PIX to a key. Asaas reports no returns of sent money, and carries no txid. */
export function asaasTransfers(
  client: AsaasClient,
  accountClaims: OrderClaims | null,
  payoutKey: string | null,
): Required<Pick<PayoutsPort, 'send' | 'find' | 'list'>> {
  const find = async (request: SendPix, madeId: string | null): Promise<TransferAnswer | null> => {
    const there = madeId === null ? await listed(client, request) : await transferOf(client, madeId);
    return there === null ? null : answerOf(there, request, payoutKey);
  };
  return {
    /**
     * Orders once. Asaas has no idempotency key, and nobody can cancel a second transfer: while an order may have
     * been given, it is looked up and not given again, however long that lasts.
     */
    async send(request) {
      const claims = claimsOf(accountClaims);
      const { reference } = request;
      const claim = await claims.claim(reference, null);
      if (claim.outcome !== 'MINE')
        return (await find(request, claim.outcome === 'MADE' ? claim.madeId : null)) ?? IN_DOUBT;
      const release = () => claims.release(reference, claim.claimId, 0);
      const body = await orElse(release, async () => bodyOf(request, payoutKey));
      // A restore may have lost the claim of an order that was given.
      const there = await orElse(release, () => listed(client, request));
      try {
        const made = there ?? readTransfer(await client.send({ method: 'POST', path: PATH, body }));
        await claims.record(reference, made.id);
        return answerOf(made, request, payoutKey);
      } catch (error) {
        if (madeNothing(error)) await release();
        if (error instanceof AsaasError && error.refusal !== null)
          return { outcome: 'FAILED', reason: error.refusal };
        throw error;
      }
    },
    async find(request) {
      const madeId = (await accountClaims?.recorded(request.reference)) ?? null;
      return (await find(request, madeId)) ?? { outcome: 'NOT_FOUND', isFinal: false };
    },
    async list({ from, until }, cursor) {
      const offset = Number(cursor ?? 0);
      const query = {
        'dateCreated[ge]': saoPauloDateOf(from),
        'dateCreated[le]': saoPauloDateOf(new Date(until.getTime() - 1)),
        limit: String(PAGE_SIZE),
        offset: String(offset),
      };
      const page = readTransfers(await client.send({ method: 'GET', path: PATH, query }));
      const items = page.data.map(sentOf).filter(({ orderedAt }) => orderedAt >= from && orderedAt < until);
      const isLast = !page.hasMore || page.data.length === 0;
      return { items, nextCursor: isLast ? null : String(offset + page.data.length) };
    },
  };
}

/** Runs a step before the order. If it fails, nothing was ordered. */
async function orElse<Result>(release: () => Promise<void>, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    await release();
    throw error;
  }
}

/** @throws ProviderError UNSUPPORTED if the account knows no key to send to. */
function bodyOf(request: SendPix, payoutKey: string | null) {
  const { type, key } = destinationOf(request, payoutKey);
  return {
    value: Number(decimalOf(request.amountCents)),
    operationType: 'PIX',
    pixAddressKey: key,
    pixAddressKeyType: type,
    externalReference: request.reference,
  };
}

function destinationOf({ destination }: SendPix, payoutKey: string | null): { type: string; key: string } {
  if (destination !== null && destination.type !== 'BR_CODE')
    return { type: KEY_TYPES[destination.type] ?? '', key: destination.key };
  const key = destination === null ? payoutKey : (parseBrCode(destination.key)?.key ?? null);
  const type = PIX_KEY_TYPES.find((each) => each !== 'BR_CODE' && parsePixKey(each, key ?? '') !== null);
  if (key === null || type === undefined)
    throw new ProviderError('UNSUPPORTED', 'this account knows no PIX key that the money goes to');
  return { type: KEY_TYPES[type] ?? '', key: parsePixKey(type, key) ?? key };
}

async function transferOf(client: AsaasClient, id: string): Promise<AsaasTransfer | null> {
  if (!TRANSFER_ID.test(id)) return null;
  const body = await client.find(`/v3/transfers/${id}`);
  return body === null ? null : readTransfer(body);
}

/** The transfer with this reference, which Asaas cannot look up: all that may have been ordered for it are listed. */
async function listed(client: AsaasClient, { reference, now }: SendPix): Promise<AsaasTransfer | null> {
  const since = addDays(saoPauloDateOf(now), -LOOKED_BACK_DAYS);
  for (let offset = 0; ; ) {
    const query = {
      'dateCreated[ge]': since,
      limit: String(PAGE_SIZE),
      offset: String(offset),
    };
    const page = readTransfers(await client.send({ method: 'GET', path: PATH, query }));
    const found = page.data.find(({ externalReference }) => externalReference === reference);
    if (found !== undefined) return found;
    if (!page.hasMore || page.data.length === 0) return null;
    offset += page.data.length;
  }
}

/** Treats unknown statuses as under way. */
function answerOf(there: AsaasTransfer, request: SendPix, payoutKey: string | null): TransferAnswer {
  const { key } = destinationOf(request, payoutKey);
  const shown = there.bankAccount?.pixAddressKey ?? null;
  if (there.value !== request.amountCents || (shown !== null && !mayBeSameKey(shown, key)))
    return { outcome: 'OTHER_TRANSFER' };
  switch (statusOf(there)) {
    case 'COMPLETE':
      return { outcome: 'COMPLETE', endToEndIdentifier: there.endToEndIdentifier ?? there.id };
    case 'FAILED':
      return { outcome: 'FAILED', reason: there.failReason ?? 'Asaas could not carry it out' };
    case 'PENDING':
      return { outcome: 'PENDING' };
  }
}

function statusOf({ status }: AsaasTransfer): SentTransfer['status'] {
  if (status === 'DONE') return 'COMPLETE';
  return status === 'FAILED' || status === 'CANCELLED' ? 'FAILED' : 'PENDING';
}

/** A transfer between accounts at Asaas has no end-to-end id: its own id stands for it. */
function sentOf(transfer: AsaasTransfer): SentTransfer {
  const { id, externalReference, endToEndIdentifier, value, bankAccount } = transfer;
  return {
    reference: externalReference ?? id,
    endToEndIdentifier: endToEndIdentifier ?? id,
    amountCents: value,
    status: statusOf(transfer),
    payeeKey: bankAccount?.pixAddressKey ?? null,
    orderedAt: orderedAtOf(transfer),
    returns: [],
  };
}

/** Asaas names only the day. A PIX has its minute, in UTC, in its end-to-end id (Bacen, "Manual de Padrões"). */
function orderedAtOf({ dateCreated, endToEndIdentifier }: AsaasTransfer): Date {
  const [, year, month, day, hour, minute] =
    /^[ED]\d{8}(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})/.exec(endToEndIdentifier ?? '') ?? [];
  return year === undefined
    ? saoPauloNoon(dateCreated)
    : new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
}
