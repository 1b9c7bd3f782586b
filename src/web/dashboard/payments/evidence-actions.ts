import { ApiError, notFound } from '../../../api/frame/errors.ts';
import { withinTime } from '../../../api/frame/reach-temporal.ts';
import {
  deleteFile,
  readEvidence,
  requestAnswer,
  saveFile,
  saveTexts,
} from '../../../charges/disputes/evidence-rows.ts';
import type { Em } from '../../../database/orm.ts';
import {
  EVIDENCE_FILES,
  EVIDENCE_TEXTS,
  type EvidenceTexts,
  evidenceTypeOf,
  MAX_EVIDENCE_BYTES,
  MAX_EVIDENCE_TEXT_CHARS,
} from '../../../domain/dispute-evidence.ts';
import type { EvidenceFile } from '../../../providers/ports/evidence.ts';
import { openDialog } from '../frame/dialog.ts';
import { FormRefused } from '../frame/refusals.ts';
import { type DashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import { realMoneyStepUp, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { evidencePage, SUBMIT } from './evidence-page.ts';
import { type DisputedPayment, undecidedDispute } from './undecided-dispute.ts';

const ANSWER_WITHIN_MS = 4_500;
/** All texts at their maximum, in UTF-8. */
const MAX_TEXTS_BYTES = EVIDENCE_TEXTS.length * MAX_EVIDENCE_TEXT_CHARS * 4;

const back = ({ params }: Visit): `/${string}` => `/payments/${params.id}/evidence`;

/** @throws ApiError 404 if there is no dispute that takes evidence. */
async function answerable(visit: Visit): Promise<DisputedPayment> {
  const disputed = await undecidedDispute(visit);
  if (disputed === null || !disputed.takesEvidence) throw notFound('Dispute');
  return disputed;
}

/** One change of a draft with its audit line. @param change returns false if the evidence is final. */
async function changed(visit: Visit, action: string, change: (em: Em) => Promise<boolean>): Promise<void> {
  const { id } = visit.params;
  await visit.transaction(async (em) => {
    if (!(await change(em))) throw new FormRefused({ evidence: visit.say('dashboard.evidence.isFinal') });
    await visit.record(em, action, id ?? null);
  });
}

const saveDraft = formAction({
  path: '/payments/:id/evidence',
  action: 'refund',
  back,
  form: { name: 'draft', page: evidencePage.handler },
  maxFileBytes: MAX_TEXTS_BYTES + MAX_EVIDENCE_BYTES,
  async work(visit) {
    const { say, storeNow } = visit;
    const { dispute } = await answerable(visit);
    const texts = textsOf(visit);
    const file = fileOf(visit);
    await changed(visit, 'disputes/save-evidence', async (em) => {
      if (!(await saveTexts(em, dispute.id, texts, storeNow))) return false;
      const outcome = file === null ? 'SAVED' : await saveFile(em, dispute.id, file, storeNow);
      if (outcome === 'TOO_LARGE') throw new FormRefused({ file: say('dashboard.evidence.fileRules') });
      return outcome === 'SAVED';
    });
    const next = visit.field('next') === 'submit' ? openDialog(back(visit), SUBMIT) : back(visit);
    return seeOther(visit.link(next), say('dashboard.evidence.draftSaved'));
  },
});

/** @throws FormRefused naming every text that is too long. */
function textsOf(visit: Visit): EvidenceTexts {
  const written = EVIDENCE_TEXTS.map((name) => [name, visit.field(name)] as const);
  const tooLong = written.filter(([, text]) => text.length > MAX_EVIDENCE_TEXT_CHARS);
  if (tooLong.length > 0)
    throw new FormRefused(
      Object.fromEntries(tooLong.map(([name]) => [name, visit.say('dashboard.evidence.textTooLong')])),
    );
  return Object.fromEntries(written.filter(([, text]) => text !== ''));
}

/** The chosen file; null without one. @throws FormRefused unless its content is of an accepted type. */
function fileOf(visit: Visit): EvidenceFile | null {
  const content = visit.files.get('file');
  if (content === undefined) return null;
  const type = evidenceTypeOf(content);
  if (type === null) throw new FormRefused({ file: visit.say('dashboard.evidence.fileRules') });
  const kind = EVIDENCE_FILES.find((known) => known === visit.field('kind')) ?? 'uncategorizedFile';
  return { kind, type, content };
}

const removeFile = formAction({
  path: '/payments/:id/evidence/remove-file',
  action: 'refund',
  back,
  form: { name: 'draft', page: evidencePage.handler },
  async work(visit) {
    const { dispute } = await answerable(visit);
    const kind = EVIDENCE_FILES.find((known) => known === visit.field('kind')) ?? 'uncategorizedFile';
    await changed(visit, 'disputes/save-evidence', (em) => deleteFile(em, dispute.id, kind, visit.storeNow));
    return seeOther(visit.link(back(visit)), visit.say('dashboard.evidence.fileRemoved'));
  },
});

/** Submitting and accepting are final. The row decides; the charge's workflow then sends it at once, or the rounds do. */
function finalAction(name: 'submit' | 'accept'): DashboardRoute {
  const [action, form, status] =
    name === 'submit'
      ? (['disputes/submit-evidence', SUBMIT, 'SUBMITTING'] as const)
      : (['disputes/accept', 'accept-dispute', 'ACCEPTING'] as const);
  return formAction({
    path: `/payments/:id/evidence/${name}`,
    action: 'refund',
    back,
    form: { name: form, page: evidencePage.handler },
    async work(visit) {
      const disputed = await answerable(visit);
      const { dispute } = disputed;
      const wrong = await stepUpProblem(visit, realMoneyStepUp(visit));
      if (wrong !== null) throw new FormRefused(wrong);
      const evidence = await readEvidence(visit.em, dispute.id);
      const isEmpty = Object.keys(evidence?.texts ?? {}).length === 0 && (evidence?.files.length ?? 0) === 0;
      if (name === 'submit' && isEmpty)
        throw new FormRefused({ evidence: visit.say('dashboard.evidence.isEmpty') });
      await changed(visit, action, (em) => requestAnswer(em, dispute.id, status, visit.storeNow));
      return send(visit, disputed);
    },
  });
}

/** What asked for an answer that was not sent yet. */
const REQUESTED_BY: ReadonlyMap<string, string> = new Map([
  ['SUBMITTING', 'disputes/submit-evidence'],
  ['ACCEPTING', 'disputes/accept'],
]);

const retry = formAction({
  path: '/payments/:id/evidence/retry',
  action: 'refund',
  back,
  async work(visit) {
    const disputed = await answerable(visit);
    const { id, chargeId } = disputed.dispute;
    await visit.transaction(async (em) => {
      const action = REQUESTED_BY.get((await readEvidence(em, id))?.status ?? 'DRAFT');
      if (action === undefined) throw notFound('Answer');
      await visit.record(em, action, chargeId);
    });
    return send(visit, disputed);
  },
});

/** Whatever happens here, the row says what is to be sent. */
async function send(visit: Visit, { dispute, reference }: DisputedPayment): Promise<Reply> {
  const { deps, requestId, say } = visit;
  const { provider, providerDisputeId, chargeId } = dispute;
  const notified = { provider, reference, providerDisputeId };
  try {
    await withinTime(deps.temporal, ANSWER_WITHIN_MS, () => deps.intake.receiveDispute(notified, requestId));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return seeOther(visit.link(back(visit)), say('dashboard.evidence.isBeingSent'));
  }
  return seeOther(visit.link(`/payments/${chargeId}`), say('dashboard.evidence.wasHandled'));
}

/** The forms of the page for evidence. */
export const evidenceActions: readonly DashboardRoute[] = [
  saveDraft,
  removeFile,
  finalAction('submit'),
  finalAction('accept'),
  retry,
];
