import type { StoreId } from '../domain/ids.ts';

/** A store in one environment, whose settings are read or changed. */
export interface Owner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}
