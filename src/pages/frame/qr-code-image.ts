import type { QrCodeSvg } from '../../wire/qr-code.ts';
import { type Html, html } from './html.ts';

/** A QR code that scales; its white border is part of the drawing. */
export function renderQrCode({ size, path }: QrCodeSvg, label: string): Html {
  return html`<svg class="qr-code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" xmlns="http://www.w3.org/2000/svg" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${path}"/></svg>`;
}
