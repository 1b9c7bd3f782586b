import { type KeyKind, keyOf, type OpenApi, type Operation, type Parameter } from './openapi.ts';

/** What a form needs to send an operation. */
export interface Trial {
  readonly method: string;
  readonly path: string;
  /** Null for an operation without a key. */
  readonly key: KeyKind | null;
  readonly queries: readonly TrialQuery[];
  /** JSON to begin with; null for an operation without a body. */
  readonly body: string | null;
}

export interface TrialQuery {
  readonly name: string;
  readonly isRequired: boolean;
  /** What the form begins with. */
  readonly value: string;
}

/** @param operation such as `POST /v2/coupons/create`. @returns null if the document does not have it. */
export function trialOf(document: OpenApi, operation: string): Trial | null {
  const [method = '', path = ''] = operation.split(' ');
  const described = document.paths[path]?.[method.toLowerCase()];
  if (described === undefined) return null;
  const key = keyOf(document, described);
  return { method, path, key, queries: queriesOf(described, path), body: bodyOf(described) };
}

/** An object, such as `metadata`, has no single field and is left out. */
function queriesOf({ parameters = [] }: Operation, path: string): TrialQuery[] {
  return parameters
    .filter(({ in: place, schema }) => place === 'query' && schema.type !== 'object')
    .map((parameter) => ({
      name: parameter.name,
      isRequired: parameter.required === true,
      value: isFilled(parameter, path) ? String(parameter.schema.example ?? '') : '',
    }));
}

/** Optional parameters are filters, except for the id of what is read. */
function isFilled({ name, required }: Parameter, path: string): boolean {
  return required === true || (name === 'id' && path.endsWith('/get'));
}

function bodyOf({ requestBody }: Operation): string | null {
  const media = requestBody?.content?.['application/json'];
  return media === undefined ? null : JSON.stringify(media.example ?? {}, null, 2);
}
