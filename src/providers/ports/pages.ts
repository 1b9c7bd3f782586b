/** Includes the first instant, excludes the last one. */
export interface TimeWindow {
  readonly from: Date;
  readonly until: Date;
}

export interface ProviderPage<Item> {
  readonly items: readonly Item[];
  /** The provider's ids of items that could not be parsed, or digests if they have no id. */
  readonly unreadableIds?: readonly string[];
  /** The cursor of the next page; null if this is the last. */
  readonly nextCursor: string | null;
}
