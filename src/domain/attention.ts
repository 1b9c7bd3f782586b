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
  /** The subject is the environment, `dev` or `prod`. */
  NO_PROVIDER: {
    what: 'There are charges or payouts of this environment, and a worker has no payment provider for it.',
    why:
      'Whatever this worker is given to do with a provider fails and is tried again, for as long as the ' +
      "provider's settings are missing.",
    remedy:
      'Give every worker the settings that the APIs have, start them again, and resolve this with ' +
      '"npm run cli -- attention resolve <id>". It is listed anew should a worker still lack them.',
  },
} as const satisfies Readonly<Record<string, AttentionWords>>;

export type AttentionKind = keyof typeof ATTENTION;
