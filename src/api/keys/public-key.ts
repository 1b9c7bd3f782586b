import { ApiError } from '../frame/errors.ts';
import type { ApiContext } from '../frame/state.ts';
import type { Entrance } from './authentication.ts';
import { findCaller, type KeyCaller, keyTextOf, publicKeyTextOf } from './caller.ts';
import { refusalOf } from './usable-key.ts';

/**
 * Finds the caller by public key, for the operations that browsers call. Everybody may know the key, so its requests
 * have limits of their own: nobody can use up the limit of the store's server with it.
 * @throws ApiError UNAUTHORIZED, KEY_EXPIRED, PERMISSION_DENIED for an API key, TOO_MANY_REQUESTS
 */
export async function authenticatedPublic(
  ctx: ApiContext,
  { deps, trafficLimiter, floods }: Entrance,
): Promise<KeyCaller> {
  const now = deps.clock();
  const header = ctx.get('Authorization');
  const seconds = await trafficLimiter.count({ request: ctx.req, ofAddress: 'cardTokensOfAddress' });
  if (seconds !== null) throw tooMany(seconds);
  const text = publicKeyTextOf(header);
  if (text === null) return floods.refuseStranger(ctx, notPublic(header), now);
  const found = await findCaller(deps.database, text);
  if (found === null || !found.isPublic) return floods.refuseStranger(ctx, unknownKey(), now);
  const caller = { ...found, address: trafficLimiter.exactAddressOf(ctx.req) };
  ctx.state.caller = caller;
  const refusal = refusalOf(caller, caller.address, now);
  if (refusal !== null) throw refusal;
  const ofKey = await trafficLimiter.countShared(ctx.req, ['cardTokensOfKey', caller.keyId], {
    always: true,
  });
  if (ofKey !== null) throw tooMany(ofKey);
  return caller;
}

function tooMany(seconds: number): ApiError {
  const headers = { 'Retry-After': String(seconds) };
  return new ApiError(429, 'TOO_MANY_REQUESTS', 'Too many cards; see Retry-After', undefined, headers);
}

function notPublic(header: string): ApiError {
  if (keyTextOf(header) === null) return unknownKey();
  const message =
    'This operation is for browsers: send a public key (pk_…), and keep the API key on your server';
  return new ApiError(403, 'PERMISSION_DENIED', message);
}

function unknownKey(): ApiError {
  const message = 'Authorization: must be "Bearer <public key>", with a key (pk_…) that was not revoked';
  return new ApiError(401, 'UNAUTHORIZED', message, undefined, { 'WWW-Authenticate': 'Bearer' });
}
