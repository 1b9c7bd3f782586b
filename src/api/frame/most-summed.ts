/** Rows that the sums of a list read at most. Reading more would take longer than the rest of the page; days make the sums exact. */
export const MOST_SUMMED = 5_000;
