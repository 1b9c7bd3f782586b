import { IGNORED_PARAMETERS, type Parameters, withBrackets } from './client-habits.ts';
import { type RuleContext, withBrokenRules } from './draft.ts';
import { ApiError, type Issue, malformed } from './errors.ts';
import { checkText } from './json-body.ts';
import { inOurNames, wrongListParameters } from './list-habits.ts';
import type { Route } from './route.ts';
import { shortened } from './shortened.ts';
import { validated } from './validation.ts';

/**
 * The query and body in the route's form.
 * @throws ApiError VALIDATION_ERROR with every wrong field, and with the business rules that other fields break.
 */
export async function formOf(
  route: Route,
  sent: { readonly query: Parameters; readonly body: unknown },
  context: RuleContext,
): Promise<{ query: unknown; body: unknown }> {
  try {
    return allRight({
      query: () => queryOf(sent.query, route),
      body: () => (route.body === null ? undefined : validated(route.body, sent.body)),
    });
  } catch (error) {
    if (!(error instanceof ApiError) || route.draftRules === null) throw error;
    throw malformed(withBrokenRules(error.allIssues ?? [], await route.draftRules(sent.body, context)));
  }
}

/**
 * Validates all parts of a request.
 * @throws ApiError VALIDATION_ERROR with the problems of all parts.
 */
function allRight<Parts extends Readonly<Record<string, () => unknown>>>(
  parts: Parts,
): { [Part in keyof Parts]: ReturnType<Parts[Part]> } {
  const issues: Issue[] = [];
  const read = Object.entries(parts).map(([name, part]) => {
    try {
      return [name, part()];
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error;
      for (const issue of error.allIssues ?? []) issues.push(issue);
      return [name, undefined];
    }
  });
  if (issues.length > 0) throw malformed(issues);
  return Object.fromEntries(read);
}

function queryOf(parameters: Parameters, route: Route): unknown {
  const sent = withBrackets(route, inOurNames(route, parameters));
  const names = Object.keys(route.query.shape);
  for (const name of names) {
    const value = sent[name];
    // A repeated parameter is refused, because the intended value is unknown.
    if (typeof value === 'string') checkText(value, name);
  }
  for (const [name, value] of Object.entries((sent.metadata as object | undefined) ?? {}))
    if (typeof value === 'string') checkText(`${name}${value}`, 'metadata');
  const { query } = allRight({
    published: () => refuse(wrongListParameters(route, parameters)),
    unknown: () => refuseUnknown(Object.keys(sent), names),
    query: () => validated(route.query, sent),
  });
  return query;
}

/** @throws ApiError VALIDATION_ERROR, because a misspelled filter would return unfiltered results. */
function refuseUnknown(sent: readonly string[], known: readonly string[]): void {
  const unknown = sent.filter((name) => !known.includes(name) && !IGNORED_PARAMETERS.includes(name));
  const right = known.length === 0 ? 'there are none here' : `known are ${known.join(', ')}`;
  const message = `is not a known query parameter; ${right}`;
  refuse(unknown.map((name) => ({ path: shortened(name), message, rule: 'UNKNOWN_FIELD' })));
}

/** @throws ApiError VALIDATION_ERROR if there are any issues. */
function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw malformed([...issues]);
}
