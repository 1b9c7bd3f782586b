import type { z } from 'zod';

/** An event as its family defines it. One schema gives its documentation, its type and its payload. */
export interface EventDefinition<Data extends z.ZodType<object> = z.ZodType<object>> {
  /** When the event is sent. */
  readonly summary: string;
  /** The schema of its `data`, with every possible field. */
  readonly data: Data;
  readonly example: z.output<Data>;
}

export function defineEvent<Data extends z.ZodType<object>>(
  summary: string,
  data: Data,
  example: z.output<Data>,
): EventDefinition<Data> {
  return { summary, data, example };
}
