import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** One error of Banco Central's document that makes it refuse valid messages, and its correction. */
interface Correction {
  /** A JSON pointer (RFC 6901) into the document. Without it, the correction applies to every place with the value `from`. */
  readonly at?: string;
  readonly from?: unknown;
  /** The new value. Without it, the place is removed. */
  readonly to?: unknown;
  readonly reason: string;
}

/**
 * Writes Banco Central's document with the corrections of `conformance/overlay.json` to `file`.
 * @throws Error naming a correction that no longer applies, for example after a new version of the document.
 */
export function writeCorrectedDocument(spec: string, conformance: string, file: string): number {
  const { parse } = createRequire(`${conformance}/package.json`)('yaml') as { parse(text: string): unknown };
  const document = parse(readFileSync(spec, 'utf8'));
  const corrections = JSON.parse(readFileSync(`${conformance}/overlay.json`, 'utf8')) as Correction[];
  for (const correction of corrections) {
    if (correct(document, correction) === 0)
      throw new Error(`overlay.json corrects what is not there: ${correction.reason}`);
  }
  writeFileSync(file, JSON.stringify(document));
  return corrections.length;
}

function correct(document: unknown, { at, from, to }: Correction): number {
  if (at === undefined) return replaceAll(document, JSON.stringify(from), to);
  const parts = at
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = parts.pop() ?? '';
  const parent = parts.reduce<unknown>(
    (node, part) => (node as Record<string, unknown> | undefined)?.[part],
    document,
  );
  if (typeof parent !== 'object' || parent === null || (to === undefined && !(last in parent))) return 0;
  const place = parent as Record<string, unknown>;
  if (to === undefined) delete place[last];
  else place[last] = to;
  return 1;
}

function replaceAll(node: unknown, from: string, to: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  let replaced = 0;
  for (const [name, value] of Object.entries(node)) {
    if (JSON.stringify(value) === from) {
      (node as Record<string, unknown>)[name] = to;
      replaced += 1;
    } else replaced += replaceAll(value, from, to);
  }
  return replaced;
}
