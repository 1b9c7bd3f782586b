import { randomUUID } from 'node:crypto';
import { type SandboxDispute, SandboxDisputeEntity } from '../../database/entities/sandbox-dispute.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database } from '../../database/orm.ts';
import { Rotation } from '../../database/rotation.ts';
import type { ProviderDispute, ProviderWithdrawal } from '../ports/disputes.ts';
import type { EvidenceAnswer } from '../ports/evidence.ts';

/** As long as a bank has for a Pix, and less than any card network gives. */
const RESPONSE_MS = 7 * 24 * 60 * 60 * 1_000;

/** Texts that decide a dispute, the same as in Stripe's test mode. */
export const WINNING_EVIDENCE = 'winning_evidence';
export const LOSING_EVIDENCE = 'losing_evidence';

/** What a developer has a payer claim. */
export interface SandboxClaim {
  readonly reason: string | null;
  readonly feeCents: number | null;
  /** What is disputed, and taken from the store; null for everything that is left of the payment. */
  readonly amountCents: number | null;
}

/** The simulated payers' disputes: a developer opens and decides them. */
export class SandboxDisputes {
  readonly #database: Database;
  readonly #unnotified = new Rotation('-infinity');

  constructor(database: Database) {
    this.#database = database;
  }

  /** Opens a dispute of a charge's payment. @returns it, or the one that is already open. */
  async open(
    reference: string,
    { reason, feeCents, amountCents }: SandboxClaim,
    now: Date,
  ): Promise<ProviderDispute> {
    const em = this.#database.em.fork();
    const row = {
      id: randomUUID(),
      reference,
      status: 'OPEN' as const,
      reason,
      amountCents,
      respondBy: new Date(now.getTime() + RESPONSE_MS),
      feeCents,
      returnsFee: false,
      evidenceSubmittedAt: null,
      openedAt: now,
      changedAt: now,
      acknowledgedStatus: null,
    };
    await insertNew(em, SandboxDisputeEntity, row);
    // One that came too late for a refunded payment had nothing to take; this one says what it takes.
    const unclaimed = { reference, status: 'OPEN', amountCents: null } as const;
    if (amountCents !== null) await em.nativeUpdate(SandboxDisputeEntity, unclaimed, { amountCents });
    return present(await em.findOneOrFail(SandboxDisputeEntity, { reference, status: 'OPEN' }));
  }

  /**
   * Decides the open dispute of a charge. @returns it, or the last one if it was already decided the same way; null
   * if there is neither.
   */
  async decide(
    reference: string,
    { status, returnsFee }: { readonly status: 'WON' | 'LOST'; readonly returnsFee: boolean },
    now: Date,
  ): Promise<ProviderDispute | null> {
    const em = this.#database.em.fork();
    const change = { status, returnsFee, changedAt: now };
    await em.nativeUpdate(SandboxDisputeEntity, { reference, status: 'OPEN' }, change);
    const [last] = await em.find(
      SandboxDisputeEntity,
      { reference },
      { orderBy: { openedAt: 'desc' }, limit: 1, disableIdentityMap: true },
    );
    return last?.status === status ? present(last) : null;
  }

  /**
   * Takes a store's evidence once. Evidence that says {@link WINNING_EVIDENCE} or {@link LOSING_EVIDENCE} decides the
   * dispute at once; any other waits for the developer.
   */
  async submitEvidence(id: string, text: string, now: Date): Promise<EvidenceAnswer> {
    const em = this.#database.em.fork();
    const status = text.includes(WINNING_EVIDENCE) ? 'WON' : text.includes(LOSING_EVIDENCE) ? 'LOST' : 'OPEN';
    const change = { status, evidenceSubmittedAt: now, changedAt: now } as const;
    await em.nativeUpdate(SandboxDisputeEntity, { id, status: 'OPEN', evidenceSubmittedAt: null }, change);
    const row = await em.findOne(SandboxDisputeEntity, { id }, { disableIdentityMap: true });
    return row?.evidenceSubmittedAt ? { outcome: 'DONE' } : { outcome: 'REFUSED', reason: 'dispute_decided' };
  }

  /** The store accepts that the dispute is lost. */
  async accept(id: string, now: Date): Promise<EvidenceAnswer> {
    const em = this.#database.em.fork();
    const change = { status: 'LOST', changedAt: now } as const;
    await em.nativeUpdate(SandboxDisputeEntity, { id, status: 'OPEN' }, change);
    const row = await em.findOne(SandboxDisputeEntity, { id }, { disableIdentityMap: true });
    return row?.status === 'LOST' ? { outcome: 'DONE' } : { outcome: 'REFUSED', reason: 'dispute_decided' };
  }

  async find(id: string): Promise<ProviderDispute | null> {
    const em = this.#database.em.fork();
    const row = await em.findOne(SandboxDisputeEntity, { id }, { disableIdentityMap: true });
    return row && present(row);
  }

  /** The next disputes with an unacknowledged status; a real bank would notify them again too. */
  async nextUnnotified(changedBefore: Date, limit: number): Promise<ProviderDispute[]> {
    const find = (after: string) =>
      this.#database.em.fork().execute<Unnotified[]>(
        `select id, reference, status, reason, amount_cents as "amountCents", respond_by as "respondBy", fee_cents as "feeCents", returns_fee as "returnsFee",
           evidence_submitted_at as "evidenceSubmittedAt",
           changed_at::text as "changedAt" from sandbox_disputes
         where acknowledged_status is distinct from status and changed_at > cast(:after as timestamptz)
           and (changed_at < :changedBefore or changed_at > now())
         order by changed_at limit :limit`,
        { after, changedBefore, limit },
      );
    const rows = await this.#unnotified.nextPage(limit, find, ({ changedAt }) => changedAt);
    return rows.map(present);
  }

  /** The service has acknowledged this status, so it is not repeated. */
  async acknowledge({ providerDisputeId, status }: ProviderDispute): Promise<void> {
    const em = this.#database.em.fork();
    await em.nativeUpdate(SandboxDisputeEntity, { id: providerDisputeId }, { acknowledgedStatus: status });
  }
}

type ShownRow = Pick<
  SandboxDispute,
  | 'id'
  | 'reference'
  | 'status'
  | 'reason'
  | 'amountCents'
  | 'respondBy'
  | 'feeCents'
  | 'returnsFee'
  | 'evidenceSubmittedAt'
>;

interface Unnotified extends ShownRow {
  /** Postgres's own text: a Date would lose its last three digits. */
  readonly changedAt: string;
}

function present(row: ShownRow): ProviderDispute {
  const { id, reference, status, reason, amountCents, respondBy, feeCents, returnsFee, evidenceSubmittedAt } =
    row;
  const charged = feeCents === null ? [] : [{ providerFeeId: `${id}/fee`, chargedCents: feeCents }];
  const returned = charged.map((fee) => ({
    providerFeeId: `${fee.providerFeeId}/returned`,
    chargedCents: -fee.chargedCents,
  }));
  return {
    ...{ providerDisputeId: id, reference, status, reason, amountCents, respondBy },
    ...(amountCents !== null && { withdrawals: withdrawalsOf(row, amountCents) }),
    stage: status === 'OPEN' ? (evidenceSubmittedAt === null ? 'NEEDS_RESPONSE' : 'UNDER_REVIEW') : null,
    hasEvidence: evidenceSubmittedAt !== null,
    fees: [...charged, ...(returnsFee ? returned : [])],
  };
}

function withdrawalsOf({ id, status }: ShownRow, amountCents: number): readonly ProviderWithdrawal[] {
  const taken = { providerTransactionId: `${id}/taken`, withdrawnCents: amountCents };
  if (status !== 'WON') return [taken];
  return [taken, { providerTransactionId: `${id}/returned`, withdrawnCents: -amountCents }];
}
