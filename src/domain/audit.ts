/**
 * What the auditor checks: open rows whose due time has passed. Each has a word for one and for many, and the
 * meaning of being overdue.
 */
export const AUDIT_KINDS = {
  charge: { many: 'charges', overdue: 'its deadline has passed, or it was never decided' },
  checkout: { many: 'checkouts', overdue: 'it has expired, and nothing can pay it any more' },
  subscription: {
    many: 'subscriptions',
    overdue: 'its next cycle, or attempt at the one that is open, was not begun',
  },
  refund: { many: 'refunds', overdue: 'the money is not back' },
  return: { many: 'payments that go back', overdue: 'the money is not back with its payer' },
  payout: { many: 'payouts', overdue: 'the money has not been sent' },
  debit: { many: 'debits', overdue: 'it was not ordered, or its outcome was not looked up' },
  delivery: { many: 'deliveries', overdue: 'its next attempt was not made' },
  resend: { many: 'ranges of deliveries', overdue: 'the next of them were not sent again' },
  settlement: { many: 'settlements', overdue: 'money that a store was paid is not available to it' },
  paymentNotice: { many: 'sandbox payments', overdue: 'the service has not taken it in' },
  disputeNotice: { many: 'sandbox disputes', overdue: 'the service has not taken it in' },
} as const;

export type AuditKind = keyof typeof AUDIT_KINDS;

/**
 * The result of a resume: a workflow was STARTED (or has finished), one is RUNNING already and continues by itself,
 * or it FAILED and the next audit retries.
 */
export type ResumeOutcome = 'STARTED' | 'RUNNING' | 'FAILED';

/** The result of an audit for one kind. */
export interface AuditCount {
  readonly found: number;
  readonly started: number;
  readonly running: number;
  readonly failed: number;
  /** The first ids. */
  readonly ids: readonly string[];
}

/** The result of an audit, from which the next one continues. Instants are milliseconds since 1970. */
export interface AuditReport {
  readonly atMs: number;
  /** Since when audits have run without a long gap. */
  readonly watchedSinceMs: number;
  readonly counts: Partial<Readonly<Record<AuditKind, AuditCount>>>;
  /** The number of items that stayed overdue despite resumes, and are noted for a person. */
  readonly noted: number;
}

/** The input of an audit. */
export interface AuditInput {
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** The report of the previous audit; null for the first. */
  readonly last: AuditReport | null;
}

/** An audit as text, one line of Markdown per kind. */
export function auditText({ counts, noted }: Pick<AuditReport, 'counts' | 'noted'>): string {
  const lines = Object.entries(counts).map(([kind, count]) => countText(kind as AuditKind, count));
  if (lines.length === 0) return 'Nothing is overdue.';
  if (noted > 0) lines.push(`**${noted}** stayed overdue and now need a person: see \`attention list\`.`);
  return lines.join('\n\n');
}

function countText(kind: AuditKind, { found, started, running, failed, ids }: AuditCount): string {
  const parts = [
    ...(started > 0 ? [`${started} resumed`] : []),
    ...(running > 0 ? [`${running} with a workflow that is running`] : []),
    ...(failed > 0 ? [`${failed} that could not be resumed`] : []),
  ];
  const more = found > ids.length ? ', …' : '';
  return `**${found}** overdue ${AUDIT_KINDS[kind].many}: ${parts.join(', ')} (${ids.join(', ')}${more})`;
}
