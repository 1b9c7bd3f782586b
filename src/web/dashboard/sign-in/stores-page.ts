import { takesRealMoney } from '../../../accounts/provider-accounts.ts';
import type { StoreId } from '../../../domain/ids.ts';
import { storesOf } from '../../../identity/members.ts';
import { html } from '../../frame/html.ts';
import { ROLE_NAMES } from '../../i18n/role-names.ts';
import { barePage } from '../frame/layout.ts';
import { sayIn } from '../frame/locale.ts';
import { linkTo } from '../frame/place.ts';
import type { Reply } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';
import { SignInNeeded } from '../frame/sign-in-needed.ts';
import { sessionOf } from '../frame/strangers.ts';

/** GET `/dashboard`: redirects to the only store, or shows a choice. */
export async function firstPage(arrival: Arrival): Promise<Reply> {
  const stores = await ownStores(arrival);
  const [only] = stores;
  if (only === undefined || stores.length > 1) return renderStores(arrival, stores);
  return {
    kind: 'redirect',
    to: linkTo(await placeOf(arrival, only.id), '/'),
    flash: arrival.cookies.takeFlash(arrival.ctx),
  };
}

/** GET `/dashboard/stores`. */
export async function storesPage(arrival: Arrival): Promise<Reply> {
  return renderStores(arrival, await ownStores(arrival));
}

type Stores = Awaited<ReturnType<typeof storesOf>>;

async function ownStores(arrival: Arrival): Promise<Stores> {
  const found = await sessionOf(arrival);
  if (found === null || found.awaitsCode) throw new SignInNeeded(null);
  return storesOf(arrival.deps.database.em.fork(), found.userId);
}

/** Production if the store can use it. */
export async function placeOf({ deps }: Arrival, storeId: StoreId) {
  return { storeId, devMode: !(await takesRealMoney(deps.database, storeId)) };
}

async function renderStores(arrival: Arrival, stores: Stores): Promise<Reply> {
  const { locale } = arrival;
  const say = sayIn(locale);
  const none = say('dashboard.signIn.youAreNotAMember');
  const linked = await Promise.all(
    stores.map(async (store) => ({ ...store, link: linkTo(await placeOf(arrival, store.id), '/') })),
  );
  const body =
    linked.length === 0
      ? html`<p>${none}</p>`
      : html`<ul class="stores">${linked.map(
          ({ name, role, link }) =>
            html`<li><a href="${link}">${name} <span class="soft">${say(ROLE_NAMES[role])}</span></a></li>\n`,
        )}</ul>`;
  return barePage(locale, {
    title: say('dashboard.signIn.yourStores'),
    body,
    flash: arrival.cookies.takeFlash(arrival.ctx),
  });
}
