import { addDays, daysBetween, saoPauloDateOf, saoPauloMidnight } from '../../domain/civil-date.ts';
import { mintedAt } from '../../ids.ts';
import type { ListingPort, RecalledCharge } from '../ports/listing.ts';
import type { TimeWindow } from '../ports/pages.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import type { AsaasClient } from './asaas-client.ts';
import type { AsaasPayments } from './payments.ts';
import {
  type AsaasPayment,
  idOf,
  isByCard,
  isOwn,
  readCustomer,
  readListedPayment,
  readPage,
  referenceOf,
  standingOf,
} from './wire.ts';

/** Asaas allows no more. */
const PAGE_SIZE = 100;
/** A bank reports a boleto days after its payer has paid it: over a weekend and a holiday. */
const REPORTED_WITHIN_DAYS = 7;
/** A card payment may wait for a person who analyzes its risk. */
const ANALYZED_WITHIN_DAYS = 7;
const SECONDS_PER_DAY = 86_400;

/** Payments by the time at which they were received. Those of other programs at the same account are left out. */
export function asaasListing(
  client: AsaasClient,
  payments: AsaasPayments,
  brCodeOf: (id: string) => Promise<string>,
): ListingPort {
  const page = async (filter: Readonly<Record<string, string>>, cursor: string | null) => {
    const offset = Number(cursor ?? 0);
    const query = { ...filter, limit: String(PAGE_SIZE), offset: String(offset) };
    const { data, hasMore } = readPage(await client.send({ method: 'GET', path: '/v3/payments', query }));
    return { data, nextCursor: hasMore && data.length > 0 ? String(offset + data.length) : null };
  };
  return {
    async payments({ onlyReversed = false, ...time }, cursor) {
      const { data, nextCursor } = await listed(page, time, cursor);
      const items: ProviderPayment[] = [];
      const unreadableIds: string[] = [];
      const own = data.filter(isOwn).map((item) => ({ item, listed: readListedPayment(item) }));
      const received = own.map(async ({ item, listed }) => {
        if (listed === null) return void unreadableIds.push(idOf(item));
        if (standingOf(listed) !== 'PAID' || isOfLaterDay(time, listed) || isLaterInstallment(listed)) return;
        // One installment does not show the refunds of the others.
        if (onlyReversed && listed.installment === null && (listed.refunds ?? []).length === 0) return;
        const money = await payments.moneyOf(listed);
        if (onlyReversed && (money?.refunds ?? []).length === 0) return;
        if (money !== null && isWithin(time, listed, money.paidAt)) items.push(money);
      });
      await Promise.all(received);
      return { items, nextCursor, ...(unreadableIds.length > 0 && { unreadableIds }) };
    },
    async references(time, cursor) {
      const filter = {
        'dateCreated[ge]': saoPauloDateOf(time.from),
        'dateCreated[le]': lastDayOf(time),
      };
      const { data, nextCursor } = await page(filter, cursor);
      return { items: data.filter(isOwn).flatMap(referenceIn), nextCursor };
    },
    async recall(reference) {
      const payment = await payments.find(reference);
      return payment === null ? null : recalled(client, payment, brCodeOf);
    },
  };
}

/** How the list of card payments begins, after the list of all others. */
const CARDS_CURSOR = 'cards:';

type Page = (
  filter: Readonly<Record<string, string>>,
  cursor: string | null,
) => Promise<{ readonly data: readonly unknown[]; readonly nextCursor: string | null }>;

/**
 * A confirmed card payment has no payment date until its money comes, a month later, so cards are listed by the day of their
 * order: a payer has minutes to pay, and Asaas a few days to analyze the risk.
 */
async function listed(page: Page, time: TimeWindow, cursor: string | null): ReturnType<Page> {
  if (cursor?.startsWith(CARDS_CURSOR) !== true) {
    const received = {
      'paymentDate[ge]': saoPauloDateOf(time.from),
      'paymentDate[le]': addDays(lastDayOf(time), REPORTED_WITHIN_DAYS),
    };
    const { data, nextCursor } = await page(received, cursor);
    return {
      data: data.filter((item) => Object(item).billingType !== 'CREDIT_CARD'),
      nextCursor: nextCursor ?? `${CARDS_CURSOR}0`,
    };
  }
  const ordered = {
    billingType: 'CREDIT_CARD',
    'dateCreated[ge]': addDays(saoPauloDateOf(time.from), -ANALYZED_WITHIN_DAYS),
    'dateCreated[le]': lastDayOf(time),
  };
  const { data, nextCursor } = await page(ordered, cursor.slice(CARDS_CURSOR.length));
  return { data, nextCursor: nextCursor && CARDS_CURSOR + nextCursor };
}

/** The first installment stands for all. */
function isLaterInstallment({ installment, installmentNumber }: AsaasPayment): boolean {
  return installment !== null && installmentNumber !== null && installmentNumber > 1;
}

function referenceIn(item: unknown): readonly string[] {
  const payment = readListedPayment(item);
  if (payment === null) return [idOf(item)];
  return isLaterInstallment(payment) ? [] : [referenceOf(payment)];
}

/**
 * Whether a payment belongs to a window. Whole days are compared with the ledger, so they are exact. Other windows look
 * for news: of a boleto paid at a bank, and of a card, Asaas names only days, so every window on the day of its report has it.
 */
function isWithin(time: TimeWindow, payment: AsaasPayment, paidAt: Date): boolean {
  if (paidAt >= time.from && paidAt < time.until) return true;
  const reportedOn = isByCard(payment) ? saoPauloDateOf(paidAt) : payment.paymentDate;
  if (payment.pixTransaction !== null || reportedOn === null || areWholeDays(time)) return false;
  return reportedOn >= saoPauloDateOf(time.from) && reportedOn <= lastDayOf(time);
}

/** A PIX is received on the day of its payment; only boletos are reported later. */
function isOfLaterDay(time: TimeWindow, { pixTransaction, paymentDate }: AsaasPayment): boolean {
  return pixTransaction !== null && paymentDate !== null && paymentDate > lastDayOf(time);
}

function areWholeDays({ from, until }: TimeWindow): boolean {
  return [from, until].every((at) => saoPauloMidnight(saoPauloDateOf(at)).getTime() === at.getTime());
}

function lastDayOf({ until }: TimeWindow) {
  return saoPauloDateOf(new Date(until.getTime() - 1));
}

/** A row can be built from a PIX charge alone: a boleto's terms are not all at Asaas. */
async function recalled(
  client: AsaasClient,
  payment: AsaasPayment,
  brCodeOf: (id: string) => Promise<string>,
): Promise<RecalledCharge | null> {
  const { id, billingType, dueDate, customer } = payment;
  const createdAt = createdAtOf(payment);
  if (billingType !== 'PIX' || createdAt === null || dueDate === null || customer === null) return null;
  const body = await client.find(`/v3/customers/${encodeURIComponent(customer)}`);
  const { name = null, cpfCnpj = null } = body === null ? {} : readCustomer(body);
  const days = daysBetween(saoPauloDateOf(createdAt), dueDate);
  const endOfDay = saoPauloMidnight(addDays(saoPauloDateOf(createdAt), days + 1));
  const isPaid = standingOf(payment) === 'PAID';
  return {
    reference: id,
    status: standingOf(payment),
    amountCents: payment.originalValue ?? payment.value,
    description: payment.description,
    createdAt,
    terms: {
      expiresInSeconds: Math.min(
        Math.floor((endOfDay.getTime() - createdAt.getTime()) / 1_000),
        SECONDS_PER_DAY * 365,
      ),
    },
    payer: { name, taxId: cpfCnpj },
    brCode: await brCodeOf(id),
    providerPaymentIds: isPaid ? [id] : [],
  };
}

/** Asaas names only the day. The charge's id has the instant, unless it is derived from its request. */
function createdAtOf({ externalReference, dateCreated }: AsaasPayment): Date | null {
  if (dateCreated === null) return null;
  const minted = mintedAt(externalReference ?? '');
  return minted !== null && saoPauloDateOf(minted) === dateCreated ? minted : saoPauloMidnight(dateCreated);
}
