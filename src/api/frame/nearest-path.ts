/** A path of the API, with the method that it answers to. */
export interface KnownPath {
  readonly method: string;
  /** With its version, such as `/v2/customers/get`. */
  readonly path: string;
}

/** Longer paths get no suggestion. */
const LONGEST = 100;

/** How many characters of a path may be wrong. */
const MOST_WRONG = 3;

/**
 * The path that a client probably meant: one that differs in a few characters, or the usual operation of the same resource
 * (`GET /v2/customers` lists, `GET /v2/customers/cust_…` gets, `POST /v2/customers` creates).
 * @param known paths of the API. @returns null if none is close.
 */
export function nearestPath(method: string, sent: string, known: readonly KnownPath[]): string | null {
  if (sent.length > LONGEST) return null;
  const wanted = withVersion(sent.toLowerCase().replace(/\/+$/, ''));
  return closest(wanted, method, known) ?? usualOperation(wanted, method, known);
}

/** Every path of v2 is also served without a version. */
function withVersion(path: string): string {
  return /^\/v[12]\//.test(path) ? path : `/v2${path}`;
}

function closest(wanted: string, method: string, known: readonly KnownPath[]): string | null {
  const ranked = known
    .filter(({ path }) => Math.abs(path.length - wanted.length) <= MOST_WRONG)
    .map(({ method: its, path }) => ({
      path,
      wrong: editDistance(wanted, path),
      differs: Number(its !== method),
    }))
    .filter(({ wrong }) => wrong <= MOST_WRONG)
    .sort((one, other) => one.wrong - other.wrong || one.differs - other.differs);
  return ranked[0]?.path ?? null;
}

function usualOperation(wanted: string, method: string, known: readonly KnownPath[]): string | null {
  const [, version, sentResource = '', id] = wanted.split('/');
  const resources = [...new Set(known.map(({ path }) => path.split('/')))].filter(
    (parts) => parts[1] === version,
  );
  const names = [...new Set(resources.map((parts) => parts[2] ?? ''))];
  const [resource] = names
    .map((name) => ({ name, wrong: editDistance(sentResource, name) }))
    .filter(({ name, wrong }) => wrong <= Math.min(2, name.length / 3))
    .sort((one, other) => one.wrong - other.wrong);
  if (resource === undefined) return null;
  const reading = id === undefined ? ['list', 'get'] : ['get', 'list'];
  const operations = method === 'GET' ? reading : ['create', 'send'];
  const paths = operations.map((operation) => `/${version}/${resource.name}/${operation}`);
  return paths.find((path) => known.some((each) => each.path === path)) ?? null;
}

/** How many characters must be inserted, deleted or replaced (Levenshtein). */
function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + Number(one[row - 1] !== other[column - 1]);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}
