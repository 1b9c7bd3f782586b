/** Precedes text that users and operators read: descriptions in the API, errors and output of commands, log lines. */
const SHOWN =
  /(?<![\w$.])(?:(?:description|summary):|new UsageError\(|print\(|defineEvent\()|\.description\(|\blog\.(?:debug|info|warn|error)\(/g;

/** A part of the source, from its first character to the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where the literals of shown texts are in a module, without quotes, inserted values and escaped characters. */
export function shownStrings(source: string): Span[] {
  const spans = [...source.matchAll(SHOWN)].flatMap(({ index, 0: before }) =>
    literalsFrom(source, index + before.length),
  );
  return [...new Map(spans.map((span) => [span.start, span])).values()];
}

/** The literals up to the end of the value or of the call whose arguments start here. */
function literalsFrom(source: string, start: number): Span[] {
  const spans: Span[] = [];
  const isFirstOnly = /(?::|defineEvent\()$/.test(source.slice(0, start).slice(-20));
  let depth = 0;
  let at = start;
  for (; at < source.length && depth >= 0; at += 1) {
    const character = source[at] ?? '';
    if (character === ';' || (character === '\n' && source[at + 1] === '\n')) break;
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (depth === 0 && character === ',' && isFirstOnly) break;
    else if (source.startsWith('//', at)) at = source.indexOf('\n', at);
    else if ('\'"`'.includes(character)) at = readLiteral(source, at, spans);
  }
  return spans;
}

/** Adds the text of the literal that starts at `start`, and returns the position of its last quote. */
function readLiteral(source: string, start: number, spans: Span[]): number {
  const quote = source[start];
  let from = start + 1;
  let at = from;
  const add = (): void => {
    if (at > from) spans.push({ start: from, end: at });
  };
  for (; at < source.length && source[at] !== quote; at += 1) {
    const isInserted = quote === '`' && source.startsWith('${', at);
    if (!isInserted && source[at] !== '\\') continue;
    add();
    at = isInserted ? endOfInserted(source, at + 2) : at + 1;
    from = at + 1;
  }
  add();
  return at;
}

/** The closing bracket of a value inserted into a template, whose own literals are not shown texts. */
function endOfInserted(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '`') at = readLiteral(source, at, []);
    else if (source[at] === '{') depth += 1;
    else if (source[at] === '}' && depth-- === 0) return at;
  }
  return source.length;
}
