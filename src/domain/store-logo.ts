/** A logo's file name: a hash of its content and its size in pixels, so that it never changes under one name. */
export type LogoFile = `${string}-${number}x${number}.png`;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The largest size in which pages and mails show a logo, in CSS pixels. */
const SHOWN: Size = { width: 144, height: 40 };

/** @param hash in hex. */
export function logoFileOf(hash: string, { width, height }: Size): LogoFile {
  return `${hash}-${width}x${height}.png`;
}

/** Whether the text can name a logo. */
export function isLogoFile(text: string): text is LogoFile {
  return /^[0-9a-f]{32}-[1-9]\d{0,3}x[1-9]\d{0,3}\.png$/.test(text);
}

/** The size in which a logo is shown, in CSS pixels. It keeps its proportions. */
export function shownLogoSize(file: LogoFile): Size {
  const [, width = '1', height = '1'] = /-(\d+)x(\d+)\.png$/.exec(file) ?? [];
  const scale = Math.min(1, SHOWN.width / Number(width), SHOWN.height / Number(height));
  const shown = (pixels: string) => Math.max(1, Math.round(Number(pixels) * scale));
  return { width: shown(width), height: shown(height) };
}
