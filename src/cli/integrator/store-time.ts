import { type Api, ApiFailure } from './api.ts';

/**
 * The time by which a store dates what happens: in dev mode that of its clock, which may have been moved.
 * @param tell is told where the key may not read the clock: then it is real time.
 * @throws ApiFailure
 */
export async function storeTimeOver(api: Api, print: (text: string) => void): Promise<Date> {
  if (!api.isDevMode) return new Date();
  try {
    const { now } = await api.get<{ readonly now: string }>('dev/clock');
    return new Date(now);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'PERMISSION_DENIED') throw error;
    print('The key lacks STORE:READ, so real time is used: a clock that was moved is not minded.');
    return new Date();
  }
}
