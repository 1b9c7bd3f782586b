/**
 * What the bank does wrong when it is told to. Each happens `times` times and only to requests that `on` fits, such as
 * `PUT cob` or `GET pix`; without it, to any.
 */
export type Fault =
  /** The request has its effect, and the connection breaks before the answer. */
  | { readonly kind: 'DROP_AFTER_EFFECT' }
  /** The request has its effect, and nothing is answered until the client has given up. */
  | { readonly kind: 'HANG_AFTER_EFFECT' }
  /** Answers so without doing anything, as a gateway does that is busy. */
  | { readonly kind: 'STATUS'; readonly status: number; readonly retryAfterSeconds?: number }
  /** Every token that was given is worth nothing from this request on. */
  | { readonly kind: 'EXPIRE_TOKENS' }
  /** A charge is told with a status that no version of the document knows yet. */
  | { readonly kind: 'STATUS_OF_TOMORROW'; readonly value: string }
  /** A charge is CONCLUIDA and names no payment, as when two systems of a bank are not of one mind. */
  | { readonly kind: 'CONCLUDED_WITHOUT_PIX' }
  /** The charge is paid while it is being removed: the answer says that it is removed. */
  | { readonly kind: 'PAID_WHILE_REMOVED' }
  /** What is ATIVA is not removed, as by a bank that leaves codes to expire. */
  | { readonly kind: 'REFUSE_REMOVAL' }
  /** The refund is taken on, and fails later. */
  | { readonly kind: 'REFUND_FAILS' }
  /** The refund is under way until somebody settles it. */
  | { readonly kind: 'REFUND_HANGS' }
  /** Notifications of what this request causes are not sent. */
  | { readonly kind: 'LOSE_WEBHOOKS' }
  /** They are sent ten times, all at once. */
  | { readonly kind: 'REPEAT_WEBHOOKS' };

export interface Ordered {
  readonly fault: Fault;
  readonly on?: string;
  readonly times?: number;
}

/** Faults that wait for their request, oldest first. */
export class Faults {
  #waiting: { readonly fault: Fault; readonly on: string | null; left: number }[] = [];

  order({ fault, on, times = 1 }: Ordered): void {
    this.#waiting.push({ fault, on: on ?? null, left: times });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Whether a fault of this kind befalls the request now; it has then happened once more. */
  take<Kind extends Fault['kind']>(kind: Kind, request: string): Extract<Fault, { kind: Kind }> | null {
    const found = this.#waiting.find(
      (each) => each.fault.kind === kind && (each.on === null || each.on === request),
    );
    if (found === undefined) return null;
    found.left -= 1;
    this.#waiting = this.#waiting.filter(({ left }) => left > 0);
    return found.fault as Extract<Fault, { kind: Kind }>;
  }
}
