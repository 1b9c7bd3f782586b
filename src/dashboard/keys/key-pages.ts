import { keysOf } from '../../api/keys/api-keys.ts';
import type { ApiKey } from '../../database/entities/api-key.ts';
import { PERMISSIONS } from '../../domain/permission.ts';
import { type Html, html } from '../../pages/frame/html.ts';
import { badge, copyable, link, section, table, time } from '../frame/components.ts';
import { checkboxes, form, type Problems, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { passwordAgain } from '../frame/password-again.ts';
import type { Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/** What was typed into the form of a new key. */
export interface TypedKey {
  readonly description: string;
  readonly permissions: readonly string[];
  readonly problems: Problems;
}

/** Everything, as most keys are for one program that does everything. */
const NEW_KEY: TypedKey = { description: '', permissions: PERMISSIONS, problems: {} };

/** Whether this role may make and revoke keys of this environment. */
export function mayManageKeys(visit: Visit): boolean {
  return visit.can(visit.devMode ? 'dev-key:manage' : 'prod-key:manage');
}

/** The keys of a store and environment. Their texts are nowhere. */
export async function renderKeys(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const keys = await keysOf(visit.em, { storeId: visit.store.id, devMode: visit.devMode });
  const body = table({
    caption: say('Chaves de API', 'API keys'),
    headings: [
      say('Uso', 'Used for'),
      say('Chave', 'Key'),
      say('Permissões', 'Permissions'),
      say('Criada', 'Created'),
      say('Último uso', 'Last used'),
      say('Estado', 'State'),
    ],
    rows: keys.map((key) => [
      key.description,
      html`<code>…${key.lastFour}</code>`,
      permissionsOf(visit, key),
      time(visit, key.createdAt),
      key.lastUsedAt === null ? say('nunca', 'never') : time(visit, key.lastUsedAt),
      stateOf(visit, key),
    ]),
    empty: say('Nenhuma chave ainda.', 'No key yet.'),
  });
  const make = html`<a class="button" href="${visit.link('/keys/new')}">${say('Criar chave', 'Create a key')}</a>`;
  const title = say('Chaves de API', 'API keys');
  return page(visit, { title, active: 'keys', body, ...(mayManageKeys(visit) && { actions: make }) });
}

function permissionsOf({ say }: Visit, { permissions }: ApiKey): Html {
  if (PERMISSIONS.every((name) => permissions.includes(name))) return html`${say('todas', 'all')}`;
  const count = say(`${permissions.length} permissões`, `${permissions.length} permissions`);
  return html`<details><summary>${count}</summary>${permissions.map((name) => html`<code>${name}</code> `)}</details>`;
}

function stateOf(visit: Visit, key: ApiKey): Html {
  const { say } = visit;
  if (key.revokedAt !== null)
    return html`${badge('plain', say('revogada', 'revoked'))} ${time(visit, key.revokedAt)}`;
  if (!mayManageKeys(visit)) return badge('good', say('ativa', 'active'));
  return link(visit, `/keys/${key.id}/revoke`, say('Revogar…', 'Revoke…'));
}

export function renderNewKey(visit: Visit, typed = NEW_KEY, status = 200): Reply {
  const { say, devMode } = visit;
  const { description, permissions, problems } = typed;
  const fields = html`${textField({
    name: 'description',
    label: say('Para que ela serve', 'What it is for'),
    hint: say('Por exemplo: loja virtual', 'For example: web shop'),
    value: description,
    problems,
  })}
${checkboxes({ name: 'permissions', legend: say('O que ela pode', 'What it may do'), options: PERMISSIONS, chosen: permissions, problems })}
${!devMode && passwordAgain(say, problems)}`;
  const body = section(
    devMode
      ? say('Chave de teste: nenhum dinheiro se move', 'A key for tests: no money moves')
      : say('Chave de produção: move dinheiro de verdade', 'A key for production: it moves real money'),
    form(visit, { action: '/keys/new', fields, submit: say('Criar chave', 'Create key') }),
  );
  return page(visit, { title: say('Nova chave', 'New key'), active: 'keys', body, status });
}

/** The only page that ever has a key's text: the answer to its form, which is not kept and not sent again. */
export function renderCreatedKey(visit: Visit, keyText: string): Reply {
  const { say } = visit;
  const body = section(
    say('Copie a chave agora', 'Copy the key now'),
    html`${copyable(visit, 'key', keyText)}
<p>${say('Ela não é guardada e não será mostrada de novo.', 'It is not kept, and will not be shown again.')}</p>
<p>${link(visit, '/keys', say('Já copiei', 'I have copied it'))}</p>`,
  );
  return page(visit, { title: say('Chave criada', 'Key created'), active: 'keys', body });
}

export function renderRevokeKey(visit: Visit, key: ApiKey, problems: Problems = {}, status = 200): Reply {
  const { say, devMode } = visit;
  const body = section(
    key.description,
    html`<p><code>…${key.lastFour}</code></p>
<p>${say('Pedidos com ela são recusados a partir de agora. Isto não pode ser desfeito.', 'Requests with it are refused from now on. This cannot be undone.')}</p>
${form(visit, {
  action: `/keys/${key.id}/revoke`,
  fields: html`${!devMode && passwordAgain(say, problems)}`,
  submit: say('Revogar a chave', 'Revoke the key'),
  style: 'danger',
})}`,
  );
  return page(visit, { title: say('Revogar chave', 'Revoke key'), active: 'keys', body, status });
}
