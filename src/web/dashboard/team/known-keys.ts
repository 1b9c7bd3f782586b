import { isServing, keysOf } from '../../../api/keys/api-keys.ts';
import type { Member } from '../../../identity/members.ts';
import { type Html, html } from '../../frame/html.ts';
import { linkTo } from '../frame/place.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * The keys whose text the person knows because they created them. These remain valid if the person leaves or changes roles.
 * @returns null if there are none.
 */
export async function knownKeys({ em, store, say, now }: Visit, { userId }: Member): Promise<Html | null> {
  const keys = await keysOf(em, { storeId: store.id });
  const known = keys.filter((key) => key.creatorId === userId && isServing(key, now));
  if (known.length === 0) return null;
  const warning = say('dashboard.team.thisPersonCreatedTheApi');
  const rows = known.map(({ id, description, lastFour, devMode }) => {
    const to = linkTo({ storeId: store.id, devMode }, `/keys/${id}/revoke`);
    const where = devMode ? say('dashboard.test') : say('dashboard.production');
    return html`<li><a href="${to}">${description} …${lastFour}</a> <span class="soft">${where}</span></li>\n`;
  });
  return html`<div class="answer answer--bad"><p>${warning}</p>
<ul>${rows}</ul></div>
`;
}
