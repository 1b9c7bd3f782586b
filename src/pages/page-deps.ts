import type { Database } from '../database/orm.ts';
import type { Providers } from '../providers/provider.ts';

/** What the pages are made from. */
export interface PageDeps {
  readonly database: Database;
  readonly providers: Providers;
  /** Business time: what a late boleto costs depends on the day. */
  readonly clock: () => Date;
  /** Where payers reach the pages, without a slash at the end. */
  readonly publicUrl: string;
}
