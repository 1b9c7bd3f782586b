import { PORTAL_ACTIONS, type PortalAction } from '../../domain/portal-actions.ts';
import type { MessageKey } from '../i18n/catalogs.ts';

interface ActionWords {
  /** The text of its link, and the title of its page. */
  readonly name: MessageKey;
  /** What happens, on its page. May use `{date}`, the end of what is paid. */
  readonly means: MessageKey;
  /** The button that does it. */
  readonly confirm: MessageKey;
  /** What has happened. */
  readonly done: MessageKey;
}

export const ACTION_WORDS: Readonly<Record<PortalAction, ActionWords>> = {
  'pay-by-pix': {
    name: 'portal.action.payByPix',
    means: 'portal.action.payByPixMeans',
    confirm: 'portal.action.payByPixConfirm',
    done: 'portal.action.payByPixDone',
  },
  'pay-by-code': {
    name: 'portal.action.payByCode',
    means: 'portal.action.payByCodeMeans',
    confirm: 'portal.action.payByCodeConfirm',
    done: 'portal.action.payByCodeDone',
  },
  cancel: {
    name: 'portal.action.cancel',
    means: 'portal.action.cancelMeans',
    confirm: 'portal.action.cancelConfirm',
    done: 'portal.action.cancelDone',
  },
  'cancel-now': {
    name: 'portal.action.cancelNow',
    means: 'portal.action.cancelNowMeans',
    confirm: 'portal.action.cancelNowConfirm',
    done: 'portal.action.cancelNowDone',
  },
  undo: {
    name: 'portal.action.undo',
    means: 'portal.action.undoMeans',
    confirm: 'portal.action.undoConfirm',
    done: 'portal.action.undoDone',
  },
  pause: {
    name: 'portal.action.pause',
    means: 'portal.action.pauseMeans',
    confirm: 'portal.action.pauseConfirm',
    done: 'portal.action.pauseDone',
  },
  resume: {
    name: 'portal.action.resume',
    means: 'portal.action.resumeMeans',
    confirm: 'portal.action.resumeConfirm',
    done: 'portal.action.resumeDone',
  },
  pay: {
    name: 'portal.action.pay',
    means: 'portal.action.payMeans',
    confirm: 'portal.action.payConfirm',
    done: 'portal.action.payDone',
  },
};

/** The action that has led to a page. */
export interface Done {
  readonly action: PortalAction;
  readonly subscriptionId: string;
}

/** The query of the page after an action. It proves nothing: the page asks the row. */
export function doneQuery({ action, subscriptionId }: Done): string {
  return new URLSearchParams({ done: action, subscription: subscriptionId }).toString();
}

/** The reverse of {@link doneQuery}; null for anything else. */
export function doneIn(query: Readonly<Record<string, unknown>>): Done | null {
  const action = PORTAL_ACTIONS.find((each) => each === query.done);
  const { subscription } = query;
  return action === undefined || typeof subscription !== 'string'
    ? null
    : { action, subscriptionId: subscription };
}
