import { type Api, ApiFailure } from './api.ts';

/**
 * The time by which a store dates its events: in dev mode its clock, which may have been advanced.
 * @param print called if the key may not read the clock; the result is then real time.
 * @throws ApiFailure
 */
export async function storeTimeOver(api: Api, print: (text: string) => void): Promise<Date> {
  if (!api.isDevMode) return new Date();
  try {
    const { now } = await api.get<{ readonly now: string }>('dev/clock');
    return new Date(now);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'PERMISSION_DENIED') throw error;
    print("The key lacks STORE:READ, so real time is used, even if the store's clock was advanced.");
    return new Date();
  }
}
