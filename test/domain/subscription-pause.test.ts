import { describe, expect, it } from '@jest/globals';
import { type PausedCycle, resumedCycle } from '../../src/domain/subscription-pause.ts';

const at = (text: string) => new Date(`${text}T12:00:00.000Z`);

/** A monthly subscription of 31 January, in its second cycle, paused on 10 March. */
const PAUSED: PausedCycle = {
  cycle: 'MONTHLY',
  anchorAt: at('2027-01-31'),
  anchorNumber: 1,
  cycleNumber: 2,
  cycleStartsAt: at('2027-02-28'),
  cycleEndsAt: at('2027-03-31'),
  pausedAt: at('2027-03-10'),
  keepsAnchor: true,
  unpaidUntil: null,
};

describe('a pause that keeps the dates', () => {
  it('changes nothing if it ends within the paid cycle', () => {
    expect(resumedCycle(PAUSED, at('2027-03-20'))).toEqual({
      anchorAt: at('2027-01-31'),
      anchorNumber: 1,
      cycleEndsAt: at('2027-03-31'),
    });
  });

  it('skips missed cycles and continues at the end of a short month', () => {
    expect(resumedCycle(PAUSED, at('2027-06-15'))).toEqual({
      anchorAt: at('2027-01-31'),
      anchorNumber: -2,
      cycleEndsAt: at('2027-06-30'),
    });
  });

  it('charges at once if it ends at the start of a cycle', () => {
    expect(resumedCycle(PAUSED, at('2027-04-30')).cycleEndsAt).toEqual(at('2027-04-30'));
  });

  it('charges an unpaid period that still lasts again, under the next number', () => {
    const resumed = resumedCycle({ ...PAUSED, unpaidUntil: PAUSED.cycleEndsAt }, at('2027-03-20'));
    expect(resumed).toEqual({
      anchorAt: at('2027-01-31'),
      anchorNumber: 2,
      cycleEndsAt: at('2027-02-28'),
    });
  });

  it('forgets an unpaid period that is over', () => {
    const resumed = resumedCycle({ ...PAUSED, unpaidUntil: PAUSED.cycleEndsAt }, at('2027-04-02'));
    expect(resumed.cycleEndsAt).toEqual(at('2027-04-30'));
  });

  it('keeps the next date if it was paused again before that date', () => {
    const unpaidUntil = PAUSED.cycleEndsAt;
    const first = resumedCycle({ ...PAUSED, unpaidUntil }, at('2027-04-02'));
    const again = { ...PAUSED, ...first, pausedAt: at('2027-04-10'), unpaidUntil };
    expect(resumedCycle(again, at('2027-04-20'))).toEqual(first);
  });
});

describe('a pause that moves the dates', () => {
  const moving = { ...PAUSED, keepsAnchor: false };

  it('adds the rest of the paid cycle after the pause', () => {
    expect(resumedCycle(moving, at('2027-06-15'))).toEqual({
      anchorAt: at('2027-07-06'),
      anchorNumber: 3,
      cycleEndsAt: at('2027-07-06'),
    });
  });

  it('charges at once after an unpaid cycle, or one that was over', () => {
    const now = at('2027-06-15');
    expect(resumedCycle({ ...moving, unpaidUntil: PAUSED.cycleEndsAt }, now).cycleEndsAt).toEqual(now);
    expect(resumedCycle({ ...moving, pausedAt: at('2027-04-05') }, now).cycleEndsAt).toEqual(now);
  });
});
