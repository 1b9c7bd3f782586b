/** What is told of a kind to an operator, who may never have seen Temporal. Each is one or two sentences. */
interface AttentionWords {
  readonly what: string;
  readonly why: string;
  /** What can be done, step by step; a command is written as it is typed. */
  readonly remedy: string;
}

/**
 * What the service cannot end by itself. A kind is added by an entry here: the names are kept in the table
 * `attention` and are never renamed.
 */
export const ATTENTION = {
  /** The subject is the payment. */
  RETURN_REFUSED: {
    what: 'A payment that could not be accepted is still with the provider, which refused to send it back.',
    why:
      'It was a second payment, too late, or too little. The store must not have it, and its payer does not ' +
      'have it yet: it is in the suspense account of the ledger.',
    remedy:
      'Return the money to its payer at the provider or by bank transfer, then write that down with ' +
      '"npm run cli -- attention resolve <id>".',
  },
} as const satisfies Readonly<Record<string, AttentionWords>>;

export type AttentionKind = keyof typeof ATTENTION;
