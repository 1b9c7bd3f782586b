import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { CardVerification, VerifyCard } from '../ports/cards.ts';
import { CONFIRM, cardOf, IN_PARTS, LAPSES, ONCE, PENDING } from './sandbox-cards.ts';

/** Verifies a test card. One that a payer confirms waits for the decision on the sandbox bank's page. */
export async function verifySandboxCard(
  database: Database,
  { reference, token, returnUrl }: VerifyCard,
): Promise<CardVerification> {
  const { outcome } = cardOf(token);
  if (outcome === CONFIRM) return askPayer(database, reference, returnUrl);
  return isVerified(outcome) ? { outcome: 'VERIFIED' } : { outcome: 'DECLINED', reason: outcome };
}

const VERIFIED = ['approved', IN_PARTS, ONCE, LAPSES, PENDING] as const;

function isVerified(outcome: string): outcome is (typeof VERIFIED)[number] {
  return (VERIFIED as readonly string[]).includes(outcome);
}

async function askPayer(database: Database, reference: string, returnUrl: string): Promise<CardVerification> {
  await ASK(database, { reference, returnUrl });
  const found = await findVerification(database, reference);
  if (found?.isConfirmed === true) return { outcome: 'VERIFIED' };
  if (found?.isConfirmed === false) return { outcome: 'DECLINED', reason: 'authentication_failed' };
  return { outcome: 'REQUIRES_ACTION', url: new URL(`/sandbox-bank/verify/${reference}`, returnUrl).href };
}

const ASK = statement<{ reference: string; returnUrl: string }>(
  'ask for a confirmation of a test card',
  () => `
  insert into sandbox_verifications (reference, return_url) values (:reference, :returnUrl) on conflict do nothing`,
);

/** What the sandbox's bank asks a payer. */
export interface SandboxVerification {
  /** Where the bank sends the payer afterwards. */
  readonly returnUrl: string;
  /** Null until the payer has decided. */
  readonly isConfirmed: boolean | null;
}

const FIND = statement<{ reference: string }, SandboxVerification>(
  'find a verification of a test card',
  () => `
  select return_url as "returnUrl", is_confirmed as "isConfirmed" from sandbox_verifications
  where reference = :reference`,
);

/** A verification that waits, or has waited, for its payer. */
export async function findVerification(
  database: Database,
  reference: string,
): Promise<SandboxVerification | null> {
  return (await FIND(database, { reference }))[0] ?? null;
}

const DECIDE = statement<{ reference: string; isConfirmed: boolean }>(
  'confirm or refuse a test card',
  () => `
  update sandbox_verifications set is_confirmed = :isConfirmed::boolean
  where reference = :reference and is_confirmed is null`,
);

/** The payer confirms or refuses a card on the sandbox bank's page. Only the first decision counts. */
export async function decideVerification(
  database: Database,
  decision: { readonly reference: string; readonly isConfirmed: boolean },
): Promise<void> {
  await DECIDE(database, decision);
}
