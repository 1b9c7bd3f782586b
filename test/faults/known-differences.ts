/** Rows whose books differ still, by title, and why. Each is a defect to mend: the aim is none. */
export const KNOWN_DIFFERENCES: ReadonlyMap<string, string> = new Map();
