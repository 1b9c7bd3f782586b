import { type ChargeMethod, type DueTerms, dueTermsOf, type Fine, type Interest } from './charge.ts';
import type { CheckoutItem } from './checkout.ts';
import { type CivilDate, saoPauloDateOf } from './civil-date.ts';
import type { UsageOfProduct } from './cycle-usage.ts';
import { type AmountDue, amountDueOn } from './fine-and-interest.ts';
import type { ProductId } from './ids.ts';
import type { PeriodPart } from './proration.ts';
import { itemsOfPlan, planName, type SubscribedPlan } from './subscribed-plan.ts';

/** OPEN: a cycle that is asked for. VOID: a cycle that was given up unpaid. */
export const INVOICE_STATUSES = ['OPEN', 'PAID', 'VOID'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** What a line of an invoice is for. Discounts are negative. Credit is negative if it pays, positive if it is kept. */
export const INVOICE_LINE_TYPES = [
  'product',
  'plan',
  'add_on',
  'proration',
  'usage',
  'discount',
  'credit',
  'card_fee',
  'fine',
  'interest',
  'adjustment',
] as const;
export type InvoiceLineType = (typeof INVOICE_LINE_TYPES)[number];

export interface InvoiceLine {
  readonly type: InvoiceLineType;
  /** The product's name, or the coupon's code. */
  readonly description: string | null;
  readonly productId: ProductId | null;
  /** Null if the amount is not a price times a quantity. */
  readonly quantity: number | null;
  readonly unitPriceCents: number | null;
  readonly amountCents: number;
}

/** The cycle of a subscription that an invoice is for. */
export interface InvoicePeriod {
  readonly number: number;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** The sum of the lines: what the charge asks for. */
export function invoiceTotalCents(lines: readonly InvoiceLine[]): number {
  return lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** `2026-000123`: the number within a store, environment and year. */
export function invoiceNumber(year: number, inYear: number): string {
  return `${year}-${String(inYear).padStart(6, '0')}`;
}

const NUMBER = /^(20\d{2})-(\d{6,9})$/;

/** The parts of an invoice's number; null for any other text. */
export function parseInvoiceNumber(text: string): { readonly year: number; readonly inYear: number } | null {
  const [, year, inYear] = NUMBER.exec(text) ?? [];
  const parsed = { year: Number(year), inYear: Number(inYear) };
  return invoiceNumber(parsed.year, parsed.inYear) === text ? parsed : null;
}

/** What a payment through a page of a checkout was for. */
export interface ChargeToInvoice {
  readonly method: ChargeMethod;
  readonly items: readonly CheckoutItem[] | null;
  /** After the discount, with card fees and before late charges. */
  readonly amountCents: number;
  readonly discountCents: number;
  readonly customerFeeCents: number;
  readonly dueDate: CivilDate | null;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
}

/** The lines of a paid charge. Their sum is its amount with late charges. @param coupon the code. */
export function linesOfCharge(
  charge: ChargeToInvoice,
  { type, coupon, paidAt }: { type: 'product' | 'plan'; coupon: string | null; paidAt: Date },
): InvoiceLine[] {
  const { discountCents, customerFeeCents, amountCents } = charge;
  const items = charge.items ?? [];
  const lines = [
    ...(type === 'plan' ? planItemLines(items) : items.map((item) => itemLine(type, item))),
    amountLine('discount', -discountCents, coupon),
    amountLine('card_fee', customerFeeCents),
  ];
  const terms = dueTermsOf(charge);
  return [...adding(lines, amountCents), ...(terms === null ? [] : lateLines(terms, paidAt))].filter(isShown);
}

function lateLines(terms: DueTerms, paidAt: Date): InvoiceLine[] {
  const { fineCents, interestCents }: AmountDue = amountDueOn(terms, saoPauloDateOf(paidAt));
  return [amountLine('fine', fineCents), amountLine('interest', interestCents)];
}

/** The cycle of a subscription, as it was opened. */
export interface CycleToInvoice {
  readonly amountCents: number;
  readonly discountCents: number;
  readonly usageCents: number;
  readonly creditCents: number;
  readonly part: PeriodPart | null;
  /** Whether it charges usage only: it has no line for the plan. */
  readonly isUsage: boolean;
}

/** The lines of a cycle. Their sum is its amount. @param used each product's usage, if it is known. */
export function linesOfCycle(
  cycle: CycleToInvoice,
  { plan, coupon, used }: { plan: SubscribedPlan; coupon: string | null; used: readonly UsageOfProduct[] },
): InvoiceLine[] {
  const { amountCents, discountCents, usageCents, creditCents, part, isUsage } = cycle;
  const planCents = amountCents + creditCents + discountCents - usageCents;
  const ofPlan =
    part === null
      ? planLines(plan, planCents)
      : [amountLine('proration', planCents, planName(plan), plan.productId)];
  const usage = used.filter((product) => product.amountCents > 0).flatMap(usageLines);
  return [
    ...(isUsage ? [] : ofPlan),
    ...usage,
    amountLine('usage', usageCents - invoiceTotalCents(usage)),
    amountLine('discount', -discountCents, coupon),
    amountLine('credit', -creditCents),
  ].filter(isShown);
}

/** A line for the plan and one for each add-on. No charge exceeds a maximum: a plan above it has one line. */
function planLines(plan: SubscribedPlan, amountCents: number): InvoiceLine[] {
  const lines = planItemLines(itemsOfPlan(plan));
  if (invoiceTotalCents(lines) === amountCents) return lines;
  return [amountLine('plan', amountCents, planName(plan), plan.productId)];
}

/** The first item is the plan, and the others are its add-ons. */
function planItemLines(items: readonly CheckoutItem[]): InvoiceLine[] {
  return items.map((item, index) => itemLine(index === 0 ? 'plan' : 'add_on', item));
}

function itemLine(type: InvoiceLineType, item: CheckoutItem): InvoiceLine {
  const { name, productId, quantity, unitPriceCents } = item;
  return {
    type,
    description: name,
    productId,
    quantity,
    unitPriceCents,
    amountCents: quantity * unitPriceCents,
  };
}

/** A line for each part of a product's usage, including units that are free. */
function usageLines({ productId, name, parts }: UsageOfProduct): InvoiceLine[] {
  return parts.map((part) => ({ type: 'usage', description: name, productId, ...part }));
}

function amountLine(
  type: InvoiceLineType,
  amountCents: number,
  description: string | null = null,
  productId: ProductId | null = null,
): InvoiceLine {
  return { type, description, productId, quantity: null, unitPriceCents: null, amountCents };
}

/** With a line for what the others leave open: rows of early releases do not say what they consist of. */
function adding(lines: readonly InvoiceLine[], amountCents: number): InvoiceLine[] {
  return [...lines, amountLine('adjustment', amountCents - invoiceTotalCents(lines))];
}

/** Products and units that cost nothing are shown, other lines only if they change the amount. */
function isShown({ type, amountCents, quantity }: InvoiceLine): boolean {
  const isFree =
    type === 'product' || type === 'plan' || type === 'add_on' || type === 'proration' || quantity !== null;
  return amountCents !== 0 || isFree;
}
