import { RecentMap } from './recent-map.ts';

/** More pages than payers open within some minutes. */
const MOST = 10_000;

/** Pages of payers that one process has shown, by their path. */
export class KnownPages extends RecentMap<string, true> {
  constructor() {
    super(MOST);
  }
}
