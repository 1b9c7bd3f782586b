import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  readEvidence,
  requestAnswer,
  saveFile,
  saveTexts,
} from '../../src/charges/disputes/evidence-rows.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { DisputeEntity } from '../../src/database/entities/dispute.ts';
import { newsOfUndecidedDisputes } from '../../src/notifications/listed-disputes.ts';
import { eraseEvidence } from '../../src/retention/erase-evidence.ts';
import { beginPayment, chargeWorkflowOf, endOf, openCheckout } from '../support/fixtures/checkouts.ts';
import { dispute } from '../support/fixtures/money.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { withNewStore } from '../support/rows/books.ts';

let shared: WorkflowFixture;
let fixture: WorkflowFixture;

beforeAll(async () => {
  shared = await createWorkflowFixture();
});

beforeEach(async () => {
  fixture = await withNewStore(shared);
  fixture.provider.evidenceRefusal = null;
  fixture.provider.submissions.clear();
});

afterAll(() => shared.close());

const NOW = new Date();
const TEXTS = { productDescription: 'Curso de violão' };
const FILE = { kind: 'receipt', type: 'application/pdf', content: Buffer.from('%PDF-1.7') } as const;
const em = () => fixture.database.em.fork();
const rowOf = ({ id }: Charge) => em().findOneOrFail(DisputeEntity, { chargeId: id });

const notesOf = ({ id }: Charge, disputeId: string) =>
  em().execute('select kind from attention where subject_id = ? and resolved_at is null', [
    `${disputeId}/${id}`,
  ]);

/** A disputed card payment with a draft of evidence. */
async function drafted(respondBy = new Date(Date.now() + 86_400_000)) {
  const charge = await beginPayment(fixture, await openCheckout(fixture), { method: 'CARD' });
  await endOf(fixture, chargeWorkflowOf(fixture, charge));
  const facts = { respondBy, stage: 'NEEDS_RESPONSE' } as const;
  await dispute(fixture, charge, 'OPEN', `dispute-of-${charge.id}`, null, facts);
  const { id: disputeId } = await rowOf(charge);
  expect(await saveTexts(em(), disputeId, TEXTS, NOW)).toBe(true);
  expect(await saveFile(em(), disputeId, FILE, NOW)).toBe('SAVED');
  /** The workflow looks at the dispute, as after a notice or in a round. */
  const looked = () =>
    dispute(fixture, charge, 'OPEN', `dispute-of-${charge.id}`, null, {
      ...facts,
      ...(fixture.provider.submissions.size > 0 && { stage: 'UNDER_REVIEW', hasEvidence: true }),
    });
  return { charge, disputeId, looked };
}

const request = (
  disputeId: Parameters<typeof requestAnswer>[1],
  status: 'SUBMITTING' | 'ACCEPTING' = 'SUBMITTING',
  at = NOW,
) => em().transactional((tx) => requestAnswer(tx, disputeId, status, at));

it('sends nothing before the store submits', async () => {
  const { looked, disputeId } = await drafted();
  await looked();
  expect(fixture.provider.submissions.size).toBe(0);
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'DRAFT', texts: TEXTS });
});

it('sends texts and files once, and takes no second submission', async () => {
  const { charge, looked, disputeId } = await drafted();
  const requests = await Promise.all([request(disputeId), request(disputeId), request(disputeId)]);
  expect(requests.filter(Boolean)).toHaveLength(1);
  await looked();
  await looked();
  const [sent, ...more] = [...fixture.provider.submissions.values()];
  expect(more).toEqual([]);
  expect(sent).toMatchObject({ submissionKey: `${disputeId}-1`, texts: TEXTS, files: [FILE] });
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTED' });
  expect(await rowOf(charge)).toMatchObject({ stage: 'UNDER_REVIEW', evidenceSubmittedAt: expect.any(Date) });
  expect(await saveTexts(em(), disputeId, {}, NOW)).toBe(false);
  expect(await request(disputeId, 'ACCEPTING')).toBe(false);
});

it('sends evidence in a later round if the provider is away', async () => {
  const { looked, disputeId } = await drafted();
  await request(disputeId);
  fixture.provider.failNext('submitEvidence', 2);
  await looked();
  await looked();
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTING' });
  expect(await newsOfUndecidedDisputes(fixture.database, fixture.provider)).toHaveLength(1);
  await looked();
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTED' });
});

it('asks a person once the deadline has passed without an answer', async () => {
  const { charge, looked, disputeId } = await drafted(new Date(Date.now() - 1_000));
  await request(disputeId);
  fixture.provider.failNext('submitEvidence', 1);
  await looked();
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'EXPIRED' });
  expect(await notesOf(charge, disputeId)).toEqual([{ kind: 'EVIDENCE_NOT_SENT' }]);
});

it('sends evidence by the deadline that the provider has moved', async () => {
  const { charge, disputeId } = await drafted(new Date(Date.now() - 1_000));
  await request(disputeId);
  fixture.provider.failNext('submitEvidence', 1);
  const moved = { respondBy: new Date(Date.now() + 86_400_000), stage: 'NEEDS_RESPONSE' } as const;
  const look = () => dispute(fixture, charge, 'OPEN', `dispute-of-${charge.id}`, null, moved);
  await look();
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTING' });
  await look();
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTED' });
  expect(await rowOf(charge)).toMatchObject({ respondBy: moved.respondBy });
});

it('asks a person about a provider that shows no dispute, and sends later', async () => {
  const { charge, looked, disputeId } = await drafted(new Date(Date.now() - 1_000));
  await request(disputeId, 'SUBMITTING', new Date(Date.now() - 25 * 3_600_000));
  fixture.provider.failNext('findDispute', 1);
  const { activities } = fixture;
  const input = { chargeId: charge.id, providerDisputeId: `dispute-of-${charge.id}`, nowMs: Date.now() };
  await expect(activities.recordDispute(input)).rejects.toThrow('the provider is down');
  expect(await notesOf(charge, disputeId)).toHaveLength(1);
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTING' });
  await looked();
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTED' });
  expect(await notesOf(charge, disputeId)).toEqual([]);
});

it('asks a person at once about an error of its own, and continues', async () => {
  const { charge, looked, disputeId } = await drafted();
  await request(disputeId);
  fixture.provider.failNext('submitEvidence', 1, new TypeError('undefined is not a function'));
  expect(await looked()).toBe('UNDER_DISPUTE');
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTING' });
  expect(await notesOf(charge, disputeId)).toHaveLength(1);
});

it('keeps a note for each dispute of a charge', async () => {
  const { charge, disputeId } = await drafted(new Date(Date.now() - 1_000));
  await request(disputeId);
  fixture.provider.failNext('submitEvidence', 1);
  await dispute(fixture, charge, 'OPEN', `dispute-of-${charge.id}`, null);
  await dispute(fixture, charge, 'WON', `dispute-of-${charge.id}`, null);
  const facts = { respondBy: new Date(Date.now() - 1_000) };
  await dispute(fixture, charge, 'OPEN', 'second', null, facts);
  const second = await em().findOneOrFail(DisputeEntity, { chargeId: charge.id, status: 'OPEN' });
  await saveTexts(em(), second.id, TEXTS, NOW);
  await request(second.id);
  fixture.provider.failNext('submitEvidence', 1);
  await dispute(fixture, charge, 'OPEN', 'second', null, facts);
  expect(await notesOf(charge, second.id)).toEqual([{ kind: 'EVIDENCE_NOT_SENT' }]);
  expect(await notesOf(charge, disputeId)).toEqual([]);
});

it.each([
  ['SUBMITTING', 'WON', false, 'EXPIRED', 'dispute_decided'],
  ['SUBMITTING', 'LOST', true, 'SUBMITTED', null],
  ['ACCEPTING', 'LOST', false, 'ACCEPTED', null],
  ['ACCEPTING', 'WON', false, 'EXPIRED', 'dispute_decided'],
] as const)(
  'ends %s when the dispute is decided meanwhile: %s',
  async (asked, end, hasEvidence, status, failure) => {
    const { charge, disputeId } = await drafted();
    await request(disputeId, asked);
    fixture.provider.failNext('submitEvidence', 1);
    await dispute(fixture, charge, end, `dispute-of-${charge.id}`, null, { hasEvidence });
    expect(await readEvidence(em(), disputeId)).toMatchObject({ status, failure });
    expect(await notesOf(charge, disputeId)).toEqual([]);
  },
);

it('asks a person after a day without an answer, until the evidence is sent', async () => {
  const { charge, looked, disputeId } = await drafted();
  await request(disputeId, 'SUBMITTING', new Date(Date.now() - 25 * 3_600_000));
  const open = () => notesOf(charge, disputeId);
  fixture.provider.failNext('submitEvidence', 1);
  await looked();
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTING' });
  expect(await open()).toEqual([{ kind: 'EVIDENCE_NOT_SENT' }]);
  await looked();
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTED' });
  expect(await open()).toEqual([]);
});

it('lets the store correct what the provider refused', async () => {
  const { looked, disputeId } = await drafted();
  fixture.provider.evidenceRefusal = 'file_too_many_pages';
  await request(disputeId);
  await looked();
  const refused = { status: 'REFUSED', failure: 'file_too_many_pages' };
  expect(await readEvidence(em(), disputeId)).toMatchObject(refused);
  fixture.provider.evidenceRefusal = null;
  expect(await saveTexts(em(), disputeId, { uncategorizedText: 'Sem anexo' }, NOW)).toBe(true);
  expect(await request(disputeId)).toBe(true);
  await looked();
  expect([...fixture.provider.submissions.keys()]).toEqual([`${disputeId}-2`]);
});

it('refuses files of more than 4.5 MB together', async () => {
  const { disputeId } = await drafted();
  const large = { ...FILE, kind: 'customerCommunication', content: Buffer.alloc(4_499_999) } as const;
  expect(await saveFile(em(), disputeId, large, NOW)).toBe('TOO_LARGE');
});

it('erases texts and files after the dispute, and keeps them before', async () => {
  const { charge, looked, disputeId } = await drafted();
  await request(disputeId);
  await looked();
  await eraseEvidence(fixture.database, new Date(Date.now() + 60_000));
  expect(await readEvidence(em(), disputeId)).toMatchObject({ texts: TEXTS, files: [{ kind: 'receipt' }] });
  await dispute(fixture, charge, 'WON', `dispute-of-${charge.id}`, null, { hasEvidence: true });
  await eraseEvidence(fixture.database, new Date(Date.now() + 60_000));
  expect(await readEvidence(em(), disputeId)).toMatchObject({ status: 'SUBMITTED', texts: {}, files: [] });
});
