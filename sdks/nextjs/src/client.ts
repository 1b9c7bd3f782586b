import { Recebe } from '@recebe/sdk';

/** The service: a client, or its address and key. */
export interface RecebeSource {
  /** A client that you use elsewhere too. */
  readonly client?: Recebe;
  /** A key of your store. Default: the environment variable `RECEBE_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Where the service runs. Default: the environment variable `RECEBE_API_URL`. */
  readonly baseUrl?: string | undefined;
}

/** A function that makes the client at its first call: `next build` loads routes without their environment. */
export function clientOf({ client, apiKey, baseUrl }: RecebeSource): () => Recebe {
  let made = client;
  return () => {
    made ??= new Recebe({
      apiKey: apiKey ?? process.env.RECEBE_API_KEY ?? '',
      baseUrl: baseUrl ?? process.env.RECEBE_API_URL ?? '',
    });
    return made;
  };
}
