/** Longer than the name of any field there is. */
const MAX_NAME_LENGTH = 100;

/** A name that came with the request, as an error repeats it: a name may be as long as the whole body. */
export function shortened(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}
