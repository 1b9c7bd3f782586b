import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const SVG = 'image/svg+xml';

const TYPES: Readonly<Record<string, string>> = { css: CSS, js: SCRIPT, svg: SVG, woff2: 'font/woff2' };

/** A file that pages refer to. Its path contains a hash of its content, so it can be cached forever. */
export interface PageAsset {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** The `Cache-Control` of every asset: a changed file has another path. One year is the usual maximum. */
export const PAGE_ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';

const loaded = new Map<string, PageAsset>();

/** Every loaded asset by its path, which is under `/assets/`. */
export const pageAssets: ReadonlyMap<string, PageAsset> = loaded;

/** @param base the URL of the module that `file` is relative to. */
export function loadAsset(file: string, base: string): PageAsset {
  return register(file, readFileSync(new URL(file, base)));
}

/** Inter, latin: 48 kB. It has every character of Portuguese, English and Spanish. */
export const fontAsset = register(
  'inter.woff2',
  readFileSync(
    createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  ),
);

/** The design tokens and the styles of all pages. */
export const baseStylesheet = register(
  'base.css',
  Buffer.from(
    ['./tokens.css', './base.css']
      .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
      .join('')
      .replace('inter.woff2', fontAsset.path),
  ),
);

function register(file: string, body: Buffer): PageAsset {
  const [, name, extension = ''] = /([^/]+)\.(\w+)$/.exec(file) ?? [];
  const contentType = TYPES[extension];
  if (contentType === undefined) throw new Error(`${file} has no known content type`);
  const asset = { path: `/assets/${name}.${hashOf(body)}.${extension}`, contentType, body };
  loaded.set(asset.path, asset);
  return asset;
}

/** Twelve hex digits (48 bits) distinguish versions of a file; they need not be secret. */
export function hashOf(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 12);
}
