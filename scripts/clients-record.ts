import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECORD = 'conformance/clients/recorded.json';
/** The programs that use the generated clients, the generators' versions, and what runs them. */
const INPUTS = [
  'conformance/clients',
  'scripts/generated-clients.ts',
  'scripts/openapi-generator-clients.ts',
  'scripts/bruno-collection.ts',
];

/** A run in which every client made its charge. */
interface ClientsRecord {
  /** Of everything that the generated clients are made of. */
  readonly inputsSha256: string;
  readonly made: readonly string[];
}

/** The names of the clients that made their charges with exactly this document and these programs; null if no run is recorded. */
export function recordedClients(document: string): readonly string[] | null {
  if (!existsSync(join(ROOT, RECORD))) return null;
  const record: ClientsRecord = JSON.parse(readFileSync(join(ROOT, RECORD), 'utf8'));
  return record.inputsSha256 === inputsSha256(document) ? record.made : null;
}

/** Keeps the result of a run that left nothing out. */
export function recordClients(document: string, made: readonly string[]): void {
  const record: ClientsRecord = { inputsSha256: inputsSha256(document), made };
  writeFileSync(join(ROOT, RECORD), `${JSON.stringify(record, null, 2)}\n`);
}

function inputsSha256(document: string): string {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...INPUTS], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => file !== '' && file !== RECORD);
  const inputs = createHash('sha256').update(document);
  for (const file of files.toSorted())
    inputs.update(`\0${file}\0`).update(readFileSync(join(ROOT, file), 'utf8').replaceAll('\r\n', '\n'));
  return inputs.digest('hex');
}
