import { isChosen } from './faults/chance.ts';
import { type Fault, type FaultDetails, type FaultKind, FITS } from './faults/kinds.ts';
import type { Operation } from './faults/operations.ts';
import { type Rule, readPlan, readRule } from './faults/plan.ts';

export type { Fault } from './faults/kinds.ts';
export type { FaultPlan } from './faults/plan.ts';

/** A rule of a plan, as it is ordered ({@link readRule}). */
export interface Ordered {
  readonly fault: Fault;
  readonly on?: string | readonly string[];
  readonly times?: number | 'ALWAYS';
  readonly skip?: number;
  readonly chance?: number;
  readonly forSeconds?: number;
}

interface Waiting {
  readonly rule: Rule;
  readonly operations: readonly Operation[];
  readonly endsAtMs: number;
  /** Distinguishes the rules of one plan when chances are drawn. */
  readonly number: number;
  left: number;
  seen: number;
}

/** Faults that wait for an operation they fit, oldest first. Every chance is drawn from one seed. */
export class Faults {
  readonly #nowMs: () => number;
  #seed = 1;
  #waiting: Waiting[] = [];
  #ordered = 0;
  readonly #happened = new Map<string, number>();

  /** @param nowMs the bank's clock, which `forSeconds` is measured by. */
  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
  }

  /** @throws FaultPlanError naming every wrong field. */
  order(ordered: Ordered): void {
    this.#add(readRule(ordered));
  }

  /** Replaces everything that was ordered. @throws FaultPlanError naming every wrong field; nothing changes then. */
  follow(plan: unknown): void {
    const { seed, rules } = readPlan(plan);
    this.clear();
    this.#seed = seed;
    this.#ordered = 0;
    for (const rule of rules) this.#add(rule);
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The faults that wait, and how often each fault has happened, by kind and operation. */
  report() {
    return {
      seed: this.#seed,
      waiting: this.#waiting.map(({ rule, left }) => ({
        ...rule,
        left: Number.isFinite(left) ? left : 'ALWAYS',
      })),
      happened: Object.fromEntries(this.#happened),
    };
  }

  /** Whether a fault of this kind happens to the operation now; it then counts as having happened once more. */
  take<Kind extends FaultKind>(kind: Kind, operation: string): Extract<FaultDetails, { kind: Kind }> | null {
    const nowMs = this.#nowMs();
    this.#waiting = this.#waiting.filter(({ endsAtMs }) => endsAtMs > nowMs);
    for (const each of this.#waiting) {
      if (each.rule.fault.kind !== kind || !each.operations.some((name) => name === operation)) continue;
      each.seen += 1;
      if (each.seen <= each.rule.skip) continue;
      if (!isChosen(each.rule.chance, this.#seed, each.number, each.seen)) continue;
      each.left -= 1;
      this.#waiting = this.#waiting.filter(({ left }) => left > 0);
      const name = `${kind} ${operation}`;
      this.#happened.set(name, (this.#happened.get(name) ?? 0) + 1);
      return each.rule.fault as Extract<FaultDetails, { kind: Kind }>;
    }
    return null;
  }

  /** Whether an item belongs to a part of a list. Each answer leaves other items out, as often as it is drawn. */
  isAmong(part: number, item: string): boolean {
    const drawn = [...this.#happened.values()].reduce((sum, count) => sum + count, 0);
    return isChosen(part, this.#seed, drawn, item);
  }

  #add(rule: Rule): void {
    const { fault, on = FITS[fault.kind], forSeconds } = rule;
    const times = rule.times ?? (forSeconds === undefined ? 1 : 'ALWAYS');
    this.#ordered += 1;
    this.#waiting.push({
      rule,
      operations: [on].flat(),
      endsAtMs: forSeconds === undefined ? Number.POSITIVE_INFINITY : this.#nowMs() + forSeconds * 1_000,
      number: this.#ordered,
      left: times === 'ALWAYS' ? Number.POSITIVE_INFINITY : times,
      seen: 0,
    });
  }
}
