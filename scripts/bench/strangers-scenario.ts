import { randomBytes } from 'node:crypto';
import { type Bench, backlogOf, openStore } from './bench.ts';
import type { Figures } from './figures.ts';
import {
  type FloodCounts,
  type FloodRequest,
  type FloodSender,
  fromAddress,
  startFlood,
  withKey,
} from './flood.ts';
import { percentile, until } from './load.ts';
import { createAndPay, newSeen, PARTS, ratio, type Seen } from './measured-store.ts';

/** So many addresses that the limit of a single one never refuses any. */
const ADDRESSES = 2_000;
/** Far more than a process can serve. */
const PER_SECOND = 1_000;
/** More than wait at once. After them the limits answer. */
const BEFORE = 500;
/** Made-up keys of an address: a key that was looked up is known to be wrong for a minute. */
const KEYS_OF_ADDRESS = 20;
/** How many pages a payer opens while others are measured. */
const PAGES_OF_A_PAYER = 40;

const KINDS = ['alone', 'pages', 'wrongForms', 'sameForms', 'unknownPages', 'madeUpKeys'] as const;
type Kind = (typeof KINDS)[number];

interface Measured extends Seen {
  /** Of a payer at an address of their own. */
  readonly pageMs: number[];
  readonly floods: FloodCounts[];
}

/**
 * How long creates and payments of a store take, and the page of a payer, while two thousand addresses open pages of payers or
 * send their forms with wrong fields, or open pages that do not exist, or make up keys, compared with the same requests to a server that does
 * nothing.
 */
export async function strangers(bench: Bench): Promise<Figures> {
  const checkoutId = await checkoutOfOthers(bench);
  const requests: Readonly<Record<Kind, FloodRequest>> = {
    alone: { method: 'GET', path: '/', body: null },
    pages: { method: 'GET', path: `/pay/${checkoutId}`, body: null },
    wrongForms: { method: 'POST', path: `/pay/${checkoutId}`, body: WRONG_FORM },
    sameForms: { method: 'POST', path: `/pay/${checkoutId}`, body: SAME_FORM },
    unknownPages: { method: 'GET', path: '/pay/bill_01J9Z3VYK0W6F0S7R2M8QH4T5B', body: null },
    madeUpKeys: { method: 'GET', path: '/v2/store/get', body: null },
  };
  const seen: Readonly<Record<Kind, Measured>> = {
    alone: newMeasured(),
    pages: newMeasured(),
    wrongForms: newMeasured(),
    sameForms: newMeasured(),
    unknownPages: newMeasured(),
    madeUpKeys: newMeasured(),
  };
  for (let part = 0; part < PARTS; part += 1) {
    for (const kind of KINDS) {
      await beside(bench, kind, requests[kind], checkoutId, seen[kind]);
      await until('the starts', async () => (await backlogOf(bench)) === 0);
    }
  }
  return figuresOf(seen);
}

/** Fields that the form refuses. */
const WRONG_FORM = new URLSearchParams({
  method: 'CARD',
  payerName: 'Ana',
  payerTaxId: '111.111.111-11',
  payerEmail: 'ana',
  cardNumber: '4111 1111 1111 1112',
}).toString();

/** Begins a payment once. Then it shows the payment that waits already. */
const SAME_FORM = new URLSearchParams({ method: 'PIX', attempt: '0'.repeat(32) }).toString();

async function beside(
  bench: Bench,
  kind: Kind,
  request: FloodRequest,
  checkoutId: string,
  seen: Measured,
): Promise<void> {
  const senders = kind === 'madeUpKeys' ? withMadeUpKeys() : addresses();
  const url = kind === 'alone' ? null : bench.endpoints.apiUrl;
  // The pages of the part before took longer than the minute in which a store counts as busy.
  await bench.api.createCharge();
  await using running = await startFlood({ url, senders, perSecond: PER_SECOND, before: BEFORE, request });
  await createAndPay(bench, seen);
  for (let opened = 0; opened < PAGES_OF_A_PAYER; opened += 1) {
    const sentMs = performance.now();
    await bench.api.openPage(checkoutId, fromAddress(`198.51.100.${opened + 1}`));
    seen.pageMs.push(performance.now() - sentMs);
  }
  seen.floods.push(await running.stop());
}

function addresses(): FloodSender[] {
  return Array.from({ length: ADDRESSES }, (_, index) => fromAddress(addressOf(index)));
}

function withMadeUpKeys(): FloodSender[] {
  const madeUp = () => withKey(`abc_dev_${randomBytes(32).toString('base64url')}`);
  return Array.from({ length: KEYS_OF_ADDRESS }, addresses)
    .flat()
    .map((sender) => ({ ...sender, ...madeUp() }));
}

/** An address of the private network 10.0.0.0/8. */
function addressOf(index: number): string {
  return `10.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}

function newMeasured(): Measured {
  return { ...newSeen(), pageMs: [], floods: [] };
}

function figuresOf(seen: Readonly<Record<Kind, Measured>>): Figures {
  const { alone, pages, wrongForms, sameForms, unknownPages, madeUpKeys } = seen;
  return {
    strangersAloneCreateP50Ms: percentile(alone.createMs, 50),
    strangersAlonePageP50Ms: percentile(alone.pageMs, 50),
    strangersPagesServedPerSecond: servedPerSecond(pages),
    strangersPagesCreateP50ToAlone: ratio(pages.createMs, alone.createMs, 50),
    strangersPagesCreateP99ToAlone: ratio(pages.createMs, alone.createMs, 99),
    strangersPagesPayP50ToAlone: ratio(pages.payMs, alone.payMs, 50),
    strangersPagesPayP99ToAlone: ratio(pages.payMs, alone.payMs, 99),
    strangersPagesPageP50Ms: percentile(pages.pageMs, 50),
    strangersPagesPageP99Ms: percentile(pages.pageMs, 99),
    strangersWrongFormsServedPerSecond: servedPerSecond(wrongForms),
    strangersWrongFormsCreateP50ToAlone: ratio(wrongForms.createMs, alone.createMs, 50),
    strangersWrongFormsCreateP99ToAlone: ratio(wrongForms.createMs, alone.createMs, 99),
    strangersWrongFormsPayP50ToAlone: ratio(wrongForms.payMs, alone.payMs, 50),
    strangersWrongFormsPayP99ToAlone: ratio(wrongForms.payMs, alone.payMs, 99),
    strangersWrongFormsPageP50Ms: percentile(wrongForms.pageMs, 50),
    strangersWrongFormsPageP99Ms: percentile(wrongForms.pageMs, 99),
    strangersSameFormsServedPerSecond: servedPerSecond(sameForms),
    strangersSameFormsCreateP50ToAlone: ratio(sameForms.createMs, alone.createMs, 50),
    strangersSameFormsCreateP99ToAlone: ratio(sameForms.createMs, alone.createMs, 99),
    strangersSameFormsPayP50ToAlone: ratio(sameForms.payMs, alone.payMs, 50),
    strangersSameFormsPayP99ToAlone: ratio(sameForms.payMs, alone.payMs, 99),
    strangersSameFormsPageP50Ms: percentile(sameForms.pageMs, 50),
    strangersSameFormsPageP99Ms: percentile(sameForms.pageMs, 99),
    strangersUnknownPagesServedPerSecond: servedPerSecond(unknownPages),
    strangersUnknownPagesCreateP50ToAlone: ratio(unknownPages.createMs, alone.createMs, 50),
    strangersUnknownPagesPayP50ToAlone: ratio(unknownPages.payMs, alone.payMs, 50),
    strangersUnknownPagesPayP99ToAlone: ratio(unknownPages.payMs, alone.payMs, 99),
    strangersMadeUpKeysServedPerSecond: servedPerSecond(madeUpKeys),
    strangersMadeUpKeysCreateP50ToAlone: ratio(madeUpKeys.createMs, alone.createMs, 50),
    strangersMadeUpKeysPayP50ToAlone: ratio(madeUpKeys.payMs, alone.payMs, 50),
    strangersMadeUpKeysPayP99ToAlone: ratio(madeUpKeys.payMs, alone.payMs, 99),
  };
}

function servedPerSecond({ floods }: Measured): number {
  const seconds = floods.reduce((sum, each) => sum + each.seconds, 0);
  return floods.reduce((sum, { allowed }) => sum + allowed, 0) / seconds;
}

/** A checkout of a store other than the measured one. @returns its id. */
async function checkoutOfOthers(bench: Bench): Promise<string> {
  const { api } = await openStore(bench);
  const checkoutId = await api.createCheckout(await api.createProduct());
  await api.close();
  return checkoutId;
}
