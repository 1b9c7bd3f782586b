import { CSS, loadAsset, loadWholeStylesheet, type PageAsset } from '../../frame/assets.ts';

const FOLDER = '/dashboard/assets';

export const dashboardStylesheet = loadWholeStylesheet('./dashboard.css', import.meta.url, FOLDER);
/** Figures, plots and timelines. */
export const viewsStylesheet = loadAsset('./views.css', CSS, import.meta.url, FOLDER);
/** Copy buttons and live updates. Every page works without the script. */
export const dashboardScript = loadAsset(
  './browser/dashboard.js',
  'text/javascript; charset=utf-8',
  import.meta.url,
  FOLDER,
);

/** Every asset by the path it is served at. */
export const dashboardAssets: ReadonlyMap<string, PageAsset> = new Map(
  [dashboardStylesheet, viewsStylesheet, dashboardScript].map((asset) => [asset.path, asset]),
);
