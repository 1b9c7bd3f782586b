import { type ApiKey, isServing, keysOf } from '../../../api/keys/api-keys.ts';
import { isExpired } from '../../../api/keys/usable-key.ts';
import { EXPIRY_NOTICE_MS } from '../../../database/expiring-keys.ts';
import { presetOf } from '../../../domain/key-presets.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { badge, guideLink, time } from '../frame/components.ts';
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
    caption: say('Chaves de API', 'API keys'),
    headings: [
      say('Uso', 'Used for'),
      say('Chave', 'Key'),
      say('Acesso', 'Access'),
      say('Limites', 'Limits'),
      say('Último uso', 'Last used'),
      say('Estado', 'State'),
      '',
    ],
    rows: keys.map((key) => [
      html`<a href="${visit.link(`/keys/${key.id}`)}">${key.description}</a>`,
      html`<code>…${key.lastFour}</code>`,
      accessOf(visit, key),
      limitsOf(visit, key),
      key.lastUsedAt === null ? say('nunca', 'never') : time(visit, key.lastUsedAt),
      stateBadge(visit, key),
      mayManageKeys(visit) && isServing(key, visit.now) ? keyActions(visit, key) : '',
    ]),
    empty: emptyState({
      icon: 'key-round',
      title: say('Nenhuma chave ainda', 'No key yet'),
      text: say(
        'O seu programa usa uma chave para criar cobranças.',
        'Your program uses a key to create charges.',
      ),
      action: guideLink(visit, 'quick-start', say('Primeiros passos', 'Quick start')),
    }),
  });
  const make = html`<a class="button" href="${visit.link('/keys/new')}">${icon('plus')}${say('Criar chave', 'Create a key')}</a>`;
  const title = say('Chaves de API', 'API keys');
  return page(visit, { title, active: 'keys', body, ...(mayManageKeys(visit) && { actions: make }) });
}

/** The preset, or how many permissions. The key's page lists them. */
export function accessOf({ say }: Visit, key: ApiKey): string {
  const preset = presetOf(key);
  if (preset !== null) return say(...PRESET_WORDS[preset].name);
  const count = key.permissions.length;
  const text =
    count === 1 ? say('1 permissão', '1 permission') : say(`${count} permissões`, `${count} permissions`);
  return key.readOnly ? `${say('Só leitura', 'Read only')}: ${text}` : text;
}

/** Expiry, networks and the last refusal. */
export function limitsOf(visit: Visit, key: ApiKey): Html {
  const { say } = visit;
  const { expiresAt, allowedNetworks, refusedAt, refusedFrom } = key;
  if (expiresAt === null && allowedNetworks === null) return html`${say('nenhum', 'none')}`;
  return html`${expiresAt !== null && html`<div>${expiryOf(visit, key, expiresAt)}</div>`}
${allowedNetworks !== null && html`<div>${networkCount(visit, allowedNetworks.length)} ${allowedNetworks.slice(0, SHOWN_NETWORKS).map((network) => html`<code>${network}</code> `)}</div>`}
${refusedAt !== null && html`<div>${badge('bad', say('recusada', 'refused'))} ${time(visit, refusedAt)} <code>${refusedFrom ?? ''}</code></div>`}`;
}

function expiryOf(visit: Visit, key: ApiKey, expiresAt: Date): Html {
  const { say, now } = visit;
  if (isExpired(key, now)) return html`${say('venceu', 'expired')} ${time(visit, expiresAt)}`;
  const isSoon = key.revokedAt === null && expiresAt.getTime() - now.getTime() < EXPIRY_NOTICE_MS;
  const word = say('vence', 'expires');
  return html`${isSoon ? badge('waiting', word) : word} ${time(visit, expiresAt)}`;
}

function networkCount({ say }: Visit, count: number): string {
  return count === 1
    ? say('de 1 endereço ou rede', 'from 1 address or network')
    : say(`de ${count} endereços ou redes`, `from ${count} addresses or networks`);
}

/** Whether the key works. */
export function stateBadge(visit: Visit, key: ApiKey): Html {
  const { say } = visit;
  if (key.revokedAt !== null)
    return html`${badge('plain', say('Revogada', 'Revoked'))} ${time(visit, key.revokedAt)}`;
  if (isExpired(key, visit.now)) return badge('plain', say('Vencida', 'Expired'));
  if (key.replacedById !== null) return badge('waiting', say('Trocada', 'Replaced'));
  return badge('good', say('Ativa', 'Active'));
}

/** What can be done with a key that works. A key is replaced once. */
export function keyActions(visit: Visit, { id, replacedById }: ApiKey): Html {
  const { say } = visit;
  const button = (path: string, text: string) =>
    html`<a class="button button--quiet" href="${visit.link(`/keys/${id}/${path}`)}">${text}</a> `;
  return html`<span class="actions">${replacedById === null && button('rotate', say('Trocar', 'Rotate'))}${button('limits', say('Limites', 'Limits'))}${button('revoke', say('Revogar', 'Revoke'))}</span>`;
}
