import { noteAttention, resolveAttention } from '../../database/attention.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import type { Em } from '../../database/orm.ts';
import type { ProviderDispute } from '../../providers/ports/disputes.ts';
import type { EvidenceAnswer } from '../../providers/ports/evidence.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { ChargeDeps } from '../effects.ts';
import { endAttempt, readEvidence, readEvidenceFiles, type StoredEvidence } from './evidence-rows.ts';

/** How long the provider may leave evidence without an answer before a person is asked to look. */
const UNSENT_MS = 24 * 60 * 60_000;

interface Due {
  readonly dispute: Dispute;
  readonly evidence: StoredEvidence;
}

/**
 * Sends what a store has submitted, or accepts the dispute, if the row says that this is due. The provider is asked once
 * per call: if it does not answer, the row stays as it is, and the rounds over undecided disputes call again until the
 * deadline. So a provider that is away holds up no other work of the charge. After a day a person is asked to look.
 *
 * @param published the dispute as the provider has just shown it: it may have moved the deadline.
 * @returns whether the provider was asked, so that `published` may be outdated.
 */
export async function sendDueEvidence(
  deps: ChargeDeps,
  em: Em,
  { charge, provider }: { readonly charge: Charge; readonly provider: PaymentProvider },
  published: ProviderDispute,
  now: Date,
): Promise<boolean> {
  const due = await dueOf(em, charge, published.providerDisputeId);
  if (due === null) return false;
  const { id: disputeId } = due.dispute;
  const { attempt, status } = due.evidence;
  const done = status === 'SUBMITTING' ? 'SUBMITTED' : 'ACCEPTED';
  const answer = await answerOf(deps, await askOf(em, provider, due), charge);
  const respondBy = published.respondBy ?? due.dispute.respondBy;
  if (typeof answer === 'object') {
    const ended =
      answer.outcome === 'DONE'
        ? ({ status: done, failure: null } as const)
        : ({ status: 'REFUSED', failure: answer.reason } as const);
    await em.transactional(async (tx) => {
      await endAttempt(tx, { disputeId, attempt, now, ...ended });
      await resolveUnsent(tx, due.dispute, now);
    });
  } else if (respondBy !== null && respondBy <= now) {
    const ended = { disputeId, attempt, status: 'EXPIRED', failure: answer, now } as const;
    // The provider was away until the deadline. Only a person can still do something.
    await em.transactional(async (tx) => {
      await endAttempt(tx, ended);
      await noteUnsent(deps, tx, charge, due.dispute, respondBy, now);
    });
  } else if (answer === 'internal_error') {
    await noteUnsent(deps, em, charge, due.dispute, now, now);
  } else {
    await noteIfLate(deps, em, charge, due, now);
  }
  return true;
}

/**
 * Asks a person to look if evidence has waited for a day, for a provider that does not even show the dispute. Its deadline
 * may have moved, so the evidence is still sent once it is back.
 */
export async function noteWaitingEvidence(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  providerDisputeId: string,
  now: Date,
): Promise<void> {
  const due = await dueOf(em, charge, providerDisputeId);
  if (due !== null) await noteIfLate(deps, em, charge, due, now);
}

/** Closes the note that evidence of a dispute was not sent. Notes of earlier releases are about the charge. */
export async function resolveUnsent(em: Em, { id, chargeId }: Dispute, now: Date): Promise<void> {
  for (const subjectId of [unsentSubjectOf({ id, chargeId }), chargeId])
    await resolveAttention(em, { kind: 'EVIDENCE_NOT_SENT', subjectId, now });
}

/** A charge may have several disputes, one after another. Links to the payment read the last part. */
function unsentSubjectOf({ id, chargeId }: Pick<Dispute, 'id' | 'chargeId'>): string {
  return `${id}/${chargeId}`;
}

async function dueOf(em: Em, charge: Charge, providerDisputeId: string): Promise<Due | null> {
  const key = { provider: charge.provider, providerDisputeId, chargeId: charge.id };
  const dispute = await em.findOne(DisputeEntity, key, { disableIdentityMap: true });
  if (dispute === null) return null;
  const evidence = await readEvidence(em, dispute.id);
  const isDue = evidence?.status === 'SUBMITTING' || evidence?.status === 'ACCEPTING';
  return isDue ? { dispute, evidence } : null;
}

/**
 * The provider's answer, or why there is none. An error of the provider does not say whether it has received the evidence; any other error is one of
 * this release, and waiting does not mend it.
 */
async function answerOf(
  { log }: ChargeDeps,
  ask: () => Promise<EvidenceAnswer>,
  { id: chargeId }: Charge,
): Promise<EvidenceAnswer | 'provider_away' | 'internal_error'> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderError) {
      log.warn({ chargeId, err: error }, 'dispute evidence not sent');
      return 'provider_away';
    }
    log.error({ chargeId, err: error }, 'dispute evidence not sent because of an error of Recebe');
    return 'internal_error';
  }
}

/** The key names this attempt: a refused one may be followed by another one with other content. */
async function askOf(
  em: Em,
  { evidence: port }: PaymentProvider,
  { dispute: { id: disputeId, providerDisputeId }, evidence: { status, attempt, texts } }: Due,
): Promise<() => Promise<EvidenceAnswer>> {
  if (port === undefined) return async () => ({ outcome: 'REFUSED', reason: 'unsupported' });
  const submissionKey = `${disputeId}-${attempt}`;
  if (status === 'ACCEPTING') return () => port.accept(providerDisputeId, submissionKey);
  const files = await readEvidenceFiles(em, disputeId);
  return () => port.submit({ providerDisputeId, submissionKey, texts, files });
}

async function noteIfLate(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  { dispute, evidence: { requestedAt } }: Due,
  now: Date,
): Promise<void> {
  if (requestedAt === null || now.getTime() - requestedAt.getTime() <= UNSENT_MS) return;
  await noteUnsent(deps, em, charge, dispute, requestedAt, now);
}

async function noteUnsent(
  { log }: ChargeDeps,
  em: Em,
  { storeId, devMode }: Charge,
  dispute: Dispute,
  since: Date,
  now: Date,
): Promise<void> {
  const subjectId = unsentSubjectOf(dispute);
  await noteAttention(em, { kind: 'EVIDENCE_NOT_SENT', subjectId, storeId, devMode, since, now }, log);
}
