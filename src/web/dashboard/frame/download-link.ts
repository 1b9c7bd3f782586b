import { isLinkOfOtherSite } from '../../frame/cross-site.ts';
import { html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { page } from './layout.ts';
import type { Reply } from './route.ts';
import type { Visit } from './visit.ts';

/** A link on another site would download a file, which the audit log would count as the reader's own download. */
export class LinkOfOtherSite extends Error {
  constructor() {
    super('a link of another site asks for a file');
    this.name = 'LinkOfOtherSite';
  }
}

/** Call it before a download is counted. @throws LinkOfOtherSite */
export function requireOwnLink({ request }: Visit): void {
  if (isLinkOfOtherSite(request.headers)) throw new LinkOfOtherSite();
}

/** Asks whether the reader wants the file. Its button is a link of our own. @param path of the file, with its query. */
export function askBeforeDownload(visit: Visit, path: string): Reply {
  const { say } = visit;
  const body = html`<p>${say('dashboard.frame.aLinkElsewhereAsksFor')}</p>
<p class="buttons"><a class="button" href="${path}">${icon('download')}${say('dashboard.frame.download')}</a>
<a class="button button--quiet" href="${visit.link('/')}">${say('dashboard.frame.backToTheFirstPage')}</a></p>`;
  return page(visit, { title: say('dashboard.frame.downloadThisFile'), active: null, body, status: 403 });
}
