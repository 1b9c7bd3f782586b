import { type ApiKey, findKey, isServing } from '../../../api/keys/api-keys.ts';
import type { ApiKeyId } from '../../../domain/ids.ts';
import { type Html, html } from '../../frame/html.ts';
import { copyable, copyChip, day, link, section, time } from '../frame/components.ts';
import { detailPage, type SideCard } from '../frame/detail.ts';
import { nothingHere, type Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { mayManageKeys } from './key-access.ts';
import { accessOf, keyActions, limitsOf, stateBadge } from './key-list.ts';
import { permissionText } from './permission-picker.ts';
import { permissionsByGroup } from './permission-words.ts';

/** GET `/keys/:id`: a key with its permissions in words, also one that has ended. @throws Refusal 404 */
export async function renderKey(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const key = await findKey(visit.em, visit.params.id as ApiKeyId, visit.place);
  if (key === null) throw nothingHere();
  const actions = mayManageKeys(visit) && isServing(key, visit.now) && keyActions(visit, key);
  return detailPage(visit, {
    title: key.description,
    active: 'keys',
    ...(actions && { actions }),
    main: section(
      say('dashboard.keys.whatItMayDo'),
      key.publicText === null
        ? permissionsOf(visit, key)
        : html`<p>${say('dashboard.keys.whatAPublicKeyMayDo')}</p>`,
    ),
    cards: [{ title: say('dashboard.details'), rows: rowsOf(visit, key) }],
  });
}

function rowsOf(visit: Visit, key: ApiKey): SideCard['rows'] {
  const { say } = visit;
  const { publicText, lastFour, lastUsedAt, replacedById } = key;
  return [
    [say('dashboard.state'), stateBadge(visit, key)],
    [
      say('dashboard.key'),
      publicText === null ? html`<code>…${lastFour}</code>` : copyable(visit, 'key', publicText),
    ],
    [say('dashboard.keys.access'), accessOf(visit, key)],
    [say('dashboard.keys.limits'), limitsOf(visit, key)],
    [say('dashboard.created2'), day(visit, key.createdAt)],
    [say('dashboard.lastUsed'), lastUsedAt === null ? say('dashboard.never') : time(visit, lastUsedAt)],
    replacedById === null
      ? null
      : [
          say('dashboard.keys.replacedBy'),
          link(visit, `/keys/${replacedById}`, say('dashboard.keys.theNewKey')),
        ],
    ['Id', copyChip(visit, key.id)],
  ];
}

/** By what they are about, as in the form that creates a key. */
function permissionsOf({ say }: Visit, { permissions }: ApiKey): Html {
  return html`<div class="groups">${permissionsByGroup(permissions).map(
    ({ title, names }) =>
      html`<section class="group"><h3>${say(title)}</h3>
<ul class="plain">${names.map((name) => html`<li>${permissionText(say, name)}</li>\n`)}</ul></section>\n`,
  )}</div>`;
}
