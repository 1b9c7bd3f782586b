import { decimalOf } from '../../domain/money.ts';
import type { IssueAnswer } from '../ports/issuing.ts';
import type { IssuedPix, IssuePix } from '../ports/pix.ts';
import type { BacenAccount } from './account.ts';
import { expiryOf, MAX_EXPIRY_SECONDS, secondsToLastUntil } from './expiry.ts';
import { txidOf } from './ids.ts';
import { type ChargeOrder, DESCRIPTION_MAX_LENGTH, type IssuerDeps, issueOnce } from './issue-charge.ts';
import type { BankCharge } from './wire.ts';

/**
 * Issues codes. An existing charge is reused only if a payer can still pay it for half of the requested time.
 * Otherwise its expiry is extended; a charge that cannot be extended is removed and returned as DEAD.
 */
export function pixIssuer(deps: IssuerDeps): (request: IssuePix) => Promise<IssueAnswer<IssuedPix>> {
  return (request) => issueOnce(deps, orderOf(request, deps.account));
}

function orderOf(request: IssuePix, { profile, settings }: BacenAccount): ChargeOrder {
  const { now, expiresInSeconds, amountCents, beneficiary } = request;
  /** A charge without a creation time from the bank cannot be checked. */
  const lastsLongEnough = (charge: BankCharge) => {
    const expiresAt = expiryOf(charge);
    return expiresAt === null || expiresAt.getTime() - now.getTime() >= (expiresInSeconds * 1_000) / 2;
  };
  return {
    txid: txidOf(request.chargeId),
    path: profile.paths.cob,
    revisionPath: profile.paths.cobRevision,
    beneficiary,
    body: askedCharge(request, settings.pixKey),
    isAsAsked: ({ valor, chave }) => valor.original === amountCents && chave === settings.pixKey,
    expiresAt: (charge, { isNew }) => expiryOf(charge, isNew ? { createdAbout: now } : undefined),
    extension(charge) {
      if (lastsLongEnough(charge)) return null;
      const wantedUntil = new Date(now.getTime() + expiresInSeconds * 1_000);
      return { calendario: { expiracao: secondsToLastUntil(charge, wantedUntil) } };
    },
  };
}

function askedCharge({ amountCents, description, expiresInSeconds, payer }: IssuePix, chave: string) {
  const { name: nome, taxId } = payer;
  const devedor = nome && taxId ? { [taxId.length === 11 ? 'cpf' : 'cnpj']: taxId, nome } : null;
  return {
    calendario: { expiracao: Math.min(expiresInSeconds, MAX_EXPIRY_SECONDS) },
    ...(devedor && { devedor }),
    valor: { original: decimalOf(amountCents) },
    chave,
    ...(description && { solicitacaoPagador: description.slice(0, DESCRIPTION_MAX_LENGTH) }),
  };
}
