import { z } from 'zod';
import { type Operation, REQUESTS } from './operations.ts';

const seconds = z
  .number()
  .min(0)
  .max(30 * 86_400);
const part = z.number().gt(0).max(1);
const status = z.int().min(400).max(599);

const fault = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(kind), ...shape });

/** What the bank does wrong. Times in seconds are of the bank's own clock, which `POST /clock` moves. */
const FAULTS = [
  /** Answers later. */
  fault('DELAY', { ms: z.int().min(0).max(600_000) }),
  /** Breaks the connection before the request has any effect. */
  fault('DROP_BEFORE_EFFECT', {}),
  /** Carries the request out, and breaks the connection before the answer. */
  fault('DROP_AFTER_EFFECT', {}),
  /** Reads the request, does nothing, and never answers. */
  fault('HANG_BEFORE_EFFECT', {}),
  /** Carries the request out, and never answers. */
  fault('HANG_AFTER_EFFECT', {}),
  /** Answers with a status, and does nothing, as a busy gateway does. */
  fault('STATUS', { status, retryAfterSeconds: z.int().min(0).optional() }),
  /** Revokes every token, so this request gets a 401. */
  fault('EXPIRE_TOKENS', {}),
  /** Carries the request out, and answers with a body that no client can read. */
  fault('MALFORMED_ANSWER', {}),
  /** Refuses an order whose id was used before with this status, instead of the bank's usual answer. */
  fault('REFUSE_DUPLICATES', { status: z.literal([400, 409]) }),
  /** Look-ups do not know yet what happened less than so long ago. */
  fault('LOOKUPS_LAG', { seconds }),
  /** Lists do not know yet what happened less than so long ago. */
  fault('LISTINGS_LAG', { seconds }),
  /** A list names each item twice. */
  fault('LISTINGS_REPEAT', {}),
  /** A list leaves this part of the items out. */
  fault('LISTINGS_OMIT', { part }),
  /** This part of the items cannot be read: a wrong amount, no id, or no object at all. */
  fault('MALFORMED_ITEMS', { part: part.default(1) }),
  /** Issues a code that lives this long at most, and states so in its answer. */
  fault('SHORTEN_EXPIRY', { seconds: z.int().min(1) }),
  /** The bank itself removes the charge (REMOVIDA_PELO_PSP). */
  fault('REMOVE_CHARGE', { afterSeconds: seconds.default(0) }),
  /** Shows a charge in a status that no version of the document knows. */
  fault('UNKNOWN_STATUS', { value: z.string().min(1) }),
  /** Shows a charge as CONCLUIDA without a payment, as when two systems of a bank disagree. */
  fault('CONCLUDED_WITHOUT_PIX', {}),
  /** A payer pays while the charge is being removed: the answer says that it is removed. */
  fault('PAID_WHILE_REMOVED', {}),
  /** Does not remove an active charge, as a bank that leaves codes to expire. */
  fault('REFUSE_REMOVAL', {}),
  /** Accepts the refund, which fails later. */
  fault('REFUND_FAILS', {}),
  /** Accepts the refund, which is under way until `POST /settle/E2EID/ID`. */
  fault('REFUND_HANGS', {}),
  /** Accepts the transfer, which fails later. */
  fault('TRANSFER_FAILS', {}),
  /** The payee's bank sends the money back, or a part, after the transfer was carried out. */
  fault('TRANSFER_COMES_BACK', { part: part.default(1), afterSeconds: seconds.default(0) }),
  /** Sends no notification. */
  fault('LOSE_WEBHOOKS', {}),
  /** Sends the notification several times at once. */
  fault('REPEAT_WEBHOOKS', { copies: z.int().min(2).max(100).default(10) }),
  /** Sends the notification after the next one. */
  fault('REORDER_WEBHOOKS', {}),
  /** Repeats the notification for hours, also after it was accepted. */
  fault('REPEAT_WEBHOOKS_FOR', {
    hours: z.number().gt(0).max(720),
    everySeconds: z.number().min(1).default(600),
  }),
  /** Somebody at the bank returns the payment, or a part: no request of the API ordered it. */
  fault('REFUND_AT_BANK', {
    part: part.default(1),
    natureza: z.string().default('ORIGINAL'),
    afterSeconds: seconds.default(0),
  }),
  /** The payer's bank takes the payment back, or a part (MED). `underWay` leaves it open until `POST /settle/E2EID/ID`. */
  fault('MED_AT_BANK', {
    part: part.default(1),
    natureza: z.string().startsWith('MED').default('MED_FRAUDE'),
    afterSeconds: seconds.default(0),
    underWay: z.boolean().default(false),
  }),
] as const;

export const faultSchema = z.discriminatedUnion('kind', FAULTS);
/** A fault as it is ordered. */
export type Fault = z.input<typeof faultSchema>;
/** The same with its defaults. */
export type FaultDetails = z.output<typeof faultSchema>;
export type FaultKind = Fault['kind'];
export const FAULT_KINDS: readonly FaultKind[] = FAULTS.map((each) => each.shape.kind.value);

const CHARGES_PUT = ['PUT cob', 'POST cob', 'PUT cobv'] as const;
const CHARGES_SHOWN = [...CHARGES_PUT, 'GET cob', 'PATCH cob', 'GET cobv', 'PATCH cobv'] as const;
const TRANSFERS_PUT = ['PUT transfer', 'PUT qrcode'] as const;
const LOOKUPS = [
  'GET cob',
  'GET cobv',
  'GET pix',
  'GET refund',
  'GET transfer',
  'GET rec',
  'GET cobr',
] as const;
const LISTINGS = ['GET cobs', 'GET cobvs', 'GET pixs', 'GET transfers', 'GET recs', 'GET cobrs'] as const;

/** What each fault can happen to. */
export const FITS: Readonly<Record<FaultKind, readonly Operation[]>> = {
  DELAY: [...REQUESTS, 'webhook'],
  DROP_BEFORE_EFFECT: REQUESTS,
  DROP_AFTER_EFFECT: REQUESTS,
  HANG_BEFORE_EFFECT: REQUESTS,
  HANG_AFTER_EFFECT: REQUESTS,
  STATUS: REQUESTS,
  EXPIRE_TOKENS: REQUESTS,
  MALFORMED_ANSWER: REQUESTS,
  REFUSE_DUPLICATES: ['PUT cob', 'PUT cobv', 'PUT refund', 'PUT cobr', ...TRANSFERS_PUT],
  LOOKUPS_LAG: LOOKUPS,
  LISTINGS_LAG: LISTINGS,
  LISTINGS_REPEAT: LISTINGS,
  LISTINGS_OMIT: LISTINGS,
  MALFORMED_ITEMS: [...LISTINGS, 'webhook'],
  SHORTEN_EXPIRY: ['PUT cob', 'POST cob'],
  REMOVE_CHARGE: CHARGES_PUT,
  UNKNOWN_STATUS: [...CHARGES_SHOWN, 'GET rec', 'GET cobr'],
  CONCLUDED_WITHOUT_PIX: ['GET cob', 'GET cobv'],
  PAID_WHILE_REMOVED: ['PATCH cob', 'PATCH cobv'],
  REFUSE_REMOVAL: ['PATCH cob', 'PATCH cobv'],
  REFUND_FAILS: ['PUT refund'],
  REFUND_HANGS: ['PUT refund'],
  TRANSFER_FAILS: TRANSFERS_PUT,
  TRANSFER_COMES_BACK: TRANSFERS_PUT,
  LOSE_WEBHOOKS: ['webhook'],
  REPEAT_WEBHOOKS: ['webhook'],
  REORDER_WEBHOOKS: ['webhook'],
  REPEAT_WEBHOOKS_FOR: ['webhook'],
  REFUND_AT_BANK: ['payment'],
  MED_AT_BANK: ['payment'],
};
