import { keysOf } from '../../../api/keys/api-keys.ts';
import { isExpired } from '../../../api/keys/usable-key.ts';
import type { ApiKey } from '../../../database/entities/api-key.ts';
import { EXPIRY_NOTICE_MS } from '../../../database/expiring-keys.ts';
import { PERMISSIONS, READING_PERMISSIONS } from '../../../domain/permission.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { badge, guideLink, link, time } from '../frame/components.ts';
import { disclosure } from '../frame/detail.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { emptyState, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';

/** Whether this role may create, limit and revoke keys of this environment. */
export function mayManageKeys(visit: Visit): boolean {
  return visit.can(visit.devMode ? 'dev-key:manage' : 'prod-key:manage');
}

/** The keys of a store and environment. Their texts are not stored. */
export async function renderKeys(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const keys = await keysOf(visit.em, { storeId: visit.store.id, devMode: visit.devMode });
  const body = table({
    caption: say('Chaves de API', 'API keys'),
    headings: [
      say('Uso', 'Used for'),
      say('Chave', 'Key'),
      say('Permissões', 'Permissions'),
      say('Limites', 'Limits'),
      say('Criada', 'Created'),
      say('Último uso', 'Last used'),
      say('Estado', 'State'),
    ],
    rows: keys.map((key) => [
      key.description,
      html`<code>…${key.lastFour}</code>`,
      permissionsOf(visit, key),
      limitsOf(visit, key),
      time(visit, key.createdAt),
      key.lastUsedAt === null ? say('nunca', 'never') : time(visit, key.lastUsedAt),
      stateOf(visit, key),
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

function permissionsOf({ say }: Visit, { permissions, readOnly }: ApiKey): Html {
  const kind = readOnly && html`${badge('plain', say('só leitura', 'read-only'))} `;
  const all = readOnly ? READING_PERMISSIONS : PERMISSIONS;
  if (all.every((name) => permissions.includes(name))) return html`${kind}${say('todas', 'all')}`;
  const count =
    permissions.length === 1
      ? say('1 permissão', '1 permission')
      : say(`${permissions.length} permissões`, `${permissions.length} permissions`);
  return html`${kind} ${disclosure(count, html`${permissions.map((name) => html`<code>${name}</code> `)}`)}`;
}

function limitsOf(visit: Visit, key: ApiKey): Html {
  const { say } = visit;
  const { expiresAt, allowedNetworks, refusedAt, refusedFrom } = key;
  if (expiresAt === null && allowedNetworks === null) return html`${say('nenhum', 'none')}`;
  return html`${expiresAt !== null && html`<div>${expiryOf(visit, key, expiresAt)}</div>`}
${allowedNetworks !== null && disclosure(networkCount(visit, allowedNetworks.length), html`${allowedNetworks.map((network) => html`<code>${network}</code> `)}`)}
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

function stateOf(visit: Visit, key: ApiKey): Html {
  const { say } = visit;
  if (key.revokedAt !== null)
    return html`${badge('plain', say('revogada', 'revoked'))} ${time(visit, key.revokedAt)}`;
  if (isExpired(key, visit.now)) return badge('plain', say('vencida', 'expired'));
  if (!mayManageKeys(visit)) return badge('good', say('ativa', 'active'));
  const limit = link(visit, `/keys/${key.id}/limits`, say('Limites…', 'Limits…'));
  return html`${limit} ${link(visit, `/keys/${key.id}/revoke`, say('Revogar…', 'Revoke…'))}`;
}
