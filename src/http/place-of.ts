/**
 * One name for all spellings of a path, which routes take for the same: in any case, with a slash at the end, and percent-encoded.
 * Otherwise one page could fill a memory of pages with its spellings.
 */
export function placeOf(path: string): string {
  return decoded(path).toLowerCase().replace(/\/$/, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
