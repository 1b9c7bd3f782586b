import { toSVG } from 'bwip-js/node';
import type { QrCodeSvg } from '../../wire/qr-code.ts';
import { type Html, html, trustedMarkup } from './html.ts';

/**
 * The boleto's bar code: 44 digits in Interleaved 2 of 5, with wide bars three times as wide as narrow ones and no check digit of
 * its own. The stylesheet gives it Febraban's size, 103 mm by 13 mm.
 */
export function renderBarCode(barCode44: string): Html {
  if (!/^\d{44}$/.test(barCode44)) throw new RangeError('A boleto bar code has 44 digits');
  const svg = toSVG({ bcid: 'interleaved2of5', text: barCode44, scale: 1, height: 13 });
  // The bars fill the given size exactly, whatever the library's proportions.
  const attributes = 'class="bar-code" role="img" aria-label="Código de barras" preserveAspectRatio="none"';
  return trustedMarkup(svg.replace('<svg ', `<svg ${attributes} `));
}

/** A scalable QR code; the drawing includes its white border. */
export function renderQrCode({ size, path }: QrCodeSvg, label: string): Html {
  return html`<svg class="qr-code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" xmlns="http://www.w3.org/2000/svg" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${path}"/></svg>`;
}
