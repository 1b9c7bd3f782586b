/** Ends with its first task, so it measures the cost of Temporal alone. */
export async function nothing(): Promise<void> {}
