import type { ApiContext } from '../../../api/frame/state.ts';
import { type Device, readDevice } from '../../../identity/device.ts';
import { findSession, type SignedIn } from '../../../identity/sessions.ts';
import { tokenHashOf } from '../../../identity/token.ts';
import type { DashboardCookies } from './cookies.ts';
import type { DashboardDeps } from './deps.ts';
import { tooManyAttempts } from './too-many-attempts.ts';

/** A request of somebody who may be a stranger. */
interface Client {
  readonly ctx: ApiContext;
  readonly deps: DashboardDeps;
  readonly cookies: DashboardCookies;
  readonly now: Date;
}

/**
 * The owner of the request's session; null without one. Made-up tokens of an address that has sent too many are refused from
 * memory. Sessions that this process has seen, and devices, always pass, so that a stranger at the same address locks nobody out.
 * @throws Refusal 429
 */
export async function sessionOf(
  client: Client,
  place: Parameters<typeof findSession>[2] = { storeId: '', devMode: true },
  isLookedAt = true,
): Promise<SignedIn | null> {
  const { ctx, deps, cookies, now } = client;
  const tokenText = cookies.sessionToken(ctx);
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash === null) return null;
  const isDevice = deviceIn(client) !== null;
  if (!isDevice && !deps.trafficLimiter.knownSessions.has(tokenHash)) refuseStrangers(client);
  const found = await findSession(deps.database, tokenText, place, now, isLookedAt);
  if (found !== null) {
    deps.trafficLimiter.knownSessions.set(tokenHash, found.awaitsCode ? null : found.userId);
    return found;
  }
  deps.trafficLimiter.knownSessions.delete(tokenHash);
  if (!isDevice) await countStranger(client);
  return null;
}

/** The device of the request's cookie, of whichever account; null if there is none. */
export function deviceIn({ ctx, deps, cookies, now }: Client): Device | null {
  return readDevice(deps.secretsKeys, cookies.device(ctx), now);
}

/** Call it before looking up what only its owner knows. @throws Refusal 429, without a query. */
export function refuseStrangers({ ctx, deps }: Pick<Client, 'ctx' | 'deps'>): void {
  const seconds = deps.trafficLimiter.refusedFromMemory(ctx.req, 'strangersOfAddress');
  if (seconds !== null) throw tooManyAttempts(seconds);
}

/** Counts a request with a session or link that does not exist. @throws Refusal 429 after too many. */
export async function countStranger({ ctx, deps }: Pick<Client, 'ctx' | 'deps'>): Promise<void> {
  const seconds = await deps.trafficLimiter.count({ request: ctx.req, ofAddress: 'strangersOfAddress' });
  if (seconds !== null) throw tooManyAttempts(seconds);
}
