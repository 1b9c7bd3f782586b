import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import type { ProviderAccountId } from '../../domain/ids.ts';
import { noteUnreadable } from '../../notifications/note-unreadable.ts';
import { takeSentNotice } from '../../notifications/take-sent-notice.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import { NoSuchAccount, ProviderError } from '../../providers/provider-error.ts';
import type { NotificationPointer } from '../../providers/provider-notifications.ts';
import type { TrafficLimiter } from '../../traffic/traffic-limiter.ts';
import type { AppDeps } from '../frame/deps.ts';
import { ApiError, invalid } from '../frame/errors.ts';
import { readBody } from '../frame/json-body.ts';
import { withinTime } from '../frame/reach-temporal.ts';
import type { ApiContext, ApiState } from '../frame/state.ts';

/** A bank may tell of many payments in one request, and each charge is a workflow's work. */
const AT_ONCE = 8;
/** Banks hang up after some seconds, and tell again what was not answered by then. */
const TIMEOUT_MS = 10_000;

/**
 * Where providers of real money tell of payments: the address of an account, whose last part is its secret. API Pix has
 * banks write `/pix` after it. What is not an account's, or not its provider's own, gets one and the same 404.
 *
 * The answer is a 200 only once the workflows of all charges that are named have dealt with it, so that whatever else
 * happens makes the provider tell again. Told twice it is dealt with once.
 */
export function notificationRoutes(
  deps: AppDeps,
  trafficLimiter: TrafficLimiter,
): Router<ApiState, DefaultContext> {
  const router = new Router<ApiState, DefaultContext>();
  router.post(['/notifications/:account/:secret', '/notifications/:account/:secret/pix'], async (ctx) => {
    ctx.state.route = '/notifications/:account';
    const { account = '', secret = '' } = ctx.params;
    ctx.state.about = { accountId: account };
    const rawBody = await readBody(ctx.req);
    const provider = await providerOf(deps, account);
    const notification = {
      rawBody,
      headers: ctx.req.headers,
      clientAddress: trafficLimiter.addressOf(ctx.req),
      peerCertificate: certificateShownBy(ctx.req.socket),
      pathSecret: secret,
    };
    if (!provider?.notifications?.authenticate(notification)) return refuseStranger(ctx, trafficLimiter);
    const pointers = read(provider, rawBody);
    await noteUnreadable(deps, account as ProviderAccountId, unreadableIdsOf(pointers), deps.clock());
    const news = newsOfCharges(pointers.filter((pointer) => pointer.kind !== 'UNREADABLE'));
    // What was taken by the time that Temporal is found away is taken once.
    const failures: PromiseSettledResult<void>[] = [];
    await withinTime(deps.temporal, TIMEOUT_MS, async () => {
      for (let first = 0; first < news.length; first += AT_ONCE) {
        const some = news.slice(first, first + AT_ONCE);
        const taken = await Promise.allSettled(
          some.map((pointers) => ingestInTurn(ctx, deps, provider, pointers)),
        );
        failures.push(...taken.filter(({ status }) => status === 'rejected'));
      }
      // One payment that cannot be recorded yet holds up no other of the same notification.
      const [failed] = failures;
      if (failed?.status === 'rejected') throw failed.reason;
    });
    ctx.body = {};
  });
  return router;
}

function certificateShownBy(socket: Socket): X509Certificate | null {
  return (socket instanceof TLSSocket && socket.getPeerX509Certificate()) || null;
}

/** Also of an account that was removed: what it has issued may still be paid. */
async function providerOf({ providers }: AppDeps, id: string): Promise<PaymentProvider | null> {
  // Postgres takes none.
  if (id.includes('\0')) return null;
  try {
    return await providers.issuerOf({ provider: id, devMode: false });
  } catch (error) {
    if (error instanceof NoSuchAccount) return null;
    throw error;
  }
}

/** Who guesses addresses is counted with those who guess keys. */
async function refuseStranger(ctx: ApiContext, trafficLimiter: TrafficLimiter): Promise<never> {
  const seconds = await trafficLimiter.count({ request: ctx.req, ofAddress: 'wrongKeysOfAddress' });
  if (seconds === null) throw new ApiError(404, 'ROUTE_NOT_FOUND', 'There is nothing at this path');
  const message = 'Too many requests to addresses that do not exist; see Retry-After';
  throw new ApiError(429, 'TOO_MANY_REQUESTS', message, undefined, { 'Retry-After': String(seconds) });
}

/** @throws ApiError 400 where the provider's own adapter cannot read it. */
function read({ notifications }: PaymentProvider, rawBody: Buffer): readonly NotificationPointer[] {
  try {
    return notifications?.translate(rawBody) ?? [];
  } catch (error) {
    if (error instanceof ProviderError) throw invalid('pix', 'must be a notification of this provider');
    throw error;
  }
}

type Pointer = Exclude<NotificationPointer, { readonly kind: 'UNREADABLE' }>;

function unreadableIdsOf(pointers: readonly NotificationPointer[]): string[] {
  return pointers.flatMap((pointer) => (pointer.kind === 'UNREADABLE' ? [pointer.id] : []));
}

type NotificationDeps = Pick<AppDeps, 'intake' | 'database' | 'log' | 'publicUrl' | 'clock'>;

/** Groups notifications by charge, preserving their order. */
function newsOfCharges(pointers: readonly Pointer[]): (readonly Pointer[])[] {
  const byCharge = Map.groupBy(pointers, (pointer) => pointer.reference ?? pointer);
  return [...byCharge.values()];
}

/**
 * One payment of a charge that cannot be recorded yet holds up no other payment of it. A dispute is of a payment that must
 * have been recorded before, so the disputes that follow wait until the provider notifies again.
 * @throws the first failure, so that nothing is acknowledged until all of it was recorded.
 */
async function ingestInTurn(
  ctx: ApiContext,
  deps: NotificationDeps,
  provider: PaymentProvider,
  pointers: readonly Pointer[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const pointer of pointers) {
    if (pointer.kind === 'DISPUTE' && failures.length > 0) continue;
    try {
      await take(ctx, deps, provider, pointer);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** A pointer without a reference is looked up first. What no charge was issued for is told to the operator, and is done. */
async function take(
  { state: { log, requestId } }: ApiContext,
  deps: NotificationDeps,
  provider: PaymentProvider,
  pointer: Pointer,
): Promise<void> {
  const { name } = provider;
  const { intake } = deps;
  if (pointer.kind === 'TRANSFER') return takeSentNotice(deps, provider, pointer.reference, deps.clock());
  if (pointer.kind === 'DISPUTE') {
    const { providerDisputeId } = pointer;
    const reference = pointer.reference ?? (await provider.findDispute(providerDisputeId))?.reference;
    const published = reference && { provider: name, reference, providerDisputeId };
    const status = published ? await intake.receiveDispute(published, requestId) : null;
    if (status === null)
      log.warn({ provider: name, providerDisputeId }, 'a dispute was notified of no charge');
    return;
  }
  const { providerPaymentId, hasRefunds } = pointer;
  const reference = pointer.reference ?? (await provider.findPayment(providerPaymentId))?.reference;
  const published = reference && {
    provider: name,
    reference,
    providerPaymentId,
    ...(hasRefunds && { hasRefunds }),
  };
  const status = published ? await intake.receivePayment(published, requestId) : null;
  if (status === null) log.warn({ provider: name, providerPaymentId }, 'a payment was notified of no charge');
}
