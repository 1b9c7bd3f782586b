import type { StoreId } from '../../../domain/ids.ts';

/** A store and one of its environments, as in the URL of each page of the dashboard. */
export interface Place {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** The URL of a page. @param path relative to store and environment, such as `/webhooks`. */
export function linkTo({ storeId, devMode }: Place, path: string): string {
  return `/dashboard/${storeId}/${devMode ? 'dev' : 'prod'}${path === '/' ? '' : path}`;
}
