import type { Issue, IssueAnswer } from './issuing.ts';

/** Codes that are paid once, until they expire. */
export interface PixPort extends PixTerms {
  issue(request: IssuePix): Promise<IssueAnswer<IssuedPix>>;
}

export interface PixTerms {
  readonly maxExpirySeconds: number;
  /** Whether a charge must name its payer, with CPF or CNPJ; absent if it need not. */
  readonly namesPayer?: boolean;
}

export interface IssuePix extends Issue {
  /** An integer; a later payer is refused by their bank. */
  readonly expiresInSeconds: number;
  /** The time of the request, from which the expiry counts. */
  readonly now: Date;
}

export interface IssuedPix {
  /** The provider's id of the charge; unique per provider. */
  readonly reference: string;
  readonly brCode: string;
  /** When the provider stops accepting payments; null or absent if it does not say. */
  readonly expiresAt?: Date | null;
}
