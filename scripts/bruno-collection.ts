import { copyFileSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNode } from './conformance/install.ts';
import { say } from './embedded/run-and-stop.ts';

const FOLDER = fileURLToPath(new URL('../conformance/bruno', import.meta.url));

/** What the API's document says of an operation, as far as it decides whether it can be sent as it is imported. */
interface Operation {
  readonly parameters?: readonly { readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** An id of ours, in an example: it names something that the reader has to make first. */
const ID = /"[a-z_]+_[0-9A-Z]{26}"/;

/** What is refused in an empty store although it names no id of ours, and why. */
const NOT_ALONE: Readonly<Record<string, string>> = {
  '/v2/card-tokens/create': 'is called by browsers, with a public key',
  '/v2/payouts/create': 'there is no money to send',
  '/v2/pix/send': 'there is no money to send',
  '/v1/withdraw/create': 'there is no money to send',
  '/v2/payouts/get': 'needs one of two ids',
  '/v2/pix/get': 'needs one of two ids',
  '/v2/products/get': 'needs one of two ids',
  '/v2/subscriptions/get': 'needs one of three ids',
  '/v2/subscriptions/checkouts/get': 'needs one of three ids',
  '/v1/billing/create': 'names a coupon',
  '/v1/coupon/create': 'its code is that of the coupon of v2',
};

interface Where {
  readonly documentFile: string;
  /** An empty folder. */
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly run: (what: string, command: string, args: string[], cwd: string) => Promise<void>;
}

/**
 * Imports the API's document into Bruno, as people do, and sends every request of the collection that needs nothing made
 * before: the lists and figures, and what is created from its example alone. @throws Error where one is not answered with 2xx.
 */
export async function sendCollection({ documentFile, folder, url, key, run }: Where): Promise<void> {
  installNode(FOLDER);
  const bru = join(FOLDER, 'node_modules', '.bin', 'bru');
  const source = join(folder, 'openapi.json');
  copyFileSync(documentFile, source);
  const importing = ['import', 'openapi', '--source', source, '--output', folder];
  await run(
    'Bruno imports the document',
    bru,
    [...importing, '-n', 'Recebe', '--collection-format', 'bru'],
    folder,
  );
  const collection = join(folder, 'Recebe');
  const document = JSON.parse(readFileSync(source, 'utf8')) as Document;
  const files = globSync('*/*.bru', { cwd: collection }).filter((file) =>
    standsAlone(document, readFileSync(join(collection, file), 'utf8')),
  );
  const report = join(folder, 'report.json');
  const sending = ['run', ...files, '--env-var', `baseUrl=${url}`, '--env-var', `token=${key}`];
  await run('Bruno sends its requests', bru, [...sending, '--reporter-json', report], collection);
  requireAnswers(report, files.length);
}

/** Whether a request of the collection can be sent as it is. */
function standsAlone({ paths }: Document, request: string): boolean {
  const [, method = '', path = ''] =
    /^(get|post|put|patch|delete) \{\n {2}url: \{\{baseUrl\}\}(\S+)/m.exec(request) ?? [];
  const operation = paths[path]?.[method];
  if (operation === undefined || path in NOT_ALONE) return false;
  const { parameters = [], requestBody, responses } = operation;
  const isStream = Object.keys(responses['200']?.content ?? {}).includes('text/event-stream');
  const body = requestBody?.content['application/json']?.example;
  const isMade = method === 'get' || body !== undefined;
  return (
    isMade &&
    !isStream &&
    !parameters.some(({ required }) => required) &&
    !ID.test(JSON.stringify(body ?? {}))
  );
}

interface Report {
  readonly results: readonly {
    readonly name: string;
    readonly response: { readonly status: number | string; readonly data: unknown };
  }[];
}

function requireAnswers(reportFile: string, count: number): void {
  const results = (JSON.parse(readFileSync(reportFile, 'utf8')) as Report[]).flatMap((part) => part.results);
  const refused = results.filter(
    ({ response: { status } }) => !(Number(status) >= 200 && Number(status) < 300),
  );
  for (const { name, response } of refused)
    say(`${name}: ${response.status} ${JSON.stringify(response.data)}`);
  if (refused.length > 0 || results.length < count || count === 0)
    throw new Error(
      `${results.length} of ${count} requests of the collection were sent, ${refused.length} were refused`,
    );
  say(`Bruno: ${count} requests of the collection were answered.`);
}
