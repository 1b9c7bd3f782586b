import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import { isLogoFile, type LogoFile } from '../domain/store-logo.ts';

/** A logo as it is stored and served. */
export interface Logo {
  readonly file: LogoFile;
  /** A PNG of at most 64 KiB; the table refuses larger ones. */
  readonly image: Buffer;
}

/** Replaces a store's logo; null removes it. */
export async function setStoreLogo(em: Em, storeId: StoreId, logo: Logo | null): Promise<void> {
  const change = { logoFile: logo?.file ?? null, logoImage: logo?.image ?? null };
  await em.nativeUpdate(StoreEntity, { id: storeId }, change);
}

/** The image of a logo that a store uses now, or null. @param file any text. */
export async function findLogo(em: Em, file: string): Promise<Buffer | null> {
  if (!isLogoFile(file)) return null;
  const [store] = await em.find(StoreEntity, { logoFile: file }, { fields: ['logoImage'], limit: 1 });
  const image = store?.logoImage;
  return image ? Buffer.from(image) : null;
}
