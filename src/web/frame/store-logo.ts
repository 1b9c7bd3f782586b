import { type LogoFile, shownLogoSize } from '../../domain/store-logo.ts';
import { type Html, html } from './html.ts';

/** The path of an uploaded logo. */
function logoPath(file: LogoFile): string {
  return `/logos/${file}`;
}

/** A store's uploaded logo beside its name, with its size, so that nothing moves when it has loaded; null without one. */
export function renderLogo(file: LogoFile | null): Html | null {
  return file && logoImage(logoPath(file), file);
}

function logoImage(src: string, file: LogoFile): Html {
  const { width, height } = shownLogoSize(file);
  return html`<img class="store-logo" src="${src}" alt="" width="${width}" height="${height}">`;
}
