import { loadAsset } from '../../frame/asset-files.ts';

export const dashboardStylesheet = loadAsset('./dashboard.css', import.meta.url);
/** Tables, and their rows as cards on narrow screens. */
export const tableStylesheet = loadAsset('./table.css', import.meta.url);
/** Choices of events, permissions and roles. */
export const choicesStylesheet = loadAsset('./choices.css', import.meta.url);
/** Figures, plots and timelines. */
export const viewsStylesheet = loadAsset('./views.css', import.meta.url);
/** Live updates. Every page works without the script. */
export const dashboardScript = loadAsset('./browser/dashboard.js', import.meta.url);
/** Dialogs, pages of one object, buttons that unfold something. */
export const componentsStylesheet = loadAsset('./components.css', import.meta.url);
/** Follows the links of rows for clicks on their texts. */
export const rowsScript = loadAsset('./browser/rows.js', import.meta.url);
/** The command palette. */
export const paletteScript = loadAsset('./browser/palette.js', import.meta.url);
/** Opens forms as dialogs over their page. */
export const dialogsScript = loadAsset('./browser/dialogs.js', import.meta.url);
