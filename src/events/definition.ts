import type { z } from 'zod';

/**
 * An event as its family defines it: what is documented of it, what its type is and what is sent of it are
 * one schema.
 */
export interface EventDefinition<Data extends z.ZodType<object> = z.ZodType<object>> {
  /** When it is sent. */
  readonly summary: string;
  /** Of its `data`; it knows every field that there may be. */
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
