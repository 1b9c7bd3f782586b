import type { HttpReader } from './http-reader.ts';
import type { Source, SourcedRow } from './source.ts';

/** How to reach another system. */
export interface HttpSourceOptions {
  readonly key: string;
  /** Default: the address of the system itself. */
  readonly apiUrl?: string | undefined;
  /** Waits between two tries; tests need not. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** A system whose rows are read over HTTP, by a connection that ends with them. */
export function httpSource(
  name: string,
  reader: HttpReader,
  rowsOf: (reader: HttpReader) => AsyncGenerator<SourcedRow>,
): Source {
  return {
    name,
    async *rows() {
      try {
        yield* rowsOf(reader);
      } finally {
        await reader.close();
      }
    },
  };
}
