import type { KeyActor } from '../../domain/audit-actor.ts';
import type { StoreEnvironment } from '../../domain/store-environment.ts';
import type { TrafficLimiter } from '../../http/traffic-limiter.ts';
import type { AppDeps } from '../frame/deps.ts';
import { ApiError } from '../frame/errors.ts';
import type { ApiContext } from '../frame/state.ts';
import type { Floods } from '../limits/floods.ts';
import {
  type FoundKey,
  findCaller,
  hashOfKey,
  type KeyCaller,
  keyTextOf,
  publicKeyTextOf,
} from './caller.ts';
import { noteRefusedUse, refusalOf } from './usable-key.ts';

/** Dependencies of authentication. */
export interface Entrance {
  readonly deps: AppDeps;
  readonly trafficLimiter: TrafficLimiter;
  readonly floods: Floods;
}

/**
 * Finds the caller by API key. Refuses from memory, without a query, when the store is over its rate limit or
 * the address has sent too many keys that this process does not know.
 * @throws ApiError UNAUTHORIZED, KEY_EXPIRED, ADDRESS_NOT_ALLOWED, TOO_MANY_REQUESTS
 */
export async function authenticated(ctx: ApiContext, entrance: Entrance): Promise<KeyCaller> {
  const now = entrance.deps.clock();
  const { floods } = entrance;
  const header = ctx.get('Authorization');
  const keyText = keyTextOf(header);
  if (keyText === null) return floods.refuseStranger(ctx, notAKey(header), now);
  const hash = hashOfKey(keyText);
  const recent = floods.keys.ownerOf(hash, now);
  if (recent === null) return floods.refuseStranger(ctx, unknownKey(), now);
  // Guessed keys from the same address, such as behind NAT, must not refuse a valid key that was idle.
  const known = recent ?? floods.keys.servedOwnerOf(hash, now);
  // Count before the first await, so that parallel requests cannot exceed the limit.
  if (known === undefined) floods.countLookup(ctx, now);
  else floods.count(ctx, known, now);
  try {
    const found = await findCaller(entrance.deps.database, keyText);
    const caller = await usable(ctx, entrance, found, now);
    floods.keys.remember(hash, caller, now);
    if (known === undefined) {
      floods.uncountLookup(ctx);
      floods.count(ctx, caller, now);
    }
    return caller;
  } catch (error) {
    return refused(ctx, entrance, { hash, known, error, now });
  }
}

/** Refuses the key without charging the store's rate limit. Only unknown keys are remembered. */
async function refused(
  ctx: ApiContext,
  { floods }: Entrance,
  {
    hash,
    known,
    error,
    now,
  }: { hash: string; known: StoreEnvironment | undefined; error: unknown; now: Date },
): Promise<never> {
  if (!(error instanceof ApiError) || error.status === 429) throw error;
  if (known !== undefined) floods.returnToken(ctx, known);
  if (error.code === 'UNAUTHORIZED') floods.keys.remember(hash, null, now);
  else floods.keys.forget(hash);
  return floods.refuseStranger(ctx, error, now);
}

/** @throws ApiError UNAUTHORIZED, KEY_EXPIRED, ADDRESS_NOT_ALLOWED */
async function usable(
  ctx: ApiContext,
  { deps, trafficLimiter }: Entrance,
  found: FoundKey | null,
  now: Date,
): Promise<KeyCaller> {
  if (found === null || found.isPublic) throw unknownKey();
  const caller = { ...found, address: trafficLimiter.exactAddressOf(ctx.req) };
  ctx.state.caller = caller;
  const refusal = refusalOf(caller, caller.address, now);
  if (refusal?.code === 'ADDRESS_NOT_ALLOWED')
    await noteRefusedUse(deps.database, actorOf(caller, trafficLimiter.shortAddressOf(ctx.req)), caller, now);
  if (refusal !== null) throw refusal;
  return caller;
}

/** A body that takes longer than this to arrive is carried out only if its key may still be used. */
const LONG_BODY_MS = 500;

/**
 * Reads a body, for which its sender may take as long as the server's request timeout. The key was checked when the headers
 * arrived, and may have been revoked since.
 * @throws ApiError UNAUTHORIZED, KEY_EXPIRED, ADDRESS_NOT_ALLOWED
 */
export async function whileUsable<Body>(
  ctx: ApiContext,
  entrance: Entrance,
  caller: KeyCaller,
  read: () => Promise<Body>,
): Promise<Body> {
  const startedMs = performance.now();
  const body = await read();
  if (caller.isPublic || performance.now() - startedMs < LONG_BODY_MS) return body;
  const { database, clock } = entrance.deps;
  const found = await findCaller(database, keyTextOf(ctx.get('Authorization')) ?? '');
  await usable(ctx, entrance, found, clock());
  return body;
}

/** The actor that the audit log names for a key. @param address shortened. */
export function actorOf({ keyId, storeId }: KeyCaller, address: string): KeyActor {
  return { kind: 'API_KEY', keyId, storeId, address };
}

function notAKey(header: string): ApiError {
  if (header === '') return unauthorized('Authorization: is required; send "Bearer <API key>"');
  if (publicKeyTextOf(header) !== null) return publicKey();
  if (!/^Bearer /i.test(header)) return unauthorized('Authorization: must be "Bearer <API key>"');
  return unknownKey();
}

function publicKey(): ApiError {
  const message = 'A public key (pk_…) can only exchange cards for tokens; your server needs an API key';
  return new ApiError(403, 'PERMISSION_DENIED', message);
}

function unknownKey(): ApiError {
  return unauthorized('Authorization: the API key is not valid, or was revoked');
}

function unauthorized(message: string): ApiError {
  return new ApiError(401, 'UNAUTHORIZED', message, undefined, { 'WWW-Authenticate': 'Bearer' });
}
