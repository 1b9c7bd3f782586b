import { addBusinessDays } from '../../domain/business-days.ts';
import { DEFAULT_BUSINESS_DAYS } from '../../domain/charge-deadlines.ts';
import { addDays, type CivilDate, isCivilDate, saoPauloDateOf } from '../../domain/civil-date.ts';
import { fieldError, invalid } from '../frame/errors.ts';

/** How far ahead a boleto's due date may lie (contract section 4). */
const MAX_DAYS_AHEAD = 365;

/** @throws ApiError 400 where it is no date, 422 where it lies before today or more than a year ahead. */
export function dueDateOf(wanted: string | null | undefined, now: Date): CivilDate {
  const today = saoPauloDateOf(now);
  if (!wanted) return addBusinessDays(today, DEFAULT_BUSINESS_DAYS);
  if (!isCivilDate(wanted)) throw invalid('data.dueDate', 'must be a date that exists, such as 2026-12-10');
  const latest = addDays(today, MAX_DAYS_AHEAD);
  if (wanted >= today && wanted <= latest) return wanted;
  const message = `must be between ${today} and ${latest}, days in America/Sao_Paulo`;
  throw fieldError(422, 'NOT_ACCEPTABLE', 'data.dueDate', message);
}
