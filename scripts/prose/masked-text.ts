import { shownStrings } from './strings.ts';

/** Stands for each character that is not prose. It ends phrases and sentences. */
const CODE = '\u0001';

/**
 * The source of a file with everything but prose replaced, character by character, so that an index of the
 * result is an index of the source. Prose is Markdown without code, the values of a catalog of texts, the comments
 * of YAML, and the comments and shown texts of a module.
 */
export function maskedText(file: string, source: string): string {
  return proseOf(file, source).replace(/`[^`\n]*`|(?<=\])\([^)\s]*\)/g, (code) => 'x'.repeat(code.length));
}

function proseOf(file: string, source: string): string {
  if (file.endsWith('.md')) return markdown(source);
  if (file.endsWith('.json')) return jsonValues(source);
  if (/\.ya?ml$/.test(file)) return yaml(source);
  // Tests contain such literals as examples.
  return file.startsWith('test/') ? comments(source) : withStrings(comments(source), source);
}

function withStrings(prose: string, source: string): string {
  let result = '';
  for (const { start, end } of shownStrings(source).sort((one, other) => one.start - other.start))
    result += prose.slice(result.length, start) + source.slice(start, end);
  return result + prose.slice(result.length);
}

/** A catalog has one text per line. */
function jsonValues(source: string): string {
  const value = /^(?<key>\s*"[^"]*": ")(?<text>.*)(?<end>",?)$/;
  const lines = source.split('\n').map((line) => {
    const { key, text, end } = value.exec(line)?.groups ?? {};
    return key === undefined ? masked(line) : masked(key) + text + masked(end ?? '');
  });
  return lines.join('\n');
}

function yaml(source: string): string {
  const comment = /^(?<code>\s*|.*\s)#(?<text>\s.*)?$/;
  const lines = source.split('\n').map((line) => {
    const { code, text = '' } = comment.exec(line)?.groups ?? {};
    if (code === undefined || isInString(code)) return masked(line);
    return `${code.trim() === '' ? code : masked(code)} ${text}`;
  });
  return lines.join('\n');
}

function markdown(source: string): string {
  return source.replace(/^ *```[\s\S]*?^ *```$/gm, masked);
}

/** Finds comments line by line. The formatter puts each on a line of its own, or at the end of one. */
function comments(source: string): string {
  let isInBlock = false;
  const lines = source.split('\n').map((line) => {
    const starts = !isInBlock && /^\s*\/\*/.test(line);
    if (!starts && !isInBlock) return lineComment(line);
    isInBlock = !line.includes('*/');
    return line.replace(/^\s*\/?\*+(?!\/)/, blank).replace(/\*\/.*$/, masked);
  });
  return lines.join('\n');
}

function lineComment(line: string): string {
  const start = /^\s*\/\/|\s\/\/(?=\s)/.exec(line);
  if (start === null || isInString(line.slice(0, start.index))) return masked(line);
  const end = start.index + start[0].length;
  const code = line.slice(0, start.index);
  return (code.trim() === '' ? code : masked(code)) + blank(start[0]) + line.slice(end);
}

function isInString(before: string): boolean {
  return ["'", '"', '`'].some((quote) => before.split(quote).length % 2 === 0);
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}

/** Line breaks stay, so that lines can be counted. */
function masked(text: string): string {
  return text.replace(/[^\n]/g, CODE);
}
