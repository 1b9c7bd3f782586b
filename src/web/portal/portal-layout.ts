import { renderStorePage } from '../checkout/store-page.ts';
import type { PageAsset } from '../frame/asset-files.ts';
import { portalStylesheet } from '../frame/assets.ts';
import type { Html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import type { PageScript } from '../frame/layout.ts';
import type { Arrival } from './visit.ts';

/** The frame of every page of the portal: the store, and dev mode's banner. */
export function renderPortalLayout(
  { portal, store }: Arrival,
  {
    title,
    main,
    beside = null,
    stylesheets = [],
    scripts = [],
    leavesTo = null,
  }: {
    readonly title: string;
    readonly main: Html;
    readonly beside?: Html | null;
    readonly stylesheets?: readonly PageAsset[];
    readonly scripts?: readonly PageScript[];
    /** The address to which the page sends the browser. */
    readonly leavesTo?: string | null;
  },
): string {
  return renderStorePage({
    store,
    kind: 'portal',
    title,
    stylesheets: [...stylesheets, portalStylesheet],
    scripts,
    leavesTo,
    devModeNotice: portal.customer.devMode ? say('payer.testEnvironmentNoPaymentHere') : null,
    beside,
    main,
  });
}
