import { noteAttention, resolveAttention } from '../../database/attention.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import type { Em } from '../../database/orm.ts';
import type { EvidenceAnswer } from '../../providers/ports/evidence.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import type { ChargeDeps } from '../effects.ts';
import { endAttempt, readEvidence, readEvidenceFiles, type StoredEvidence } from './evidence-rows.ts';

/** How long the provider may leave evidence without an answer before a person is asked to look. */
const UNSENT_MS = 24 * 60 * 60_000;

/**
 * Sends what a store has submitted, or accepts the dispute, if the row says that this is due. The provider is asked once
 * per call: if it does not answer, the row stays as it is, and the rounds over undecided disputes call again until the
 * deadline. So a provider that is away holds up no other work of the charge. After a day a person is asked to look.
 */
export async function sendDueEvidence(
  deps: ChargeDeps,
  em: Em,
  { charge, provider }: { readonly charge: Charge; readonly provider: PaymentProvider },
  providerDisputeId: string,
  now: Date,
): Promise<void> {
  const key = { provider: charge.provider, providerDisputeId, chargeId: charge.id };
  const dispute = await em.findOne(DisputeEntity, key, { disableIdentityMap: true });
  if (dispute === null) return;
  const evidence = await readEvidence(em, dispute.id);
  if (evidence?.status !== 'SUBMITTING' && evidence?.status !== 'ACCEPTING') return;
  const { id: disputeId } = dispute;
  const { attempt, status } = evidence;
  const done = status === 'SUBMITTING' ? 'SUBMITTED' : 'ACCEPTED';
  const answer = await answerOf(deps, await askOf(em, provider, dispute, evidence), charge);
  if (answer !== null) {
    const ended =
      answer.outcome === 'DONE'
        ? ({ status: done, failure: null } as const)
        : ({ status: 'REFUSED', failure: answer.reason } as const);
    await em.transactional(async (tx) => {
      await endAttempt(tx, { disputeId, attempt, now, ...ended });
      await resolveAttention(tx, { kind: 'EVIDENCE_NOT_SENT', subjectId: charge.id, now });
    });
  } else if (dispute.respondBy !== null && dispute.respondBy <= now) {
    await expire(deps, em, charge, dispute, attempt, now);
  } else if (evidence.requestedAt !== null && now.getTime() - evidence.requestedAt.getTime() > UNSENT_MS) {
    await noteUnsent(deps, em, charge, evidence.requestedAt, now);
  }
}

/** Null if it is not known whether the provider has received it: whatever it throws means that. */
async function answerOf(
  { log }: ChargeDeps,
  ask: () => Promise<EvidenceAnswer>,
  { id: chargeId }: Charge,
): Promise<EvidenceAnswer | null> {
  try {
    return await ask();
  } catch (error) {
    log.warn({ chargeId, err: error }, 'dispute evidence not sent');
    return null;
  }
}

/** The key names this attempt: a refused one may be followed by another one with other content. */
async function askOf(
  em: Em,
  { evidence: port }: PaymentProvider,
  { id: disputeId, providerDisputeId }: Dispute,
  { status, attempt, texts }: StoredEvidence,
): Promise<() => Promise<EvidenceAnswer>> {
  if (port === undefined) return async () => ({ outcome: 'REFUSED', reason: 'unsupported' });
  const submissionKey = `${disputeId}-${attempt}`;
  if (status === 'ACCEPTING') return () => port.accept(providerDisputeId, submissionKey);
  const files = await readEvidenceFiles(em, disputeId);
  return () => port.submit({ providerDisputeId, submissionKey, texts, files });
}

/** The provider was away until the deadline. Only a person can still do something. */
async function expire(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  { id: disputeId, respondBy }: Dispute,
  attempt: number,
  now: Date,
): Promise<void> {
  await em.transactional(async (tx) => {
    await endAttempt(tx, { disputeId, attempt, status: 'EXPIRED', failure: 'provider_away', now });
    await noteUnsent(deps, tx, charge, respondBy ?? now, now);
  });
}

async function noteUnsent(
  { log }: ChargeDeps,
  em: Em,
  { id: subjectId, storeId, devMode }: Charge,
  since: Date,
  now: Date,
): Promise<void> {
  await noteAttention(em, { kind: 'EVIDENCE_NOT_SENT', subjectId, storeId, devMode, since, now }, log);
}
