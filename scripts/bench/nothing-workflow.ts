/** Ends with its first task: what Temporal costs before anybody does anything. */
export async function nothing(): Promise<void> {}
