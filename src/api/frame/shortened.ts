/** Longer than the name of any known field. */
const MAX_NAME_LENGTH = 100;

/** Shortens a name from the request for an error message: it may be as long as the whole body. */
export function shortened(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}
