import { findKey, isServing } from '../../../api/keys/api-keys.ts';
import type { ApiKeyId } from '../../../domain/ids.ts';
import { facts } from '../../frame/facts.ts';
import { html } from '../../frame/html.ts';
import { copyable, section, time } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import { nothingHere, type Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { mayManageKeys } from './key-access.ts';
import { accessOf, keyActions, limitsOf, stateBadge } from './key-list.ts';
import { permissionText } from './permission-picker.ts';

/** GET `/keys/:id`: a key with its permissions in words, also one that has ended. @throws Refusal 404 */
export async function renderKey(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const key = await findKey(visit.em, visit.params.id as ApiKeyId, visit.place);
  if (key === null) throw nothingHere();
  const about = facts([
    [
      say('dashboard.key'),
      key.publicText === null ? html`<code>…${key.lastFour}</code>` : copyable(visit, 'key', key.publicText),
    ],
    [say('dashboard.state'), stateBadge(visit, key)],
    [say('dashboard.keys.access'), accessOf(visit, key)],
    [say('dashboard.keys.limits'), limitsOf(visit, key)],
    [say('dashboard.created2'), time(visit, key.createdAt)],
    [
      say('dashboard.lastUsed'),
      key.lastUsedAt === null ? say('dashboard.never') : time(visit, key.lastUsedAt),
    ],
    ...(key.replacedById === null
      ? []
      : [
          [
            say('dashboard.keys.replacedBy'),
            html`<a href="${visit.link(`/keys/${key.replacedById}`)}">${say('dashboard.keys.theNewKey')}</a>`,
          ] as const,
        ]),
  ]);
  const may = html`<ul class="plain plain--columns">${key.permissions.map((name) => html`<li>${permissionText(say, name)}</li>\n`)}</ul>`;
  const body = html`${section(say('dashboard.about'), about)}
${section(say('dashboard.keys.whatItMayDo'), key.publicText === null ? may : html`<p>${say('dashboard.keys.whatAPublicKeyMayDo')}</p>`)}`;
  const actions = mayManageKeys(visit) && isServing(key, visit.now) && keyActions(visit, key);
  return page(visit, { title: key.description, active: 'keys', body, ...(actions && { actions }) });
}
