import XmlBuilder from 'fast-xml-builder';
import { DPS_NAMESPACE, DPS_VERSION, type DpsFacts, dpsOf } from '../../domain/nfse/dps.ts';

const ATTRIBUTE = '@';
const builder = new XmlBuilder({ ignoreAttributes: false, attributeNamePrefix: ATTRIBUTE });

/**
 * A DPS as an XML document in UTF-8, without spaces between its elements and without a signature: the program that transmits it signs
 * `infDPS` with the store's certificate.
 */
export function renderDps(facts: DpsFacts): { readonly id: string; readonly xml: string } {
  const { id, content } = dpsOf(facts);
  const root = {
    DPS: {
      [`${ATTRIBUTE}xmlns`]: DPS_NAMESPACE,
      [`${ATTRIBUTE}versao`]: DPS_VERSION,
      infDPS: { [`${ATTRIBUTE}Id`]: id, ...content },
    },
  };
  return { id, xml: `<?xml version="1.0" encoding="UTF-8"?>${builder.build(root)}` };
}
