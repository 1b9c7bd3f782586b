import type { Icon } from '../../frame/icons.ts';

/** One result of a search: a page of this store and environment. */
export interface Found {
  readonly path: `/${string}`;
  readonly icon: Icon;
  readonly text: string;
  /** What distinguishes it from others of the same name. */
  readonly detail?: string;
}
