import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId } from '../../domain/ids.ts';
import type { LogoFile } from '../../domain/store-logo.ts';

/** A store owns everything else; it is created by the command line (contract section 2). */
export const StoreEntity = defineEntity({
  name: 'Store',
  tableName: 'stores',
  properties: {
    id: p.text().$type<StoreId>().primary(),
    name: p.text(),
    /** City printed in BR Codes; EMV allows 15 ASCII characters. */
    city: p.text(),
    /** CPF or CNPJ of the beneficiary, bare; printed on boletos. */
    taxId: p.text().strictNullable(),
    website: p.text().strictNullable(),
    /** HTTPS address of a picture elsewhere, shown on pages that take payments if no logo was uploaded. */
    logoUrl: p.text().strictNullable(),
    /** `#rrggbb`, as the store likes it; pages show a shade of it that can be read. */
    accentColor: p.text().strictNullable(),
    supportEmail: p.text().strictNullable(),
    supportPhone: p.text().strictNullable(),
    supportUrl: p.text().strictNullable(),
    /** What the law, or the store, wants payers to read at the foot of the page. */
    legalFooter: p.text().strictNullable(),
    /** The uploaded logo's file name; null if there is none. */
    logoFile: p.text().$type<LogoFile>().strictNullable(),
    /** The PNG itself, at most 64 KiB; null if there is none. */
    logoImage: p.blob().nullable().lazy(),
    createdAt: p.datetime(),
    /** Whether its pages in the dashboard are only for people with a second factor. */
    requiresSecondFactor: p.boolean().default(false).lazy(),
  },
});
export type Store = Omit<InferEntity<typeof StoreEntity>, 'requiresSecondFactor' | 'logoImage'>;
