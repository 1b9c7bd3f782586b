/** Where a text stops being JSON. Lines and columns count from 1, columns in characters as editors show them. */
export interface JsonPosition {
  readonly line: number;
  readonly column: number;
}

const BLANKS = /[ \t\n\r]*/y;
/** Any character from the blank on, except quote and backslash; or an escape. */
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
/** As much of a string as is right: what follows is where it is wrong. */
const STRING_START = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * The position of the first character at which a text cannot become JSON any more, or the end of the text if something is missing
 * there. `JSON.parse` only sometimes says. Without recursion, so deep nesting cannot exhaust the stack.
 * @param text must not be JSON.
 */
export function jsonErrorPosition(text: string): JsonPosition {
  return positionOf(text, errorIndex(text));
}

/** What may come next. */
type Expects = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing';

function errorIndex(text: string): number {
  const open: ('{' | '[')[] = [];
  let expects: Expects = 'value';
  let index = 0;
  for (;;) {
    index = endOf(BLANKS, text, index) ?? index;
    const char = text[index];
    if (char === undefined) return index;
    const next: Expects | null = step(char);
    if (next === null) return index;
    expects = next;
  }

  /** Reads what starts with `char`. @returns what may follow; null if it is wrong, `index` is then where. */
  function step(char: string): Expects | null {
    if (expects === 'nothing') return null;
    if (expects === ':') return char === ':' ? read(1, 'value') : null;
    if (expects === ', or end') {
      if (char === ',') return read(1, open.at(-1) === '{' ? 'key' : 'value');
      return close(char);
    }
    if (expects === 'key' || expects === 'key or }') {
      if (char === '"') return string(':');
      return expects === 'key or }' ? close(char) : null;
    }
    if (char === '{' || char === '[') {
      open.push(char);
      return read(1, char === '{' ? 'key or }' : 'value or ]');
    }
    if (char === '"') return string(afterValue());
    if (expects === 'value or ]' && char === ']') return close(char);
    const end = endOf(LITERAL, text, index);
    return end === null ? null : read(end - index, afterValue());
  }

  function close(char: string): Expects | null {
    if (char !== (open.at(-1) === '{' ? '}' : ']')) return null;
    open.pop();
    return read(1, afterValue());
  }

  function string(next: Expects): Expects | null {
    const end = endOf(STRING, text, index);
    if (end !== null) return read(end - index, next);
    index = endOf(STRING_START, text, index) ?? index;
    return null;
  }

  function read(length: number, next: Expects): Expects {
    index += length;
    return next;
  }

  function afterValue(): Expects {
    return open.length === 0 ? 'nothing' : ', or end';
  }
}

function endOf(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function positionOf(text: string, index: number): JsonPosition {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return { line, column: [...before.slice(lineStart)].length + 1 };
}
