import { RecentMap } from './recent-map.ts';

/** More people than use one process within a day. */
const MOST = 10_000;

/** Sessions that one process has seen, by the hash of their token. */
export class KnownSessions extends RecentMap<string, true> {
  constructor() {
    super(MOST);
  }
}
