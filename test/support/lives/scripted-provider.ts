import type { CardAnswer, ChargeCard, SendPix, TransferAnswer } from '../../../src/providers/provider.ts';
import { MisbehavingProvider } from '../outside/misbehaving-provider.ts';

/**
 * A provider whose answers follow from what it is asked and when, so that two worlds in which the same happens
 * get the same ones, in whatever order they ask.
 */
export class ScriptedProvider extends MisbehavingProvider {
  readonly #asked = new Set<string>();

  /** A card that its issuer declines until then. */
  static cardGoodFrom(instant: Date): string {
    return `good-from-${instant.getTime()}`;
  }

  /** What is sent to an address like this arrives then. */
  static keyThatTakesUntil(instant: Date): string {
    return `${instant.getTime()}@slow.example.com`;
  }

  override chargeCard(request: ChargeCard): Promise<CardAnswer> {
    const goodFromMs = Number(/^good-from-(\d+)$/.exec(request.token)?.[1] ?? 0);
    const isFirst = !this.#asked.has(request.reference);
    this.#asked.add(request.reference);
    if (isFirst && request.now.getTime() < goodFromMs) this.declineNext('insufficient_funds');
    return super.chargeCard(request);
  }

  override sendPix(request: SendPix): Promise<TransferAnswer> {
    const arrivesMs = Number(/^(\d+)@slow/.exec(request.destination?.key ?? '')?.[1] ?? 0);
    if (request.now.getTime() < arrivesMs) return Promise.resolve({ outcome: 'PENDING' });
    return super.sendPix(request);
  }
}
