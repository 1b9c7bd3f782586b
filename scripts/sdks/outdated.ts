import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentText, sdkDocument } from './document.ts';
import { goResources } from './go.ts';
import { n8nEvents } from './n8n.ts';
import { pythonResources } from './python.ts';
import { typescriptResources } from './typescript.ts';

/** What makes the files of the SDKs. Checks print it if the API has changed. */
export const MAKE = 'npm run sdks';

const MADE = `Made by \`${MAKE}\`. Do not edit.`;

/** A file in `sdks/` that is made from the API's document without a generator of others. */
export interface MadeFile {
  /** From the folder `sdks`. */
  readonly path: string;
  readonly text: string;
}

/** The document itself, and what this project writes from it. */
export function madeFiles(sdks: string): MadeFile[] {
  const document = sdkDocument();
  return [
    { path: 'openapi.json', text: documentText(document) },
    { path: 'typescript/src/generated/resources.ts', text: typescriptResources(document) },
    {
      path: 'typescript/src/generated/version.ts',
      text: `// ${MADE}\nexport const VERSION = '${versionOf(join(sdks, 'typescript/package.json'))}';\n`,
    },
    { path: 'n8n/nodes/RecebeTrigger/generated/events.ts', text: n8nEvents(document) },
    { path: 'go/resources.gen.go', text: goResources(document) },
    { path: 'python/src/recebe/generated/resources.py', text: pythonResources(document) },
    {
      path: 'python/src/recebe/generated/version.py',
      text: `# ${MADE}\nVERSION = "${versionOf(join(sdks, 'python/pyproject.toml'))}"\n`,
    },
  ];
}

/** The files that are no longer what the API's document makes of them. */
export function outdatedFiles(sdks: string): string[] {
  return madeFiles(sdks)
    .filter(({ path, text }) => {
      const file = join(sdks, path);
      return !existsSync(file) || readFileSync(file, 'utf8') !== text;
    })
    .map(({ path }) => `sdks/${path}`);
}

/** The version of a package, for the `User-Agent` of its requests. */
function versionOf(file: string): string {
  const version = /^\s*"?version"?\s*[:=]\s*"([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} names no version`);
  return version;
}
