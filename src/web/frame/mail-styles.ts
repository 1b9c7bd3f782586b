import type { AccentShades } from '../../domain/accent-color.ts';
import { type Html, html, trustedMarkup } from './html.ts';

const SANS = 'font-family:Inter,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const SOFT = 'color:#4a5852';

/** What each part of a mail looks like in light. Mail programs keep inline styles, and many keep nothing else. */
const STYLES = {
  ground: 'margin:0;padding:0;background:#f4f7f5',
  preheader: 'display:none;max-height:0;overflow:hidden',
  margin: 'padding:24px 12px',
  paper: `max-width:560px;table-layout:fixed;overflow-wrap:break-word;background:#ffffff;border-radius:12px;${SANS};font-size:16px;line-height:24px;color:#16211d`,
  cell: 'padding:32px 28px;text-align:left',
  logo: 'padding-right:12px',
  picture: 'display:block;border-radius:4px',
  initial:
    'width:40px;height:40px;border-radius:8px;line-height:40px;text-align:center;font-size:18px;font-weight:700;color:#ffffff',
  store: 'font-weight:600;overflow-wrap:anywhere',
  notice:
    'margin:20px 0 0;padding:8px 12px;border-radius:8px;background:#ffd54a;color:#2b2100;font-size:14px;line-height:20px',
  heading: 'margin:28px 0 0;font-size:20px;line-height:28px;font-weight:600',
  amount: 'margin:4px 0 0;font-size:36px;line-height:44px;font-weight:700;letter-spacing:-0.5px',
  longAmount: 'margin:4px 0 0;font-size:24px;line-height:32px;font-weight:700;letter-spacing:-0.5px',
  line: 'margin:16px 0 0',
  code: 'margin:20px 0 0;padding:16px;border-radius:8px;background:#f4f7f5;text-align:center;font-family:Menlo,Consolas,monospace;font-size:32px;line-height:40px;font-weight:700;letter-spacing:6px',
  facts: 'table-layout:fixed;margin:24px 0 0;border-top:1px solid #dde4e0',
  name: `padding:10px 12px 10px 0;border-bottom:1px solid #dde4e0;vertical-align:top;width:38%;font-size:14px;${SOFT}`,
  value:
    'padding:10px 0;border-bottom:1px solid #dde4e0;vertical-align:top;font-size:14px;font-weight:600;white-space:pre-line',
  actions: 'margin:28px 0 0',
  button: 'border-radius:8px;overflow-wrap:anywhere',
  press: 'display:inline-block;padding:12px 24px;color:#ffffff;font-weight:600;text-decoration:none',
  link: 'font-weight:600',
  part: 'margin:28px 0 0;padding:4px 0 0;border-top:1px solid #dde4e0',
  note: `margin:12px 0 0;font-size:13px;line-height:20px;${SOFT}`,
  quiet: SOFT,
} as const;

type Part = keyof typeof STYLES;

/** Parts in the store's colour. */
const IN_BRAND: Partial<Record<Part, 'color' | 'background'>> = {
  initial: 'background',
  button: 'background',
  link: 'color',
};

/** The attributes of an element. @param brand the store's colour in light, for the parts that have it. */
export function as(part: Part, brand = ''): Html {
  const property = IN_BRAND[part];
  const style = STYLES[part] + (property === undefined ? '' : `;${property}:${brand}`);
  return html`class="${part}" style="${style}"`;
}

/** The dark colours, for mail programs that follow the system's; the others keep or invert the light ones. */
export function mailStyles({ dark }: { readonly dark: Pick<AccentShades, 'brand' | 'onBrand'> }): Html {
  const rules = {
    '.ground': 'background:#0f1513',
    '.paper': 'background:#171f1b;color:#e6ece9',
    '.code': 'background:#0f1513',
    '.name,.note,.quiet': 'color:#a8b6af',
    '.facts,.part,.name,.value': 'border-color:#2e3b35',
    '.initial,.button': `background:${dark.brand}`,
    '.initial,.press': `color:${dark.onBrand}`,
    '.link': `color:${dark.brand}`,
    '.picture': 'background:#ffffff;padding:4px',
  };
  const css = Object.entries(rules).map(
    ([parts, style]) => `${parts}{${style.replaceAll(/(?=;|$)/g, '!important')}}`,
  );
  return trustedMarkup(`<style>@media (prefers-color-scheme:dark){${css.join('')}}</style>`);
}
