import { can } from '../../../domain/role.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { logo, renderLayout } from '../../frame/layout.ts';
import { LOCALES, type Locale } from '../../i18n/catalogs.ts';
import {
  choicesStylesheet,
  componentsStylesheet,
  dashboardScript,
  dashboardStylesheet,
  dialogsScript,
  paletteScript,
  rowsScript,
  tableStylesheet,
  viewsStylesheet,
} from './assets.ts';
import { clockBar } from './clock-bar.ts';
import type { Flash } from './cookies.ts';
import { form } from './form.ts';
import { GROUP_NAMES, NAVIGATION, type NavigationEntry, type NavigationId } from './navigation.ts';
import { palette, paletteButton } from './palette.ts';
import type { Reply } from './route.ts';
import type { Visit } from './visit.ts';

interface PageContent {
  readonly title: string;
  /** The current entry of the menu. */
  readonly active: NavigationId;
  /** Starts below the title. */
  readonly body: Html;
  /** Beside the title: a badge with the state of what the page is about. */
  readonly state?: Html;
  /** At the other end of the title's line: links or buttons of the main actions. */
  readonly actions?: Html;
  /** Defaults to 200. */
  readonly status?: number;
  /** Override those of every page. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page of the dashboard: environment banner, menu, message of the previous form, title and body. */
export function page(
  visit: Visit,
  { title, active, body, state, actions, status = 200, headers = {} }: PageContent,
): Reply {
  const { say, flash } = visit;
  const document = renderDocument(
    visit.locale,
    `${title} · ${visit.store.name}`,
    html`<a class="skip" href="#main">${say('dashboard.frame.skipToContent')}</a>
${environmentBar(visit, active)}
${clockBar(visit)}
<div class="shell">
${sidebar(visit, active)}
<div class="content">
${crumb(visit, active)}
<main id="main" class="main" tabindex="-1">
<div class="head"><div class="head__title"><h1>${title}</h1>${state ?? null}</div>${actions !== undefined && html`<div class="head__actions">${actions}</div>`}</div>
${flash !== null && renderFlash(flash)}
${body}
</main>
</div>
</div>
${palette(visit)}`,
    visit.devMode ? 'dev' : 'prod',
  );
  return { kind: 'page', status, document, headers };
}

/** A page without menu, for people who are not signed in or are not members of the store. */
export function barePage(
  locale: Locale,
  {
    title,
    body,
    flash = null,
    status = 200,
  }: { title: string; body: Html; flash?: Flash | null; status?: number },
): Reply {
  const document = renderDocument(
    locale,
    title,
    html`<main class="gate">
<p>${logo('/dashboard')}</p>
<h1>${title}</h1>
${flash !== null && renderFlash(flash)}
${body}
${languages(locale)}
</main>`,
    'none',
  );
  return { kind: 'page', status, document };
}

const STYLESHEETS = [
  dashboardStylesheet,
  tableStylesheet,
  viewsStylesheet,
  componentsStylesheet,
  choicesStylesheet,
];
const SCRIPTS = [dashboardScript, dialogsScript, paletteScript, rowsScript];

function renderDocument(
  locale: Locale,
  title: string,
  body: Html,
  environment: 'dev' | 'prod' | 'none',
): string {
  return renderLayout({
    language: locale,
    title: `${title} · Recebe`,
    stylesheets: STYLESHEETS,
    scripts: SCRIPTS,
    kind: `env-${environment}`,
    body,
  });
}

/** Store, environment and person. The edge in the environment's colour shows on every page whether the money is real. */
function environmentBar(visit: Visit, active: NavigationId): Html {
  const { say, devMode, store, user } = visit;
  const entry = entries().find(({ id }) => id === active);
  const other = devMode ? 'prod' : 'dev';
  const path = entry === undefined || entry.devModeOnly || entry.path === '/' ? '' : entry.path;
  return html`<header class="bar">
${logo(visit.link('/'))}
<p class="bar__store"><a href="/dashboard/stores">${store.name}</a></p>
<p class="bar__env"><strong>${devMode ? say('dashboard.frame.test') : say('dashboard.frame.production')}</strong> <span class="bar__means">${
    devMode ? say('dashboard.frame.noMoneyMoves') : say('dashboard.frame.realMoney')
  }</span></p>
<p class="bar__switch"><a href="/dashboard/${store.id}/${other}${path}">${
    devMode ? say('dashboard.frame.goToProduction') : say('dashboard.frame.goToTest')
  }</a></p>
${paletteButton(visit)}
<p class="bar__who"><a href="${visit.link('/account')}">${user.name === '' ? user.email : user.name}</a></p>
${form(visit, { action: '/sign-out', submit: say('dashboard.frame.signOut'), style: 'link' })}
</header>`;
}

/** On a page below a page of the menu: a link back to it. */
function crumb(visit: Visit, active: NavigationId): Html | null {
  const entry = entries().find(({ id }) => id === active);
  // The address of the first page may end in a slash.
  if (entry === undefined || visit.path.replace(/\/$/, '') === visit.link(entry.path)) return null;
  const { say } = visit;
  return html`<nav class="crumb" aria-label="${say('dashboard.frame.whereYouAre')}"><a href="${visit.link(entry.path)}">${icon('arrow-left')}${say(entry.name)}</a></nav>`;
}

function sidebar(visit: Visit, active: NavigationId): Html {
  const { say } = visit;
  const groups = menuOf(visit, active);
  return html`<aside class="side" aria-label="${say('dashboard.store')}">
<details class="side__menu"><summary>${icon('menu')}<span class="visually-hidden">${say('dashboard.frame.menu')}</span></summary>
<nav aria-label="${say('dashboard.frame.menuOnAPhone')}">${groups}</nav>
${languages(visit.locale)}
</details>
<nav class="side__nav" aria-label="${say('dashboard.frame.main')}">${groups}</nav>
${languages(visit.locale)}
</aside>`;
}

/** The entries that the role may use, by groups. */
function menuOf(visit: Visit, active: NavigationId): readonly (Html | null)[] {
  const { say, role, devMode, lacksSecondFactor } = visit;
  if (lacksSecondFactor) return [];
  return (NAVIGATION as readonly (readonly NavigationEntry[])[]).map((group, index) => {
    const shown = group.filter((entry) => can(role, entry.action) && (devMode || !entry.devModeOnly));
    if (shown.length === 0) return null;
    const name = GROUP_NAMES[index];
    return html`<p class="side__group">${name !== undefined && say(name)}</p>
<ul>
${shown.map((entry) => html`<li><a class="side__link" href="${visit.link(entry.path)}"${entry.id === active && html` aria-current="page"`}>${icon(entry.icon)}${say(entry.name)}</a></li>\n`)}</ul>
`;
  });
}

function entries(): readonly NavigationEntry[] {
  return NAVIGATION.flat();
}

const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = {
  'pt-BR': 'Português',
  en: 'English',
  es: 'Español',
};

function languages(locale: Locale): Html {
  return html`<p class="languages">${LOCALES.filter((other) => other !== locale).map(
    (other) =>
      html`<a href="?lang=${other}" hreflang="${other}" lang="${other}">${icon('languages')}${LANGUAGE_NAMES[other]}</a>`,
  )}</p>`;
}

function renderFlash({ kind, text }: Flash): Html {
  return html`<p class="flash flash--${kind}" role="${kind === 'done' ? 'status' : 'alert'}">${text}</p>`;
}
