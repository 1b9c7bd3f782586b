import type { Step } from './example-steps.ts';
import { reference } from './variables.ts';

type Operator = '|' | ')' | '\n';

/** A word of a command, with references to its variables; `name` if it begins `NAME=$(`. */
type Token = { readonly word: string } | { readonly assigns: string } | { readonly operator: Operator };

/** Quoted text, a variable, or plain text. A word is a sequence of them. */
const PART = /'([^']*)'|"([^"]*)"|\$([A-Z_]+)|([^\s'"|()$#][^\s'"|()$]*)/y;

/**
 * The requests of a guide's example, which is written with the functions `post`, `get` and `id` of the guides' first page.
 * @returns null if it has anything else, such as a command that is no request.
 */
export function callsOf(shell: string): readonly Step[] | null {
  const tokens = tokensOf(shell);
  if (tokens === null) return null;
  const steps: Step[] = [];
  for (const statement of statementsOf(tokens)) {
    const step = stepOf(statement);
    if (step === null) return null;
    steps.push(step);
  }
  return steps.length === 0 ? null : steps;
}

function tokensOf(shell: string): Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < shell.length) {
    const rest = shell.slice(at);
    const skipped = /^(?:[ \t]+|\\\n|#.*)+/.exec(rest);
    const assigned = /^([A-Z_]+)=\$\(/.exec(rest);
    const operator = /^[|)\n]/.exec(rest);
    if (skipped !== null) at += skipped[0].length;
    else if (assigned !== null) {
      tokens.push({ assigns: assigned[1] ?? '' });
      at += assigned[0].length;
    } else if (operator !== null) {
      // A pipe continues on the next line.
      const continues = operator[0] === '|' ? /^\|\s*/.exec(rest) : operator;
      tokens.push({ operator: operator[0] as Operator });
      at += continues?.[0].length ?? 1;
    } else {
      const [word, end] = wordAt(shell, at);
      if (end === at) return null;
      tokens.push({ word });
      at = end;
    }
  }
  return tokens;
}

function wordAt(shell: string, start: number): readonly [word: string, end: number] {
  let word = '';
  let end = start;
  PART.lastIndex = start;
  for (let part = PART.exec(shell); part !== null; part = PART.exec(shell)) {
    const [, single, double, variable, plain] = part;
    word +=
      variable === undefined
        ? (single ?? plain ?? (double ?? '').replace(/\$([A-Z_]+)/g, (_, name: string) => reference(name)))
        : reference(variable);
    end = PART.lastIndex;
  }
  return [word, end];
}

function statementsOf(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]];
  for (const token of tokens) {
    if ('operator' in token && token.operator === '\n') statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

/** `NAME=$(post path body | id)`, or parts of it. */
function stepOf(statement: readonly Token[]): Step | null {
  const [first] = statement;
  const assigns = first !== undefined && 'assigns' in first ? first.assigns : null;
  const inner = assigns === null ? statement : statement.slice(1, -1);
  const pipe = inner.findIndex((token) => 'operator' in token && token.operator === '|');
  const command = wordsOf(pipe === -1 ? inner : inner.slice(0, pipe));
  const filter = pipe === -1 ? [] : wordsOf(inner.slice(pipe + 1));
  const [verb, target = '', body, ...more] = command ?? [];
  if (filter === null || more.length > 0) return null;
  if (verb === 'sleep' && /^\d+$/.test(target)) return { waitSeconds: Number(target) };
  if (verb !== 'post' && verb !== 'get') return null;
  const field = fieldOf(filter);
  const sent = body === undefined ? { json: undefined } : parsed(body);
  if (sent === null || (filter.length > 0 && field === null) || (assigns !== null && field === null))
    return null;
  const keeps = assigns === null || field === null ? null : { name: assigns, field };
  return { method: verb === 'post' ? 'POST' : 'GET', path: `/v2/${target}`, body: sent.json, keeps };
}

function wordsOf(tokens: readonly Token[]): string[] | null {
  const words = tokens.map((token) => ('word' in token ? token.word : null));
  return words.every((word) => word !== null) ? words : null;
}

/** What `id`, or `node -p 'JSON.parse(…).data.field'`, takes from a response. */
function fieldOf([command, flag, script = '']: readonly string[]): readonly (string | number)[] | null {
  if (command === 'id' && flag === undefined) return ['data', 'id'];
  const [, path] =
    /^JSON\.parse\(require\("fs"\)\.readFileSync\(0\)\)((?:\.\w+|\[\d+\])+)$/.exec(script) ?? [];
  if (command !== 'node' || flag !== '-p' || path === undefined) return null;
  return [...path.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

function parsed(text: string): { readonly json: unknown } | null {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return null;
  }
}
