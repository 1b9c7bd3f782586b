import type { StoreId } from './ids.ts';

/** A store's dev environment, or its production. */
export interface StoreEnvironment {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** The name of an environment. */
export function environmentName({ storeId, devMode }: StoreEnvironment): string {
  return `${storeId}/${devMode ? 'dev' : 'prod'}`;
}
