import type { IdKind, StoreId } from '../domain/ids.ts';
import type { ImportKind } from '../domain/imports.ts';
import { derivedId, derivedPart } from '../ids.ts';

/** Where an import goes, and from which system. */
export interface ImportInto {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly source: string;
}

/** The key of a row in the list of imported rows. */
export function importKeyOf({ source }: ImportInto, kind: ImportKind, foreignId: string): string {
  return derivedPart(JSON.stringify(['import', source, kind, foreignId]));
}

/**
 * The id of a row that an import makes: the same row gets the same id, so that orders at providers which are derived from it
 * are the same too. The store's id makes it unguessable: payers never see it.
 */
export function importedIdOf<Id extends string>(
  { storeId, devMode, source }: ImportInto,
  idKind: IdKind,
  foreignId: string,
): Id {
  const seed = JSON.stringify(['import', storeId, devMode, source, idKind, foreignId]);
  return derivedId<Id>(idKind, new Date(0), seed);
}
