import type { z } from 'zod';
import { type Issue, malformed } from './errors.ts';
import type { FormRule } from './rules.ts';
import { shortened } from './shortened.ts';

/** @throws ApiError VALIDATION_ERROR that lists every invalid field with its correct form. */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: messageOf });
  if (result.success) return result.data;
  throw malformed(result.error.issues.flatMap((issue) => issuesOf(issue, value)));
}

function issuesOf(issue: z.core.$ZodIssue, value: unknown): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: pathOf([...issue.path, key]),
      message: 'is not a known field',
      rule: 'UNKNOWN_FIELD',
    }));
  }
  const isMissing = issue.path.length > 0 && valueAt(value, issue.path) === undefined;
  const rule = isMissing ? 'REQUIRED' : (RULE_OF_CODE[issue.code] ?? 'WRONG_VALUE');
  return [{ path: pathOf(issue.path) || 'body', message: issue.message, rule }];
}

const RULE_OF_CODE: Readonly<Partial<Record<z.core.$ZodIssue['code'], FormRule>>> = {
  invalid_type: 'WRONG_TYPE',
  invalid_format: 'WRONG_FORMAT',
  too_small: 'TOO_SMALL',
  too_big: 'TOO_LARGE',
};

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, key) => (inside as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
}

/** Formats `['items', 0, 'id']` as `items[0].id`. */
function pathOf(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += `${text === '' ? '' : '.'}${shortened(String(part))}`;
  }
  return text;
}

/** The correct form, for schemas without a message of their own. */
export function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_union':
      return unionMessage(issue);
    default:
      return undefined;
  }
}

function unionMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string | undefined {
  const wanted = issue.errors?.at(-1)?.[0];
  // For nullable schemas, the second alternative is the useful one.
  if (wanted?.code === 'invalid_type' && wanted.path.length === 0) {
    return `must be ${TYPES[wanted.expected] ?? `a ${wanted.expected}`}`;
  }
  if (!('options' in issue) || !Array.isArray(issue.options))
    return issue.input === undefined ? 'is required' : undefined;
  return `must be one of ${issue.options.filter((option) => option !== undefined).join(', ')}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function bound(origin: string, relation: string, limit: number | bigint): string {
  const plural = Number(limit) === 1 ? '' : 's';
  if (origin === 'string') return `have ${relation} ${limit} character${plural}`;
  if (origin === 'array' || origin === 'set') return `have ${relation} ${limit} item${plural}`;
  return `be ${relation} ${limit}`;
}
