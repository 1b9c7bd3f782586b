/**
 * Tests that start the service as processes and kill them, open a browser, simulate months, or repeat races many times.
 * They take longer than all others and find faults between parts. `npm test` leaves them out.
 */
export const END_TO_END_TESTS: readonly string[] = [
  '/test/journey/',
  '/test/workflows/outages',
  '/test/workflows/rebuilt-workflows',
  'browser\\.test',
  'accessibility\\.test',
  'scenarios\\.test',
  'races?\\.test',
];
