import { z } from 'zod';
import { MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { CUSTOMER_NAMED_BY } from '../domain/payer.ts';

/** Fields that several resources share, in the formats of contract section 1. */

const CENTS_RULE = `must be an integer number of cents between 1 and ${MAX_AMOUNT_CENTS}, such as 2500`;

/** A requested amount in cents. */
export const amountCents = z
  .int({ error: CENTS_RULE })
  .min(1, { error: CENTS_RULE })
  .max(MAX_AMOUNT_CENTS, { error: CENTS_RULE })
  .meta({ description: 'Cents: 2500 is R$ 25.00.', example: 2500 });

/** A timestamp in responses. Presenters create it with `toISOString()`. */
/** Of a response's `customerId`. */
export const customerNamedBy = z.enum(CUSTOMER_NAMED_BY).nullable().meta({
  description:
    "Who named `customerId`: the merchant, or an anonymous payer, who may have typed somebody else's tax id or address. Null without a customer, and for payments of earlier releases. Our addition.",
});

export const timestamp = z.string().meta({
  format: 'date-time',
  description: 'ISO 8601 in UTC, with milliseconds.',
  example: '2026-03-06T14:22:08.120Z',
});

/** At most 50 keys and 16 KiB, because events and copies carry it along. */
const MAX_METADATA_KEYS = 50;
const MAX_METADATA_BYTES = 16 * 1024;

const FEW_KEYS = `must have at most ${MAX_METADATA_KEYS} keys`;

/**
 * Metadata whose entries have a form. They are validated only if they are few: an issue for each of thousands would
 * hold up all other requests.
 */
export function entriesIfFew<Entries extends z.ZodType>(entries: Entries) {
  return z.preprocess((sent, context) => {
    if (areFew(sent)) return sent;
    context.addIssue({ code: 'custom', message: FEW_KEYS });
    return z.NEVER;
  }, entries);
}

function areFew(sent: unknown): boolean {
  return typeof sent !== 'object' || sent === null || Object.keys(sent).length <= MAX_METADATA_KEYS;
}

/** Free JSON of the integrator, stored and returned as sent (contract section 1, "metadata"). */
export const metadata = z
  .record(z.string(), z.unknown())
  .refine(areFew, { error: FEW_KEYS })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES, {
    error: 'must be at most 16 KiB as JSON',
  })
  .meta({
    description: 'Free JSON object, at most 50 keys and 16 KiB; returned as sent.',
    example: { orderId: 'A-1042' },
  });

/** Non-blank text, with its length in characters. */
export function text(minLength: number, maxLength: number) {
  return z.string().min(minLength).max(maxLength).regex(/\S/, { error: 'must not be blank' });
}

/** An id as a parameter. A malformed id finds nothing, like an unknown one. */
export function idText(example: string) {
  return z.string().min(1).max(100).meta({ example });
}
