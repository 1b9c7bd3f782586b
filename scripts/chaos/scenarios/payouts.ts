import { randomUUID } from 'node:crypto';
import type { KnownPayout } from '../book.ts';
import { act, noted, type Scenario, sellerId, WITHDRAWING } from './shop.ts';

/** A payout of this amount fails in dev mode. */
const FAILING_CENTS = 40_404;
const KEYS = { good: 'ana@example.com', slow: 'demora@example.com', failing: 'conta-encerrada@example.com' };

/** A payout to the store's own account, at most once a minute. Sometimes two programs request it at once. */
export const payout: Scenario = async (shop, chance) => {
  const fails = chance.isIn(20);
  const amountCents = fails ? FAILING_CENTS : chance.between(350, 3_000);
  const body = { amount: amountCents, externalId: randomUUID() };
  await send(
    shop,
    'payouts/create',
    body,
    { kind: 'payout', seller: null, amountCents, fails },
    chance.isIn(30),
  );
};

/** A transfer to another person's PIX key, which may not exist. */
export const transfer: Scenario = async (shop, chance) => {
  const key = chance.weighted({ good: 4, slow: 1, failing: 1 });
  const amountCents = chance.between(350, 3_000);
  const body = { amount: amountCents, externalId: randomUUID(), pix: { type: 'EMAIL', key: KEYS[key] } };
  await send(
    shop,
    'pix/send',
    body,
    { kind: 'transfer', seller: null, amountCents, fails: key === 'failing' },
    chance.isIn(30),
  );
};

/** A seller withdraws a share of a payment, in full or in part. Sometimes two programs request it at once. */
export const withdrawal: Scenario = async (shop, chance) => {
  const shareCents = chance.between(100, 3_000);
  const amountCents = shareCents + 80;
  const splits = [{ subAccountId: await sellerId(shop, WITHDRAWING), amount: shareCents }];
  const data = { amount: amountCents, externalId: randomUUID(), splits };
  const made = await shop.integrator.post<{ id: string }>('transparents/create', { method: 'PIX', data });
  if (made.data === null)
    return void shop.book.contradictions.push(`a split charge was refused: ${made.code}`);
  const order = { do: 'createPix', amountCents, expiresInS: 86_400 } as const;
  const charge = noted(shop, made.data.id, { ...order, sharePercent: 100, seller: WITHDRAWING });
  await act(shop, charge, 'pay');
  const body = {
    id: await sellerId(shop, WITHDRAWING),
    amount: chance.between(100, shareCents),
    externalId: randomUUID(),
  };
  const wanted = { kind: 'transfer', seller: WITHDRAWING, amountCents: body.amount, fails: false } as const;
  await send(shop, 'sub-accounts/withdraw', body, wanted, chance.isIn(30));
};

async function send(
  { integrator, book }: Parameters<Scenario>[0],
  path: string,
  body: { readonly externalId: string },
  wanted: Omit<KnownPayout, 'id'>,
  isTwice: boolean,
): Promise<void> {
  const one = () => integrator.post<{ id: string }>(path, body);
  const answers = await Promise.all(isTwice ? [one(), one()] : [one()]);
  const ids = new Set(answers.flatMap(({ data }) => data?.id ?? []));
  if (ids.size > 1)
    book.contradictions.push(`one ${wanted.kind} was asked for, and there are ${[...ids].join(' and ')}`);
  for (const id of ids) book.payouts.push({ id, ...wanted });
  if (ids.size === 0 && answers.some(({ isInDoubt }) => isInDoubt)) book.refusedInDoubt.add(body.externalId);
  for (const { code } of answers)
    if (code !== 'ok' && code !== 'INSUFFICIENT_FUNDS' && code !== 'TOO_MANY_PAYOUTS')
      book.contradictions.push(`a ${wanted.kind} was refused: ${code}`);
}
