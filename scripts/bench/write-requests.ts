import { request } from 'undici';
import { say } from '../embedded/run-and-stop.ts';
import type { ApiDocument, Paths } from './api-document.ts';
import type { Bench } from './bench.ts';
import { largestBody, wrongBodies } from './largest-body.ts';

/** A POST request of a kind, and a name for its body. */
export interface WriteRequest {
  readonly path: string;
  readonly named: 'documented' | 'largest' | 'all wrong';
  readonly body: unknown;
}

/** Moves the clock of the store that all others are measured in; the scenario `clock` measures it. */
const LEFT_OUT = ['/v2/dev/clock/advance'];

/**
 * Bodies of every POST request of the API: the one of the documentation, the largest one, and some in which all is wrong. Ids are those of
 * objects of the store.
 */
export async function apiWrites(bench: Bench, { paths, components }: ApiDocument): Promise<WriteRequest[]> {
  const ids = await idsByPrefix(bench, paths);
  const writes = Object.entries(paths).flatMap(([path, { post }]): WriteRequest[] => {
    const content = post?.requestBody?.content['application/json'];
    if (content === undefined || LEFT_OUT.includes(path)) return [];
    const { schema, example } = content;
    return [
      { path, named: 'documented', body: example ?? {} },
      { path, named: 'largest', body: largestBody(schema, components.schemas) },
      ...wrongBodies(schema, components.schemas).map(
        (body): WriteRequest => ({ path, named: 'all wrong', body }),
      ),
    ];
  });
  return writes.map((write) => ({ ...write, body: withIds(write.body, ids) }));
}

/** The status of the answer. Each `time` is a request of its own, which creates an object of its own. */
export async function sendWrite(
  { api, endpoints }: Bench,
  { path, body }: WriteRequest,
  time: number,
): Promise<number> {
  const answer = await request(`${endpoints.apiUrl}${path}`, {
    method: 'POST',
    headers: { ...api.headers },
    body: JSON.stringify(body, (name, value) => (isUnique(name) ? numbered(value, time) : value)),
  });
  await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
  if (answer.statusCode >= 500) say(`requests: ${path} answers ${answer.statusCode}`);
  return answer.statusCode;
}

function isUnique(name: string): boolean {
  return name === 'externalId' || name === 'code';
}

/** As long as before, with other last characters. */
function numbered(value: unknown, time: number): unknown {
  if (typeof value !== 'string') return value;
  const number = String(time).padStart(6, '0');
  return value.slice(0, Math.max(0, value.length - number.length)) + number;
}

/** The newest object of each list that needs no parameter, by the prefix of its id. */
async function idsByPrefix({ api }: Bench, paths: Paths): Promise<ReadonlyMap<string, string>> {
  const lists = Object.entries(paths)
    .filter(
      ([path, { get }]) =>
        /^\/v2\/.*\/list$/.test(path) && !get?.parameters?.some(({ required }) => required),
    )
    .map(([path]) => path);
  const found = await Promise.all(lists.map((list) => api.firstId(list)));
  return new Map(found.filter((id) => id !== undefined).map((id) => [prefixOf(id), id]));
}

function withIds(body: unknown, ids: ReadonlyMap<string, string>): unknown {
  return JSON.parse(
    JSON.stringify(body, (_, value) =>
      typeof value === 'string' && prefixOf(value) !== '' ? (ids.get(prefixOf(value)) ?? value) : value,
    ),
  );
}

/** Such as `pix_char_`; empty for a text that is no id. */
function prefixOf(id: string): string {
  return /^[a-z_]+_(?=[0-9A-Z]{26}$)/.exec(id)?.[0] ?? '';
}
