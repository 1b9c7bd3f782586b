import type Stripe from 'stripe';
import { type EvidenceFileKind, type EvidenceText, evidenceFileName } from '../../domain/dispute-evidence.ts';
import type { EvidenceAnswer, EvidenceFile, EvidencePort, SubmitEvidence } from '../ports/evidence.ts';
import { ProviderError } from '../provider-error.ts';
import { keyOf, STRIPE_ID, SUBMISSION } from './ids.ts';
import type { StripeClient } from './stripe-client.ts';
import { StripeCallError } from './stripe-error.ts';
import { readDispute, readFile } from './wire.ts';

type StripeEvidence = NonNullable<Stripe.DisputeUpdateParams['evidence']>;

const TEXTS: Readonly<Record<EvidenceText, keyof StripeEvidence>> = {
  productDescription: 'product_description',
  shippingCarrier: 'shipping_carrier',
  shippingTrackingNumber: 'shipping_tracking_number',
  shippingDate: 'shipping_date',
  serviceDate: 'service_date',
  accessActivityLog: 'access_activity_log',
  cancellationRebuttal: 'cancellation_rebuttal',
  duplicateChargeExplanation: 'duplicate_charge_explanation',
  refundRefusalExplanation: 'refund_refusal_explanation',
  uncategorizedText: 'uncategorized_text',
};

const FILES: Readonly<Record<EvidenceFileKind, keyof StripeEvidence>> = {
  receipt: 'receipt',
  shippingDocumentation: 'shipping_documentation',
  serviceDocumentation: 'service_documentation',
  customerCommunication: 'customer_communication',
  customerSignature: 'customer_signature',
  refundPolicy: 'refund_policy',
  cancellationPolicy: 'cancellation_policy',
  uncategorizedFile: 'uncategorized_file',
};

const ANSWERABLE = new Set(['needs_response', 'warning_needs_response']);

/**
 * Evidence at Stripe. The submission's key is stored in the dispute's metadata by the same request that submits it, so a
 * look-up shows whether a request without an answer had its effect.
 */
export function stripeEvidence(client: StripeClient): EvidencePort {
  const find = async (id: string) => {
    if (!STRIPE_ID.test(id)) throw new ProviderError('INVALID', 'this is no id of a dispute at Stripe');
    const body = await client.find('getting a dispute', (sdk) => sdk.disputes.retrieve(id));
    if (body === null) throw new ProviderError('RETRY', 'Stripe does not know the dispute yet');
    return readDispute(body);
  };
  /** What an earlier request with this key did; null if it had no effect so far. */
  const earlier = async (id: string, submissionKey: string): Promise<EvidenceAnswer | null> => {
    const { metadata, status, evidence_details: details } = await find(id);
    const isOurs = metadata?.[SUBMISSION] === submissionKey;
    if (isOurs && (details?.submission_count ?? 0) > 0) return { outcome: 'DONE' };
    return ANSWERABLE.has(status) ? null : { outcome: 'REFUSED', reason: `dispute_${status}` };
  };
  const once = async (look: () => Promise<EvidenceAnswer | null>, write: () => Promise<unknown>) => {
    const before = await look();
    if (before !== null) return before;
    try {
      await write();
      return DONE;
    } catch (error) {
      const made = await look();
      if (made !== null) return made;
      if (error instanceof StripeCallError && error.isRefusal)
        return { outcome: 'REFUSED', reason: error.code ?? 'refused' } as const;
      throw error;
    }
  };

  return {
    submit: (request) =>
      once(
        () => earlier(request.providerDisputeId, request.submissionKey),
        () => submit(client, request),
      ),
    accept: (id, submissionKey) =>
      once(
        async () => {
          const { status } = await find(id);
          if (status === 'lost' || status === 'warning_closed') return DONE;
          return ANSWERABLE.has(status) ? null : { outcome: 'REFUSED', reason: `dispute_${status}` };
        },
        () =>
          client.call('accepting a dispute', (sdk) =>
            sdk.disputes.close(id, {}, { idempotencyKey: keyOf.evidence(submissionKey) }),
          ),
      ),
  };
}

const DONE = { outcome: 'DONE' } as const;

/** A file that was uploaded twice, because its key is older than a day, is a file that nobody uses. */
async function submit(
  client: StripeClient,
  { providerDisputeId, submissionKey, texts, files }: SubmitEvidence,
): Promise<void> {
  const uploaded = await Promise.all(
    files.map(async (file) => [FILES[file.kind], await upload(client, submissionKey, file)] as const),
  );
  const written = Object.entries(texts).map(([name, text]) => [TEXTS[name as EvidenceText], text] as const);
  const evidence: StripeEvidence = Object.fromEntries([...written, ...uploaded]);
  await client.call('submitting evidence', (sdk) =>
    sdk.disputes.update(
      providerDisputeId,
      { evidence, submit: true, metadata: { [SUBMISSION]: submissionKey } },
      { idempotencyKey: keyOf.evidence(submissionKey) },
    ),
  );
}

async function upload(
  client: StripeClient,
  submissionKey: string,
  { kind, type, content }: EvidenceFile,
): Promise<string> {
  const { body } = await client.call('uploading a file', (sdk) =>
    sdk.files.create(
      { purpose: 'dispute_evidence', file: { data: content, name: evidenceFileName(kind, type), type } },
      { idempotencyKey: keyOf.evidenceFile(submissionKey, kind) },
    ),
  );
  return readFile(body).id;
}
