import type { EvidenceFileKind, EvidenceFileType, EvidenceTexts } from '../../domain/dispute-evidence.ts';

/** Answers disputes of card payments, by their provider. */
export interface EvidencePort {
  /**
   * Submits evidence, which is final. The same `submissionKey` is the same submission.
   * @throws ProviderError if it is not known whether the evidence was received.
   */
  submit(request: SubmitEvidence): Promise<EvidenceAnswer>;
  /** Accepts that the dispute is lost. @throws ProviderError as {@link submit}. */
  accept(providerDisputeId: string, submissionKey: string): Promise<EvidenceAnswer>;
}

export interface SubmitEvidence {
  readonly providerDisputeId: string;
  readonly submissionKey: string;
  readonly texts: EvidenceTexts;
  readonly files: readonly EvidenceFile[];
}

export interface EvidenceFile {
  readonly kind: EvidenceFileKind;
  readonly type: EvidenceFileType;
  readonly content: Buffer;
}

export type EvidenceAnswer =
  | { readonly outcome: 'DONE' }
  /** Nothing was received. @property reason the provider's code, without anything that was sent. */
  | { readonly outcome: 'REFUSED'; readonly reason: string };
