import type { Em } from '../../database/orm.ts';
import type { Caller } from '../keys/caller.ts';
import type { ApiError, Issue } from './errors.ts';

/** What business rules are checked with. */
export interface RuleContext {
  readonly em: Em;
  readonly key: Caller;
  /** The store's time. */
  readonly now: Date;
}

/**
 * Checks the business rules that the readable fields of a body break, although other fields have the wrong form. The body is as it was
 * sent, so any of its values may be anything.
 */
export type DraftRules = (body: unknown, context: RuleContext) => Promise<readonly ApiError[]>;

/** The value at a path of field names; undefined if there is none. */
export function valueIn(body: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
        ? (inside as Record<string, unknown>)[name]
        : undefined,
    body,
  );
}

/** The text at a path; null if it is empty or not a text. */
export function textIn(body: unknown, ...path: readonly string[]): string | null {
  const value = valueIn(body, ...path);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The list at a path, with at most `most` items, as requests with more are refused for that. */
export function listIn(body: unknown, most: number, ...path: readonly string[]): readonly unknown[] {
  const value = valueIn(body, ...path);
  return Array.isArray(value) ? value.slice(0, most) : [];
}

/** Adds broken rules to wrong fields, except for fields that are wrong already. */
export function withBrokenRules(issues: readonly Issue[], broken: readonly ApiError[]): Issue[] {
  const wrong = new Set(issues.map(({ path }) => path));
  const more = broken.flatMap(({ allIssues }) => allIssues ?? []);
  return [...issues, ...more.filter(({ path }) => !wrong.has(path))];
}
