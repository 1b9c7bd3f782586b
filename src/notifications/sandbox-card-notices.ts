import { type RenewCardDeps, renewCard } from '../cards/renew-card.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { SandboxBank } from '../providers/sandbox/sandbox-bank.ts';
import type { ReplacedCard } from '../providers/sandbox/sandbox-stored-cards.ts';

/** Replaced cards at the sandbox bank, and their notices. */
export class SandboxCardNotices {
  readonly #deps: Omit<RenewCardDeps, 'publicUrl'>;
  readonly #bank: Pick<SandboxBank, 'replaceCard' | 'findCard'>;

  constructor(deps: Omit<RenewCardDeps, 'publicUrl'>, bank: Pick<SandboxBank, 'replaceCard' | 'findCard'>) {
    this.#deps = deps;
    this.#bank = bank;
  }

  /** The issuer replaces the card of a subscription, and the network notifies it. A subscription without a card stays. */
  async replace(
    { storeId, devMode, cardToken }: Subscription,
    card: ReplacedCard,
    { publicUrl, now }: { readonly publicUrl: string; readonly now: Date },
  ): Promise<void> {
    if (cardToken === null) return;
    await this.#bank.replaceCard(cardToken, card);
    const port = { find: (token: string) => this.#bank.findCard(token) };
    await renewCard({ ...this.#deps, publicUrl }, port, { storeId, devMode }, cardToken, now);
  }
}
