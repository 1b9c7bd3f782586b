import { COUPON_DURATIONS, DISCOUNT_KINDS } from '../../domain/coupon.ts';
import { PRODUCT_CYCLES } from '../../domain/cycle.ts';
import { IMPORT_KINDS, type ImportKind, OUTSIDE_METHODS } from '../../domain/imports.ts';
import { USAGE_CYCLES } from '../../domain/usage-cycle.ts';
import {
  addOnsCell,
  type CellReader,
  countCell,
  dateCell,
  moneyCell,
  percentCell,
  switchCell,
  textCell,
  wordCell,
} from './cells.ts';

/** The column that sets a field of a row. */
export interface Column {
  readonly field: string;
  readonly read: CellReader;
}

/** A file of one kind of rows. */
export interface CsvFile {
  readonly kind: ImportKind;
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
}

const at = (field: string, read: CellReader): Column => ({ field, read });
const words = (all: readonly string[]) => wordCell(Object.fromEntries(all.map((word) => [word, word])));

const COLUMNS: Readonly<Record<ImportKind, CsvFile['columns']>> = {
  customer: {
    name: at('name', textCell),
    email: at('email', textCell),
    tax_id: at('taxId', textCell),
    cellphone: at('cellphone', textCell),
    zip_code: at('zipCode', textCell),
  },
  product: {
    name: at('name', textCell),
    description: at('description', textCell),
    price: at('price', moneyCell),
    cycle: at('cycle', words(PRODUCT_CYCLES)),
    trial_days: at('trialDays', countCell),
    usage_cycle: at('usageCycle', words(USAGE_CYCLES)),
    image_url: at('imageUrl', textCell),
    external_id: at('externalId', textCell),
    archived: at('archived', switchCell),
  },
  coupon: {
    code: at('code', textCell),
    kind: at('discountKind', words(DISCOUNT_KINDS)),
    percent: at('percent', percentCell),
    amount: at('amount', moneyCell),
    duration: at('duration', words(COUPON_DURATIONS)),
    cycles: at('durationInCycles', countCell),
    max_redeems: at('maxRedeems', countCell),
    redeemed: at('redeemed', countCell),
    valid_until: at('validUntil', dateCell),
    active: at('isActive', switchCell),
  },
  subscription: {
    customer: at('customer', textCell),
    product: at('product', textCell),
    quantity: at('quantity', countCell),
    unit_price: at('unitPrice', moneyCell),
    add_ons: at('addOns', addOnsCell),
    method: at('method', words(['PIX', 'CARD'])),
    card: at('card', textCell),
    next_charge: at('nextChargeAt', dateCell),
    anchor: at('anchorAt', dateCell),
    anchor_day: at('anchorDay', countCell),
    started: at('startedAt', dateCell),
    trial: at('trial', switchCell),
    coupon: at('coupon', textCell),
    coupon_cycles_left: at('couponCyclesLeft', countCell),
    cancel_at_period_end: at('cancelAtPeriodEnd', switchCell),
    paused: at('paused', switchCell),
    paused_until: at('pausedUntil', dateCell),
    current_cycle_paid: at('currentCyclePaid', moneyCell),
    external_id: at('externalId', textCell),
  },
  payment: {
    customer: at('customer', textCell),
    subscription: at('subscription', textCell),
    amount: at('amount', moneyCell),
    refunded: at('refunded', moneyCell),
    method: at('method', words(OUTSIDE_METHODS)),
    paid_at: at('paidAt', dateCell),
  },
};

/** The files of an import, in the order in which their rows refer to each other. */
export const CSV_FILES: readonly CsvFile[] = IMPORT_KINDS.map((kind) => ({
  kind,
  name: `${kind}s.csv`,
  columns: COLUMNS[kind],
}));
