import { randomUUID } from 'node:crypto';
import { type Api, ApiFailure } from './api.ts';

/** What an integrator does to cause an event. @returns the id of the object that the event is about. */
export type Make = (api: Api) => Promise<string>;

/** How to cause an event. */
export interface Cause {
  readonly how: string;
  readonly cause: Make;
  /** How far the clock of the store moves for it, in words. */
  readonly moves?: string;
}

/** In cents. */
export const AMOUNT = 2_500;
export const PLENTY = 100_000;
/** An amount that the sandbox bank refuses to pay out (guide "Money"). */
export const NOT_PAYABLE = 40_404;
export const RETURNING_PAYOUT = 40_505;
export const RETURNING_PIX_KEY = 'devolve@example.com';
export const UNKNOWN_PIX_KEY = 'chave-inexistente@example.com';
export const APPROVED_CARD = '4242424242424242';
/** Declined for lack of funds (contract section 8). */
export const DECLINED_CARD = '4000000000000002';
export const DECLINED_FROM_THE_SECOND_CHARGE = '4000000000000341';

const unique = () => `trigger-${randomUUID()}`;

export const unpaidCharge: Make = async (api) =>
  (await api.post('transparents/create', { method: 'PIX', data: { amount: AMOUNT } })).id;

export async function pay(api: Api, amount: number): Promise<string> {
  const { id } = await api.post('transparents/create', { method: 'PIX', data: { amount } });
  await api.post(`transparents/simulate-payment?id=${id}`);
  return id;
}
export const paidCharge: Make = (api) => pay(api, AMOUNT);

export async function product(api: Api, more: object = {}): Promise<string> {
  const body = {
    externalId: unique(),
    name: 'Made by recebe trigger',
    price: 4_900,
    currency: 'BRL',
    ...more,
  };
  return (await api.post('products/create', body)).id;
}

export const unpaidCheckout: Make = async (api) => {
  const items = [{ id: await product(api), quantity: 1 }];
  return (await api.post('checkouts/create', { items, methods: ['PIX', 'CARD'] })).id;
};

export const paidCheckout: Make = async (api) => {
  const id = await unpaidCheckout(api);
  await api.post('checkouts/simulate-payment', { id, method: 'CARD' });
  return id;
};

export async function subscribe(api: Api, more: object = {}, payment: object = {}): Promise<string> {
  const items = [{ id: await product(api, { cycle: 'MONTHLY', ...more }), quantity: 1 }];
  const { id } = await api.post('subscriptions/create', { items, methods: ['CARD'] });
  const paid = await api.post<{ subscriptionId: string }>('checkouts/simulate-payment', { id, ...payment });
  return paid.subscriptionId;
}

export const ACCEPTING_PAYER = { name: 'Ana Souza', taxId: '52998224725' };
/** A test CPF (guide "Pix Automático"). */
export const REFUSING_PAYER = { name: 'Bia Lima', taxId: '80000000167' };

/** By PIX, with a code that also asks for debits. */
export function authorizing(api: Api, payer: object): Promise<string> {
  return subscribeByPix(api, payer, { pixAutomatic: 'fixed' });
}

export async function subscribeByPix(api: Api, payer: object, more: object = {}): Promise<string> {
  const items = [{ id: await product(api, { cycle: 'MONTHLY' }), quantity: 1 }];
  const { id } = await api.post('subscriptions/create', { items, methods: ['PIX'], ...more });
  const paid = await api.post<{ subscriptionId: string }>('checkouts/simulate-payment', { id, payer });
  return paid.subscriptionId;
}

export async function paused(api: Api): Promise<string> {
  const id = await subscribe(api);
  await api.post('subscriptions/pause', { id });
  return id;
}

export async function cancelledLater(api: Api): Promise<string> {
  const id = await subscribe(api);
  await api.post('subscriptions/cancel', { id, atPeriodEnd: true });
  return id;
}

export async function refund(api: Api, resource: 'transparents' | 'checkouts', id: string): Promise<string> {
  await api.post(`${resource}/refund`, { id, reason: 'recebe trigger' });
  return id;
}

export async function dispute(api: Api, id: string, end?: 'win' | 'lose'): Promise<string> {
  await api.post('dev/disputes/open', { id, reason: 'recebe trigger' });
  if (end !== undefined) await api.post(`dev/disputes/${end}`, { id });
  return id;
}

export async function payOut(api: Api, amount: number): Promise<string> {
  await pay(api, PLENTY);
  return (await api.post('payouts/create', { amount, externalId: unique() })).id;
}

export async function transfer(api: Api, amount: number, key = 'ana@example.com'): Promise<string> {
  return (await api.post('pix/send', { amount, externalId: unique(), pix: { type: 'EMAIL', key } })).id;
}

/** Runs a request that must be refused. @throws if it succeeds, or fails for another reason. */
export async function refused(code: string, request: Promise<unknown>): Promise<void> {
  const failure = await request.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof ApiFailure && failure.code === code) return;
  throw failure ?? new Error(`expected an error ${code}, but the request succeeded`);
}
