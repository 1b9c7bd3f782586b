import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';

/** Names of types as the Temporal command line has them, and their numbers in temporal.api.enums.v1. */
const TYPES = {
  TEXT: { flag: 'Text', number: 1 },
  KEYWORD: { flag: 'Keyword', number: 2 },
  INT: { flag: 'Int', number: 3 },
  DOUBLE: { flag: 'Double', number: 4 },
  BOOL: { flag: 'Bool', number: 5 },
  DATETIME: { flag: 'Datetime', number: 6 },
  KEYWORD_LIST: { flag: 'KeywordList', number: 7 },
};

/** Every search attribute that workflows set, as `NAME=TYPE` for the Temporal command line. */
export const SEARCH_ATTRIBUTE_FLAGS = Object.values(searchAttribute).map(
  ({ name, type }) => `${name}=${TYPES[type].flag}`,
);

/** Servers read new attributes from a cache; the slowest we know refreshes it every minute. */
const VISIBLE_TIMEOUT_MS = 90_000;

/** What is needed of a connection: those of clients and of workers both have it. */
type Operator = Pick<Connection, 'operatorService'>;

/**
 * Registers the search attributes that a namespace does not have yet, and waits until the server lists them.
 * @throws Error when the server does not allow it (Temporal Cloud: register them in its own console).
 */
export async function registerSearchAttributes(connection: Operator, namespace = 'default'): Promise<void> {
  const missing = await missingAttributes(connection, namespace);
  if (missing.length === 0) return;
  await addSearchAttributes(connection, namespace, missing);
  const deadlineMs = performance.now() + VISIBLE_TIMEOUT_MS;
  while ((await missingAttributes(connection, namespace)).length > 0) {
    if (performance.now() > deadlineMs)
      throw new Error('the search attributes were registered but do not appear');
    await sleep(100);
  }
}

/**
 * Registers search attributes on a server that has none of them, such as the test server, which cannot list
 * them.
 */
export async function addSearchAttributes(
  connection: Operator,
  namespace = 'default',
  keys: readonly SearchAttributeKey[] = Object.values(searchAttribute),
): Promise<void> {
  const searchAttributes = Object.fromEntries(keys.map(({ name, type }) => [name, TYPES[type].number]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}

type SearchAttributeKey = (typeof searchAttribute)[keyof typeof searchAttribute];

async function missingAttributes(connection: Operator, namespace: string): Promise<SearchAttributeKey[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.values(searchAttribute).filter(({ name }) => !(name in (customAttributes ?? {})));
}
