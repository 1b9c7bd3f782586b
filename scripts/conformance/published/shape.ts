/** The expected value by a page: a check, a value, or named fields. Other fields may also be present. */
export type Shape =
  | Check
  | string
  | number
  | boolean
  | null
  | readonly Shape[]
  | { readonly [field: string]: Shape };

/** A check of one value, and what it expects, in words. */
export interface Check {
  readonly expects: string;
  accepts(value: unknown): boolean;
}

const check = (expects: string, accepts: Check['accepts']): Check => ({ expects, accepts });

export const text = check('a text', (value) => typeof value === 'string');
export const whole = check('a whole number', Number.isInteger);
export const flag = check('true or false', (value) => typeof value === 'boolean');
export const object = check('an object', (value) => typeof value === 'object' && value !== null);
export const address = check('an address', (value) => typeof value === 'string' && URL.canParse(value));
export const instant = check(
  'an instant in ISO 8601',
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
);
export const startsWith = (prefix: string) =>
  check(`${prefix}…`, (value) => typeof value === 'string' && value.startsWith(prefix));
export const matches = (pattern: RegExp) =>
  check(String(pattern), (value) => typeof value === 'string' && pattern.test(value));
export const oneOf = (...values: readonly unknown[]) =>
  check(`one of ${values.join(', ')}`, (value) => values.includes(value));
export const orNull = (inner: Check) =>
  check(`${inner.expects} or null`, (value) => value === null || inner.accepts(value));
export const absent = check('no such field', (value) => value === undefined);

/** A list in which each element, of which there is at least one, has this shape. */
export const listOf = (each: Shape) =>
  check('a list of such objects, not empty', (value) => {
    return (
      Array.isArray(value) && value.length > 0 && value.every((one) => differences(each, one).length === 0)
    );
  });

/** A list with an element of this shape. */
export const listWith = (wanted: Shape) =>
  check(`a list with ${JSON.stringify(wanted)}`, (value) => {
    return Array.isArray(value) && value.some((one) => differences(wanted, one).length === 0);
  });

function isCheck(shape: Shape): shape is Check {
  return (
    typeof shape === 'object' && shape !== null && 'accepts' in shape && typeof shape.accepts === 'function'
  );
}

/** The differences between a value and the page. Empty if there are none. */
export function differences(shape: Shape, value: unknown, path = ''): string[] {
  const wrong = (expected: string) => [`${path || 'it'} is ${shown(value)} instead of ${expected}`];
  if (isCheck(shape)) return shape.accepts(value) ? [] : wrong(shape.expects);
  if (typeof shape !== 'object' || shape === null) return Object.is(shape, value) ? [] : wrong(shown(shape));
  if (typeof value !== 'object' || value === null) return wrong('an object or list');
  if (Array.isArray(shape) && (!Array.isArray(value) || value.length !== shape.length))
    return wrong(`a list of ${shape.length}`);
  return Object.entries(shape).flatMap(([field, inner]) =>
    differences(inner, (value as Record<string, unknown>)[field], path === '' ? field : `${path}.${field}`),
  );
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
