import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import Router from '@koa/router';
import type { DefaultContext } from 'koa';
import { renewCard } from '../../cards/renew-card.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { ProviderAccountEntity } from '../../database/entities/provider-account.ts';
import type { ProviderAccountId, StoreId } from '../../domain/ids.ts';
import { placeOf } from '../../http/place-of.ts';
import type { TrafficLimiter } from '../../http/traffic-limiter.ts';
import { takeDebitNotice, takeMandateNotice } from '../../notifications/mandate-notices.ts';
import { noteUnreadable } from '../../notifications/note-unreadable.ts';
import { takeSentNotice } from '../../notifications/take-sent-notice.ts';
import type { NotificationPointer } from '../../providers/ports/notifications.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import { NoSuchAccount, ProviderError } from '../../providers/provider-error.ts';
import { deliveryWorkflowStart } from '../../temporal/delivery.ts';
import type { AppDeps } from '../frame/deps.ts';
import { ApiError, invalid } from '../frame/errors.ts';
import { readBody } from '../frame/json-body.ts';
import { withinTime } from '../frame/reach-temporal.ts';
import type { ApiContext, ApiState } from '../frame/state.ts';
import { FairSlots } from '../limits/fair-slots.ts';

/**
 * Charges processed in parallel per request. A notification may name many payments, and each needs a workflow
 * call.
 */
const AT_ONCE = 8;
/** The same for all notifications of a store. Its owner knows its address, and may notify of payments that nobody has made. */
const AT_ONCE_OF_STORE = 64;
/** Banks close the connection after some seconds, and retry unanswered notifications. */
const TIMEOUT_MS = 10_000;

/**
 * Receives notifications from providers of real money. The last part of an account's address is its secret;
 * the provider may append one of its paths. Unknown addresses, and accounts of another provider, get the same 404.
 *
 * Responds with 200 only after the workflows of all named charges have processed the notification. After any
 * other response the provider retries. Repeated notifications have no further effect.
 */
export function notificationRoutes(
  deps: AppDeps,
  trafficLimiter: TrafficLimiter,
  proven: (request: IncomingMessage) => void = () => undefined,
): Router<ApiState, DefaultContext> {
  const router = new Router<ApiState, DefaultContext>();
  const ofStores = new FairSlots<StoreId>({
    count: Number.POSITIVE_INFINITY,
    perOwner: () => AT_ONCE_OF_STORE,
    waitMs: TIMEOUT_MS,
  });
  router.post('/notifications/:account/:secret{/*below}', async (ctx) => {
    ctx.state.route = '/notifications/:account';
    const { account = '', secret = '', below } = ctx.params;
    ctx.state.about = { accountId: account };
    // Addresses of accounts that this process has served stay open, although others at the same address guess.
    const place = placeOf(ctx.path);
    const known = trafficLimiter.knownNotifications.get(place);
    if (known === undefined) refuseFromMemory(ctx, trafficLimiter);
    const rawBody = await readBody(ctx.req);
    const provider = await providerOf(deps, account);
    const notification = {
      rawBody,
      headers: ctx.req.headers,
      clientAddress: trafficLimiter.addressOf(ctx.req),
      peerCertificate: certificateShownBy(ctx.req.socket),
      pathSecret: secret,
    };
    const isServed = provider?.notifications?.paths.includes(below === undefined ? '' : `/${below}`);
    if (!isServed || !provider?.notifications?.authenticate(notification))
      return refuseStranger(ctx, trafficLimiter);
    const storeId = known ?? (await storeOf(deps, account as ProviderAccountId));
    trafficLimiter.knownNotifications.set(place, storeId);
    proven(ctx.req);
    const pointers = read(provider, rawBody);
    await noteUnreadable(deps, account as ProviderAccountId, unreadableIdsOf(pointers), deps.clock());
    const news = newsOfCharges(pointers.filter((pointer) => pointer.kind !== 'UNREADABLE'));
    // Payments processed before Temporal became unreachable are not repeated.
    const failures: PromiseSettledResult<void>[] = [];
    await withinTime(deps.temporal, TIMEOUT_MS, async () => {
      for (let first = 0; first < news.length; first += AT_ONCE) {
        const some = news.slice(first, first + AT_ONCE);
        const taken = await Promise.allSettled(
          some.map((pointers) => ofStores.run(storeId, () => ingestInTurn(ctx, deps, provider, pointers))),
        );
        failures.push(...taken.filter(({ status }) => status === 'rejected'));
      }
      // One payment that cannot be recorded yet must not delay others of the same notification.
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

/** Includes removed accounts, because their charges may still be paid. */
async function providerOf({ providers }: AppDeps, id: string): Promise<PaymentProvider | null> {
  // Postgres refuses NUL characters.
  if (id.includes('\0')) return null;
  try {
    return await providers.issuerOf({ provider: id, devMode: false });
  } catch (error) {
    if (error instanceof NoSuchAccount) return null;
    throw error;
  }
}

async function storeOf({ database }: NotificationDeps, id: ProviderAccountId): Promise<StoreId> {
  const fields = ['storeId'] as const;
  return (await database.em.fork().findOneOrFail(ProviderAccountEntity, { id }, { fields })).storeId;
}

/** Counts guessed addresses together with guessed API keys. */
async function refuseStranger(ctx: ApiContext, trafficLimiter: TrafficLimiter): Promise<never> {
  const seconds = await trafficLimiter.count({ request: ctx.req, ofAddress: 'wrongKeysOfAddress' });
  if (seconds === null) throw new ApiError(404, 'ROUTE_NOT_FOUND', 'There is nothing at this path');
  throw tooMany(seconds);
}

/** @throws ApiError TOO_MANY_REQUESTS, before the body is read and anything is looked up */
function refuseFromMemory(ctx: ApiContext, trafficLimiter: TrafficLimiter): void {
  const seconds = trafficLimiter.refusedFromMemory(ctx.req, 'wrongKeysOfAddress');
  if (seconds !== null) throw tooMany(seconds);
}

function tooMany(seconds: number): ApiError {
  const message = 'Too many requests to addresses that do not exist; see Retry-After';
  return new ApiError(429, 'TOO_MANY_REQUESTS', message, undefined, { 'Retry-After': String(seconds) });
}

/** @throws ApiError 400 if the provider's adapter cannot parse the notification. */
function read({ notifications }: PaymentProvider, rawBody: Buffer): readonly NotificationPointer[] {
  try {
    return notifications?.translate(rawBody) ?? [];
  } catch (error) {
    if (error instanceof ProviderError) throw invalid('body', 'must be a notification of this provider');
    throw error;
  }
}

type Pointer = Exclude<NotificationPointer, { readonly kind: 'UNREADABLE' }>;

function unreadableIdsOf(pointers: readonly NotificationPointer[]): string[] {
  return pointers.flatMap((pointer) => (pointer.kind === 'UNREADABLE' ? [pointer.id] : []));
}

type NotificationDeps = Pick<
  AppDeps,
  'intake' | 'followMandate' | 'wakeDebit' | 'database' | 'log' | 'publicUrl' | 'clock' | 'starter'
>;

/** Groups notifications by charge, preserving their order. */
function newsOfCharges(pointers: readonly Pointer[]): (readonly Pointer[])[] {
  const byCharge = Map.groupBy(
    pointers,
    (pointer) => ('reference' in pointer && pointer.reference) || pointer,
  );
  return [...byCharge.values()];
}

/**
 * Processes a charge's notifications in order. If one payment cannot be recorded yet, its other payments are
 * still recorded. A dispute needs a recorded payment, so later disputes wait until the provider notifies
 * again.
 * @throws the first failure, so that nothing is acknowledged until everything is recorded.
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

/**
 * Looks up the charge of a pointer without a reference. A payment without a charge is logged for the operator
 * and acknowledged.
 */
async function take(
  { state: { log, requestId } }: ApiContext,
  deps: NotificationDeps,
  provider: PaymentProvider,
  pointer: Pointer,
): Promise<void> {
  const { name } = provider;
  const { intake } = deps;
  if (pointer.kind === 'TRANSFER') return takeSentNotice(deps, provider, pointer.reference, deps.clock());
  if (pointer.kind === 'CHARGE') return intake.receiveNews({ provider: name, reference: pointer.reference });
  if (pointer.kind === 'MANDATE')
    return takeMandateNotice(deps, name, pointer.providerMandateId, deps.clock());
  if (pointer.kind === 'DEBIT') return takeDebitNotice(deps, name, pointer.reference, deps.clock());
  if (pointer.kind === 'CARD') return takeCard(deps, provider, pointer.token);
  if (pointer.kind === 'DISPUTE') {
    const { providerDisputeId } = pointer;
    const reference = pointer.reference ?? (await provider.disputes?.find(providerDisputeId))?.reference;
    const published = reference && { provider: name, reference, providerDisputeId };
    const status = published ? await intake.receiveDispute(published, requestId) : null;
    if (status === null) log.warn({ provider: name, providerDisputeId }, 'dispute notified without a charge');
    return;
  }
  const { providerPaymentId, hasRefunds } = pointer;
  const reference = pointer.reference ?? (await provider.charges.findPayment(providerPaymentId))?.reference;
  const published = reference && {
    provider: name,
    reference,
    providerPaymentId,
    ...(hasRefunds && { hasRefunds }),
  };
  const status = published ? await intake.receivePayment(published, requestId) : null;
  if (status === null) log.warn({ provider: name, providerPaymentId }, 'payment notified without a charge');
}

/** A card concerns subscriptions of the account's store only. */
async function takeCard(deps: NotificationDeps, provider: PaymentProvider, token: string): Promise<void> {
  const { database, publicUrl, starter } = deps;
  const id = provider.name as ProviderAccountId;
  const account = await database.em.fork().findOne(ProviderAccountEntity, { id });
  if (account === null || provider.cards === undefined) return;
  const startDelivery = (delivery: DeliveryToStart) => starter.startSoon(deliveryWorkflowStart(delivery));
  const owner = { storeId: account.storeId, devMode: false };
  await renewCard({ database, publicUrl, startDelivery }, provider.cards, owner, token, deps.clock());
}
