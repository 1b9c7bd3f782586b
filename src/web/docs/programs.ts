import type { Step } from './example-steps.ts';
import type { Code } from './highlighter.ts';
import { KEY_VARIABLES, keyOf, type OpenApi } from './openapi.ts';
import { WRITERS, type Writer } from './program-writers.ts';
import { callsOf } from './shell-calls.ts';
import { namesUsedIn } from './variables.ts';

/** The languages of examples, by what Markdown calls them, in the order of their tabs. */
export const LANGUAGES = { sh: 'curl', js: 'Node.js', python: 'Python', php: 'PHP', go: 'Go' } as const;

/**
 * Programs that send the example of an operation. Each prints the answer and reads the key from the environment.
 * @param operation such as `POST /v2/coupons/create`.
 */
export function programsFor(document: OpenApi, operation: string, publicUrl: string): readonly Code[] {
  const [method = '', path = ''] = operation.split(' ');
  const described = document.paths[path]?.[method.toLowerCase()];
  if (described === undefined) return [];
  const demanded = (described.parameters ?? []).filter(
    (each) => each.in === 'query' && each.required === true,
  );
  const query = demanded.map(({ name }) => `${name}=…`).join('&');
  const key = keyOf(document, described);
  const body = described.requestBody?.content?.['application/json']?.example;
  return programsOf(
    [{ method, path: query === '' ? path : `${path}?${query}`, body, keeps: null }],
    publicUrl,
    key === null ? null : KEY_VARIABLES[key],
  );
}

/** The same for an example of a guide, in the guides' shell; none if it does more than send requests. */
export function programsForShell(shell: string, publicUrl: string): readonly Code[] {
  const steps = callsOf(shell);
  return steps === null ? [] : programsOf(steps, publicUrl, KEY_VARIABLES.secret);
}

/**
 * A variable of an earlier example is read from the environment. One that no later request refers to is not kept.
 * @param key the variable of the key; null for requests without one.
 */
function programsOf(steps: readonly Step[], publicUrl: string, key: string | null): readonly Code[] {
  const used = steps.map((step) => ('path' in step ? namesUsedIn([step.path, step.body ?? null]) : []));
  const needed = steps.map((step, index): Step => {
    if (!('path' in step) || step.keeps === null) return step;
    const { name } = step.keeps;
    return used.slice(index + 1).some((names) => names.includes(name)) ? step : { ...step, keeps: null };
  });
  return Object.entries(WRITERS).map(([language, writer]) => ({
    language,
    text: written(writer, needed, publicUrl, key),
  }));
}

function written(writer: Writer, steps: readonly Step[], publicUrl: string, key: string | null): string {
  const known = new Set<string>();
  const lines = steps.map((step) => {
    if (!('path' in step)) return writer.wait(step.waitSeconds);
    const line = writer.call(step, (name) =>
      known.has(name) ? writer.local(name) : writer.environment(name),
    );
    if (step.keeps !== null) known.add(step.keeps.name);
    return line;
  });
  return writer.program(lines, publicUrl, key);
}
