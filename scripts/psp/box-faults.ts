import { z } from 'zod';

const fault = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(kind), ...shape });

/** What the box does wrong, by the words of the bank in a box (`scripts/psp/faults/kinds.ts`). */
const faultSchema = z.discriminatedUnion('kind', [
  /** Answers later. */
  fault('DELAY', { ms: z.int().min(0).max(600_000) }),
  /** Breaks the connection before the request has any effect. */
  fault('DROP_BEFORE_EFFECT', {}),
  /** Carries the request out, and breaks the connection before the answer. */
  fault('DROP_AFTER_EFFECT', {}),
  /** Reads the request, does nothing, and never answers. */
  fault('HANG_BEFORE_EFFECT', {}),
  /** Carries the request out, and never answers. */
  fault('HANG_AFTER_EFFECT', {}),
  /** Answers with a status, and does nothing, as a busy gateway does. */
  fault('STATUS', { status: z.int().min(400).max(599), retryAfterSeconds: z.int().min(0).optional() }),
  /** Lists omit objects that were created less than this long ago. */
  fault('LISTINGS_LAG', { seconds: z.number().min(0).max(86_400) }),
  /** Loses, repeats or delays notifications. These faults belong to `webhook`. */
  fault('LOSE_WEBHOOKS', {}),
  fault('REPEAT_WEBHOOKS', { copies: z.int().min(2).max(20) }),
  fault('REORDER_WEBHOOKS', {}),
]);

/** One rule of a plan. `on` starts the request's line, such as `POST /v3/payments`, or is `webhook`. */
const ruleSchema = z.strictObject({
  on: z.string().min(1),
  fault: faultSchema,
  /** How often it strikes; until `POST /faults/clear` if absent. */
  times: z.int().min(1).optional(),
  /** The part of requests that it strikes, from 0 to 1. */
  part: z.number().gt(0).max(1).default(1),
});

export type Fault = z.output<typeof faultSchema>;
export type FaultRule = z.input<typeof ruleSchema>;

/** The fault plan. Chances are drawn from a seed, so that a run can be repeated. */
export class Faults {
  #rules: { rule: z.output<typeof ruleSchema>; left: number }[] = [];
  #seed: number;
  /** How often each fault has struck, by its kind and what it stands on. */
  readonly happened = new Map<string, number>();

  constructor(seed = 1) {
    this.#seed = seed;
  }

  /** @throws ZodError naming the wrong fields of a rule. */
  order(given: unknown): void {
    const rule = ruleSchema.parse(given);
    this.#rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The first fault of one of these kinds that strikes this operation, or null. */
  take<Kind extends Fault['kind']>(
    on: string,
    kinds: readonly Kind[],
  ): Extract<Fault, { kind: Kind }> | null {
    const struck = this.#rules.find(
      ({ rule, left }) =>
        left > 0 &&
        on.startsWith(rule.on) &&
        kinds.includes(rule.fault.kind as Kind) &&
        this.#draws(rule.part),
    );
    if (struck === undefined) return null;
    struck.left -= 1;
    const name = `${struck.rule.fault.kind} ${struck.rule.on}`;
    this.happened.set(name, (this.happened.get(name) ?? 0) + 1);
    return struck.rule.fault as Extract<Fault, { kind: Kind }>;
  }

  /** A linear congruential generator (Numerical Recipes): any fixed sequence does. */
  #draws(part: number): boolean {
    if (part === 1) return true;
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#seed / 2 ** 32 < part;
  }
}
