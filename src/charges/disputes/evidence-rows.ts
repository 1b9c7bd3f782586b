import { personalNumbersOf } from '../../database/encryption/sealed-text.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import {
  type EvidenceFileKind,
  type EvidenceFileType,
  type EvidenceStatus,
  type EvidenceTexts,
  MAX_EVIDENCE_BYTES,
} from '../../domain/dispute-evidence.ts';
import type { DisputeId } from '../../domain/ids.ts';
import type { EvidenceFile } from '../../providers/ports/evidence.ts';
import { openNumber } from '../../secrets/personal-numbers.ts';

const TEXTS = 'dispute_evidence.texts';
const CONTENT = 'dispute_files.content';

/** Evidence as it is stored, without the content of its files. */
export interface StoredEvidence {
  readonly status: EvidenceStatus;
  readonly texts: EvidenceTexts;
  /** How often it was submitted or accepted. Names the submission at the provider. */
  readonly attempt: number;
  /** The provider's code for the last refusal. */
  readonly failure: string | null;
  /** When the store submitted or accepted last; null for a draft. */
  readonly requestedAt: Date | null;
  readonly files: readonly {
    readonly kind: EvidenceFileKind;
    readonly type: EvidenceFileType;
    readonly sizeBytes: number;
  }[];
}

const READ = statement<{ disputeId: DisputeId }, Omit<StoredEvidence, 'texts'> & { texts: string | null }>(
  'read evidence',
  () => `
  select status, texts, attempt, failure, requested_at as "requestedAt", (
    select coalesce(json_agg(json_build_object('kind', kind, 'type', content_type, 'sizeBytes', size_bytes) order by created_at), '[]')
    from dispute_files where dispute_id = evidence.dispute_id
  ) as files
  from dispute_evidence evidence where dispute_id = :disputeId`,
);

/** Null if there is not even a draft. */
export async function readEvidence(em: Em, disputeId: DisputeId): Promise<StoredEvidence | null> {
  const [row] = await READ(em, { disputeId });
  if (row === undefined) return null;
  return { ...row, texts: row.texts === null ? {} : JSON.parse(openNumber(row.texts, TEXTS)) };
}

const READ_FILES = statement<
  { disputeId: DisputeId },
  { kind: EvidenceFileKind; type: EvidenceFileType; content: string }
>(
  'read files of evidence',
  () =>
    'select kind, content_type as type, content from dispute_files where dispute_id = :disputeId order by kind',
);

export async function readEvidenceFiles(em: Em, disputeId: DisputeId): Promise<EvidenceFile[]> {
  const rows = await READ_FILES(em, { disputeId });
  return rows.map(({ kind, type, content }) => ({
    kind,
    type,
    content: Buffer.from(openNumber(content, CONTENT), 'base64'),
  }));
}

/** A draft can be changed until it is submitted, and again after the provider has refused it. The dispute is undecided. */
const TOUCH = statement<{ disputeId: DisputeId; now: Date }, { attempt: number }>(
  'open a draft of evidence',
  () => `
  insert into dispute_evidence (dispute_id, status, updated_at)
  select id, 'DRAFT', :now::timestamptz from disputes
  where id = :disputeId and closed_at is null and evidence_submitted_at is null
  on conflict (dispute_id) do update set updated_at = excluded.updated_at
    where dispute_evidence.status in ('DRAFT', 'REFUSED')
  returning attempt`,
);

const SAVE_TEXTS = statement<{ disputeId: DisputeId; texts: string }>(
  'save texts of evidence',
  () => 'update dispute_evidence set texts = :texts where dispute_id = :disputeId',
);

/** @returns false if the evidence cannot be changed any more. */
export async function saveTexts(
  em: Em,
  disputeId: DisputeId,
  texts: EvidenceTexts,
  now: Date,
): Promise<boolean> {
  const sealed = personalNumbersOf(em).seal(JSON.stringify(texts), TEXTS);
  return em.transactional(async (tx) => {
    if ((await TOUCH(tx, { disputeId, now })).length === 0) return false;
    await SAVE_TEXTS(tx, { disputeId, texts: sealed });
    return true;
  });
}

const SAVE_FILE = statement<{
  disputeId: DisputeId;
  kind: EvidenceFileKind;
  type: EvidenceFileType;
  content: string;
  sizeBytes: number;
  now: Date;
}>(
  'save a file of evidence',
  () => `
  insert into dispute_files (dispute_id, kind, content_type, content, size_bytes, created_at)
  values (:disputeId, :kind, :type, :content, :sizeBytes, :now)
  on conflict (dispute_id, kind) do update set content_type = excluded.content_type, content = excluded.content,
    size_bytes = excluded.size_bytes, created_at = excluded.created_at`,
);

const OTHER_BYTES = statement<{ disputeId: DisputeId; kind: EvidenceFileKind }, { bytes: number }>(
  'size of the other files of evidence',
  () => `
  select coalesce(sum(size_bytes), 0)::int as bytes from dispute_files where dispute_id = :disputeId and kind <> :kind`,
);

/** Stores a file in place of an earlier one of its kind. The touched draft is locked, so the sum holds. */
export async function saveFile(
  em: Em,
  disputeId: DisputeId,
  { kind, type, content }: EvidenceFile,
  now: Date,
): Promise<'SAVED' | 'FINAL' | 'TOO_LARGE'> {
  const sealed = personalNumbersOf(em).seal(content.toString('base64'), CONTENT);
  return em.transactional(async (tx) => {
    if ((await TOUCH(tx, { disputeId, now })).length === 0) return 'FINAL';
    const [others] = await OTHER_BYTES(tx, { disputeId, kind });
    if ((others?.bytes ?? 0) + content.length > MAX_EVIDENCE_BYTES) return 'TOO_LARGE';
    await SAVE_FILE(tx, { disputeId, kind, type, content: sealed, sizeBytes: content.length, now });
    return 'SAVED';
  });
}

const DELETE_FILE = statement<{ disputeId: DisputeId; kind: EvidenceFileKind }>(
  'delete a file of evidence',
  () => 'delete from dispute_files where dispute_id = :disputeId and kind = :kind',
);

/** @returns false if the evidence cannot be changed any more. */
export async function deleteFile(
  em: Em,
  disputeId: DisputeId,
  kind: EvidenceFileKind,
  now: Date,
): Promise<boolean> {
  return em.transactional(async (tx) => {
    if ((await TOUCH(tx, { disputeId, now })).length === 0) return false;
    await DELETE_FILE(tx, { disputeId, kind });
    return true;
  });
}

const REQUEST = statement<
  { disputeId: DisputeId; status: 'SUBMITTING' | 'ACCEPTING'; now: Date },
  { attempt: number }
>(
  'submit evidence',
  () => `
  update dispute_evidence set status = :status, attempt = attempt + 1, failure = null, requested_at = :now
  where dispute_id = :disputeId and status in ('DRAFT', 'REFUSED') returning attempt`,
);

/**
 * Decides, in the caller's transaction, that evidence is sent, or that the dispute is accepted. Only one of several
 * requests at once does.
 * @returns false if the evidence cannot be changed any more.
 */
export async function requestAnswer(
  em: Em,
  disputeId: DisputeId,
  status: 'SUBMITTING' | 'ACCEPTING',
  now: Date,
): Promise<boolean> {
  if ((await TOUCH(em, { disputeId, now })).length === 0) return false;
  return (await REQUEST(em, { disputeId, status, now })).length > 0;
}

const END = statement<{
  disputeId: DisputeId;
  attempt: number;
  status: EvidenceStatus;
  failure: string | null;
  now: Date;
}>(
  'record the answer to evidence',
  () => `
  update dispute_evidence set status = :status, failure = :failure::text, updated_at = :now
  where dispute_id = :disputeId and attempt = :attempt and status in ('SUBMITTING', 'ACCEPTING')`,
);

/** Records what became of an attempt. A repeated call has no effect. */
export async function endAttempt(
  em: Em,
  ended: {
    readonly disputeId: DisputeId;
    readonly attempt: number;
    readonly status: 'SUBMITTED' | 'ACCEPTED' | 'REFUSED' | 'EXPIRED';
    readonly failure: string | null;
    readonly now: Date;
  },
): Promise<void> {
  await END(em, ended);
}
