/** What a store can write about a disputed payment, by the names of the API. */
export const EVIDENCE_TEXTS = [
  'productDescription',
  'shippingCarrier',
  'shippingTrackingNumber',
  'shippingDate',
  'serviceDate',
  'accessActivityLog',
  'cancellationRebuttal',
  'duplicateChargeExplanation',
  'refundRefusalExplanation',
  'uncategorizedText',
] as const;
export type EvidenceText = (typeof EVIDENCE_TEXTS)[number];
export type EvidenceTexts = Readonly<Partial<Record<EvidenceText, string>>>;

/** What a file shows. A dispute has at most one file of each kind. */
export const EVIDENCE_FILES = [
  'receipt',
  'shippingDocumentation',
  'serviceDocumentation',
  'customerCommunication',
  'customerSignature',
  'refundPolicy',
  'cancellationPolicy',
  'uncategorizedFile',
] as const;
export type EvidenceFileKind = (typeof EVIDENCE_FILES)[number];

/** Stripe refuses longer texts (docs.stripe.com/disputes/api). */
export const MAX_EVIDENCE_TEXT_CHARS = 20_000;
/** Of all files of a dispute together. Card networks take no more, so neither does Stripe. */
export const MAX_EVIDENCE_BYTES = 4_500_000;

/** The types that card networks accept, with the extension of each. */
const TYPES = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' } as const;
export type EvidenceFileType = keyof typeof TYPES;

/** The type of a file by its content, whatever its name says; null for any other. */
export function evidenceTypeOf(content: Buffer): EvidenceFileType | null {
  const start = content.toString('latin1', 0, 8);
  if (start.startsWith('%PDF-')) return 'application/pdf';
  if (start === '\u0089PNG\r\n\u001a\n') return 'image/png';
  return start.startsWith('\u00ff\u00d8\u00ff') ? 'image/jpeg' : null;
}

/** The name under which a provider gets a file. The payer's bank sees it, so it names nobody. */
export function evidenceFileName(kind: EvidenceFileKind, type: EvidenceFileType): string {
  return `${kind}.${TYPES[type]}`;
}

/**
 * DRAFT until it is submitted (SUBMITTING, then SUBMITTED) or the dispute is accepted (ACCEPTING, then ACCEPTED). If the
 * provider refuses it (REFUSED), it can be changed and submitted again. EXPIRED if the provider could not be reached in time.
 */
export const EVIDENCE_STATUSES = [
  'DRAFT',
  'SUBMITTING',
  'SUBMITTED',
  'ACCEPTING',
  'ACCEPTED',
  'REFUSED',
  'EXPIRED',
] as const;
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number];
