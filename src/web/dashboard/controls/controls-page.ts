import type { PayoutControls } from '../../../domain/payout-controls.ts';
import { payoutControlsOf } from '../../../payouts/payout-controls.ts';
import type { Problems } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import { linkButton, section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { CONTROL_NAMES, controlFields, type TypedControls, textsOf } from './controls-form.ts';
import { aboutEverybody } from './everybody-page.ts';

/** A refused form: the submitted fields and their problems. */
interface Refused {
  readonly typed: TypedControls;
  readonly problems: Problems;
}

/** Identifies the controls that a form was rendered from. The form is refused if someone else has changed them since. */
export function fingerprintOf(controls: PayoutControls): string {
  return CONTROL_NAMES.map((name) => controls[name] ?? 'off').join('/');
}

/** GET `/controls`: the limits on outgoing money and the rule for second factors. */
export async function renderControls(visit: Visit, refused?: Refused): Promise<Reply> {
  const { say, devMode, user } = visit;
  const controls = await payoutControlsOf(visit.em, visit.caller);
  const intro = devMode
    ? say('dashboard.controls.forOutgoingMoneyInThe')
    : say('dashboard.controls.forOutgoingRealMoneyFrom');
  const needsCode = user.hasSecondFactor || controls.requiresSecondFactor;
  const problems = refused?.problems ?? {};
  const body = html`${section(
    say('dashboard.controls.outgoingMoney'),
    html`<p>${intro}</p>
${form(visit, {
  action: '/controls',
  fields: html`<input type="hidden" name="seen" value="${fingerprintOf(controls)}">
${controlFields(visit, refused?.typed ?? textsOf(controls), problems)}
${stepUpFields(visit, { needsCode }, problems)}`,
  submit: say('dashboard.save'),
})}`,
  )}
${section(say('dashboard.controls.secondFactorForEveryone'), html`${await aboutEverybody(visit)}<p>${linkButton(visit, '/controls/second-factor', say('dashboard.change'))}</p>`)}`;
  return page(visit, {
    title: say('dashboard.controls'),
    active: 'controls',
    body,
    status: refused === undefined ? 200 : 422,
  });
}
