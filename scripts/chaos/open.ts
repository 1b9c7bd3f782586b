/** Something that has not ended. */
export interface Open {
  readonly what: string;
  readonly id: string;
  readonly state: string;
}

/** As a report names it. */
export function openText({ what, id, state }: Open): string {
  return `${what} ${id} (${state})`;
}
