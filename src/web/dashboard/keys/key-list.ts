import { type ApiKey, isServing, keysOf } from '../../../api/keys/api-keys.ts';
import { isExpired } from '../../../api/keys/usable-key.ts';
import { presetOf } from '../../../domain/key-presets.ts';
import { EXPIRY_NOTICE_MS } from '../../../recovery/expiring-keys.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { badge, guideLink, linkButton, time } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { emptyState, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { mayManageKeys } from './key-access.ts';
import { PRESET_WORDS } from './permission-words.ts';

/** A longer list is on the page of its limits. */
const SHOWN_NETWORKS = 3;

/** The keys of a store and environment. Their texts are not stored. */
export async function renderKeys(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const keys = await keysOf(visit.em, { storeId: visit.store.id, devMode: visit.devMode });
  const body = table({
    caption: say('dashboard.apiKeys'),
    headings: [
      say('dashboard.keys.usedFor'),
      say('dashboard.key'),
      say('dashboard.keys.access'),
      say('dashboard.keys.limits'),
      say('dashboard.lastUsed'),
      say('dashboard.state'),
      '',
    ],
    rows: keys.map((key) => [
      html`<a href="${visit.link(`/keys/${key.id}`)}">${key.description}</a>`,
      html`<code>…${key.lastFour}</code>`,
      accessOf(visit, key),
      limitsOf(visit, key),
      key.lastUsedAt === null ? say('dashboard.never') : time(visit, key.lastUsedAt),
      stateBadge(visit, key),
      mayManageKeys(visit) && isServing(key, visit.now) ? keyActions(visit, key) : '',
    ]),
    empty: emptyState({
      icon: 'key-round',
      title: say('dashboard.keys.noKeyYet'),
      text: say('dashboard.keys.yourProgramUsesAKey'),
      action: guideLink(visit, 'quick-start', say('dashboard.keys.quickStart')),
    }),
  });
  const make = html`${linkButton(visit, '/keys/new-public', say('dashboard.keys.createPublicKey'))} <a class="button" href="${visit.link('/keys/new')}">${icon('plus')}${say('dashboard.keys.createAKey')}</a>`;
  const title = say('dashboard.apiKeys');
  return page(visit, { title, active: 'keys', body, ...(mayManageKeys(visit) && { actions: make }) });
}

/** The preset, or how many permissions. The key's page lists them. */
export function accessOf({ say }: Visit, key: ApiKey): string {
  if (key.publicText !== null) return say('dashboard.keys.publicKey');
  const preset = presetOf(key);
  if (preset !== null) return say(PRESET_WORDS[preset].name);
  const count = key.permissions.length;
  const text = say('dashboard.keys.permissions', { count });
  return key.readOnly ? `${say('dashboard.keys.readOnly')}: ${text}` : text;
}

/** Expiry, networks and the last refusal. */
export function limitsOf(visit: Visit, key: ApiKey): Html {
  const { say } = visit;
  const { expiresAt, allowedNetworks, refusedAt, refusedFrom } = key;
  if (expiresAt === null && allowedNetworks === null) return html`${say('dashboard.keys.none')}`;
  return html`${expiresAt !== null && html`<div>${expiryOf(visit, key, expiresAt)}</div>`}
${allowedNetworks !== null && html`<div>${networkCount(visit, allowedNetworks.length)} ${allowedNetworks.slice(0, SHOWN_NETWORKS).map((network) => html`<code>${network}</code> `)}</div>`}
${refusedAt !== null && html`<div>${badge('bad', say('dashboard.keys.refused'))} ${time(visit, refusedAt)} <code>${refusedFrom ?? ''}</code></div>`}`;
}

function expiryOf(visit: Visit, key: ApiKey, expiresAt: Date): Html {
  const { say, now } = visit;
  if (isExpired(key, now)) return html`${say('dashboard.keys.expired')} ${time(visit, expiresAt)}`;
  const isSoon = key.revokedAt === null && expiresAt.getTime() - now.getTime() < EXPIRY_NOTICE_MS;
  const word = say('dashboard.keys.expires');
  return html`${isSoon ? badge('waiting', word) : word} ${time(visit, expiresAt)}`;
}

function networkCount({ say }: Visit, count: number): string {
  return say('dashboard.keys.fromAddressesOrNetworks', { count });
}

/** Whether the key works. */
export function stateBadge(visit: Visit, key: ApiKey): Html {
  const { say } = visit;
  if (key.revokedAt !== null)
    return html`${badge('plain', say('dashboard.keys.revoked'))} ${time(visit, key.revokedAt)}`;
  if (isExpired(key, visit.now)) return badge('plain', say('dashboard.keys.expired2'));
  if (key.replacedById !== null) return badge('waiting', say('dashboard.keys.replaced'));
  return badge('good', say('dashboard.active'));
}

/** What can be done with a key that works. A key is replaced once. Browsers everywhere use a public key, so it has no networks. */
export function keyActions(visit: Visit, { id, replacedById, publicText }: ApiKey): Html {
  const { say } = visit;
  const button = (path: string, text: string) => html`${linkButton(visit, `/keys/${id}/${path}`, text)} `;
  return html`<span class="actions">${replacedById === null && button('rotate', say('dashboard.keys.rotate'))}${publicText === null && button('limits', say('dashboard.keys.limits'))}${linkButton(visit, `/keys/${id}/revoke`, say('dashboard.revoke'), 'danger')}</span>`;
}
